"""Clicks over many frames, transforms and layouts, judged by listeners of the page's own."""

from __future__ import annotations

import html
import itertools
import json
import random
import re
from collections.abc import Iterable

import pytest

from tests.agent import Agent

# Tells the topmost window which marked element got a real click; strays get none of their own.
RECORDER = """<script>
const tell = (got) => top.postMessage({got}, "*");
addEventListener("click", (event) => {
  if (!event.isTrusted) return;
  const path = event.composedPath();
  const got = path.find((each) => each.dataset?.id);
  // Nobody outside hears who was clicked in a closed component; its parts tell themselves.
  const isClosed = path.some((each) => each.localName === "x-part" && !each.shadowRoot);
  if (got || !isClosed) tell(got ? got.dataset.id : `stray ${path[0].outerHTML?.slice(0, 80)}`);
  event.preventDefault();
  document.documentElement.setAttribute("data-clicks", performance.now());
}, true);
</script>"""
COLLECTOR = """<script>
window.received = [];
addEventListener("message", (event) => { if (event.data.got) received.push(event.data.got); });
</script>"""

STYLES = (
    "", "transform:scale(.5)", "transform:scale(1.6)", "transform:rotate(25deg)",
    "transform:rotate(90deg)", "transform:rotate(180deg)", "transform:skew(20deg,8deg)",
    "transform:scaleX(-1)", "transform:perspective(400px) rotateY(35deg)", "zoom:.6", "zoom:1.5",
    "border:11px solid", "padding:17px", "padding:5px 30px 1px 9px;border-width:1px 2px 13px 21px",
    "translate:20px 10px;rotate:12deg;scale:.8", "transform:scale(.5);transform-origin:0 0",
    "zoom:1.3;transform:rotate(-20deg);border:7px solid;padding:9px",
    "box-sizing:border-box;border:6px dashed;padding:12px;transform:matrix(.8,.2,-.1,.9,5,5)",
)  # fmt: skip


class Numbers:
    """Names of targets, each given once."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self.given: list[str] = []

    def __call__(self) -> str:
        self.given.append(f"t{next(self._numbers)}")
        return self.given[-1]


def buttons(numbers: Numbers, *, tall: bool = False) -> str:
    """Make a document with two buttons far apart."""
    first, second = numbers(), numbers()
    place = "position:absolute;font:11px sans-serif;padding:1px 4px"
    below = 700 if tall else 84
    return (
        f"<!doctype html><body style='margin:0'>{RECORDER}"
        f"<button data-id={first} style='{place};left:6px;top:4px'>{first}</button>"
        f"<button data-id={second} style='{place};left:120px;top:{below}px'>{second}</button>"
    )


def frame(document: str, style: str, size: str = "width:180px;height:110px") -> str:
    """Show a document in a frame of the same process."""
    return f"<iframe srcdoc=\"{html.escape(document)}\" style='{size};{style}'></iframe>"


def spaced(parts: Iterable[str]) -> str:
    """Lay frames out so that none is over another."""
    cells = "".join(
        f"<div style='padding:90px;width:240px;height:170px'>{part}</div>" for part in parts
    )
    return f"<div style='display:flex;flex-wrap:wrap'>{cells}</div>"


async def misses(agent: Agent, document: str, names: Iterable[str]) -> list[str]:
    """Click every target; returns what was refused, went elsewhere, or was not reported truly."""
    seen = await agent.open(f"<!doctype html>{COLLECTOR}{RECORDER}{document}")
    clicked, refused = [], []

    for name in names:
        uid = re.search(rf'uid=(\S+) [^\n]*"{name}"', seen)
        if uid is None:
            refused.append(f"{name} is not in the snapshot")
            continue
        reply = await agent.reply("click", uid=uid[1], report="none")
        if reply.failed:
            refused.append(f"{name}: {reply.text}")
        else:
            clicked.append(name)
    received = json.loads(
        await agent.value(
            f"""(async () => {{
              const end = performance.now() + 1000;
              while (received.length < {len(clicked)} && performance.now() < end)
                await new Promise((done) => setTimeout(done, 10));
              return received;
            }})()"""
        )
    )
    wrong = [f"{name} was hit without a word" for name in set(received) - set(clicked)]
    wrong += [f"{name} was reported, and not hit" for name in set(clicked) - set(received)]
    wrong += [f"{name} was hit twice" for name in set(received) if received.count(name) > 1]
    return [*refused, *wrong]


def shadow(inside: str, content: str, mode: str = "open") -> str:
    """Make a component whose shadow tree is declared."""
    if mode == "closed":
        inside = inside.replace(
            "data-id", "onclick='event.isTrusted && tell(this.dataset.id)' data-id"
        )
    return f"<x-part><template shadowrootmode={mode}>{inside}</template>{content}</x-part>"


def area(number: str, shape: str) -> str:
    """Make an image map of which one area is named."""
    picture = "data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22/>"
    return (
        f"<img usemap=#{number} src='{picture}' width=90 height=60 alt=''><map name={number}>"
        f"<area data-id={number} alt={number} href=#x {shape}></map>"
    )


# Each with %s for the mark and the name of its target.
LAYOUTS = (
    "<button data-id=%s>%s</button>",
    "<a data-id=%s href=#x>%s</a>",
    "<div style='width:60px'><a data-id=%s href=#x aria-label=%s>words <br>that wrap here</a></div>",
    "<a data-id=%s href=#x><img style='float:left' width=30 height=30 alt=%s></a>",
    "<a data-id=%s href=#x style='display:contents'><b>%s</b></a>",
    "<a data-id=%s href=#x style='display:contents'>%s</a>",
    "<a data-id=%s href=#x aria-label=%s><span style='position:absolute;left:40px;top:20px'>far</span></a>",
    "<div style='width:60px;height:20px;overflow:auto'><p style='height:90px'>long<p>"
    "<button data-id=%s>%s</button></div>",
    "<button data-id=%s style='clip-path:polygon(0 0,25%% 0,0 60%%);width:80px;height:50px'>%s</button>",
    "<button data-id=%s style='clip-path:inset(80%% 0 0 0);width:80px;height:50px'>%s</button>",
    "<button data-id=%s style='border-radius:50%%;width:50px;height:50px'>%s</button>",
    "<div style='position:relative'><button data-id=%s style='width:90px;height:40px'>%s</button>"
    "<i style='position:absolute;inset:0 0 6px 0'></i></div>",
    "<svg width=60 height=60><a data-id=%s href=#x aria-label=%s><circle cx=30 cy=30 r=26 fill=none "
    "stroke=red stroke-width=3 /></a></svg>",
    "<svg width=60 height=60><g data-id=%s role=button tabindex=0 aria-label=%s><path d='M2 58L58 3' "
    "stroke=red /></g></svg>",
    "<svg width=60 height=60><path data-id=%s role=button tabindex=0 aria-label=%s "
    "d='M30 2A28 28 0 1 1 29 2M30 10A20 20 0 1 0 31 10Z' fill-rule=evenodd /></svg>",
    "<div style='position:relative;width:100px;height:60px'><a data-id=%s href=#x aria-label=%s "
    "style='position:absolute;inset:0'>card<button data-id=wrong style='position:absolute;"
    "left:25px;top:15px;width:50px;height:30px'>no</button></a></div>",
    "<label data-id=%s><input type=checkbox aria-label=%s style='position:absolute;opacity:0;"
    "width:1px;height:1px'>tick</label>",
    "<label data-id=%s><input type=checkbox aria-label=%s style='position:absolute;opacity:0;"
    "width:1px;height:1px'><a data-id=wrong href=#y>terms and conditions</a> ok</label>",
    "<input type=checkbox data-id=%s aria-label=%s style='position:absolute;left:-9999px'>",
    "<input type=checkbox data-id=%s aria-label=%s style='position:absolute;width:1px;height:1px;"
    "clip-path:inset(50%%)'>",
    "<details open><summary data-id=%s>%s</summary>body</details>",
    "<div data-id=%s style='position:relative;width:60px;height:20px'><input aria-label=%s "
    "style='width:100%%;pointer-events:none'></div>",
    "<div data-id=%s style='position:relative;width:60px;height:20px'><input type=range aria-label=%s "
    "style='width:100%%'><span style='position:absolute;inset:0;background:gold'></span></div>",
    "<table><tr><td data-id=%s tabindex=0 onclick=1>%s</td></tr></table>",
    "<div style='transform:rotate(40deg);width:50px'><button data-id=%s>%s</button></div>",
    "<div style='zoom:1.7'><button data-id=%s>%s</button></div>",
)  # fmt: skip
COMPONENTS = (
    ("<a data-id=%s href=#x><slot></slot></a>", "%s"),
    ("<a data-id=%s href=#x><slot></slot></a>", "<b>%s</b>"),
    ("<button data-id=%s><slot name=a></slot></button>", "<span slot=a>%s</span>"),
    ("<div role=button tabindex=0 data-id=%s aria-label=%s><slot></slot></div>", "some text"),
    ("<p><b><a data-id=%s href=#x><i><slot>%s</slot></i></a></b></p>", ""),
)
AREAS = (
    "shape=rect coords=5,5,20,20", "shape=circle coords=70,40,9", "shape=default",
    "shape=poly coords=2,58,2,30,40,58",
)  # fmt: skip


def layouts(numbers: Numbers) -> str:
    """Make a document with one target of each layout."""

    def named(form: str, number: str) -> str:
        return form.replace("%s", number).replace("%%", "%")

    parts = [named(each, numbers()) for each in LAYOUTS]
    for (inside, content), mode in itertools.product(COMPONENTS, ("open", "closed")):
        number = numbers()
        parts.append(shadow(named(inside, number), named(content, number), mode))
    parts += [area(numbers(), shape) for shape in AREAS]
    cells = "".join(f"<div class=cell>{part}</div>" for part in parts)
    return (
        "<style>.cell { position: relative; float: left; width: 120px; height: 90px;"
        f"margin: 8px; overflow: hidden; font: 12px sans-serif }}</style>{cells}"
    )


async def test_every_click_in_frames_of_the_same_process_hits(agent: Agent) -> None:
    numbers = Numbers()
    page = spaced(frame(buttons(numbers), style) for style in STYLES)
    assert await misses(agent, page, numbers.given) == []


async def test_every_click_in_frames_of_other_processes_hits(agent: Agent) -> None:
    numbers = Numbers()
    parts = []
    for style in STYLES:
        address = agent.site.page(buttons(numbers), other=True)
        parts.append(f"<iframe src='{address}' style='width:180px;height:110px;{style}'></iframe>")
    assert await misses(agent, spaced(parts), numbers.given) == []


@pytest.mark.parametrize("seed", range(3))
async def test_every_click_in_nested_frames_hits(agent: Agent, seed: int) -> None:
    numbers, chance = Numbers(), random.Random(seed)
    mild = [each for each in STYLES if "scale(1.6)" not in each]
    parts = []
    for _ in range(8):
        inner = frame(buttons(numbers, tall=chance.random() < 0.5), chance.choice(mild))
        room = "<!doctype html><body style='margin:0;padding:60px 0 900px 60px'>"
        document = f"{room}{RECORDER}{inner}"
        if chance.random() < 0.4:
            address = agent.site.page(document, other=True)
            size = "width:330px;height:260px"
            parts.append(f"<iframe src='{address}' style='{size};{chance.choice(mild)}'></iframe>")
        else:
            parts.append(frame(document, chance.choice(mild), "width:330px;height:260px"))
    page = "".join(f"<div style='padding:120px;height:300px'>{part}</div>" for part in parts)
    assert await misses(agent, page, numbers.given) == []


async def test_every_click_in_a_frame_inside_of_what_scrolls_hits(agent: Agent) -> None:
    numbers = Numbers()
    inner = frame(
        buttons(numbers, tall=True), "margin:900px 0 900px 700px", "width:300px;height:800px"
    )
    page = f"<div style='height:1500px'></div><div style='overflow:auto;width:400px;height:200px'>{inner}</div>"
    assert await misses(agent, page, numbers.given) == []


@pytest.mark.parametrize(
    "style", [None, "", "transform:rotate(15deg) scale(.7)", "zoom:1.25;padding:20px"]
)
async def test_every_click_on_an_odd_layout_hits(agent: Agent, style: str | None) -> None:
    numbers = Numbers()
    page = layouts(numbers)
    if style is not None:
        inside = f"<!doctype html><body>{RECORDER}{page}"
        page = (
            f"<div style='padding:150px'>{frame(inside, style, 'width:600px;height:400px')}</div>"
        )
    assert await misses(agent, page, numbers.given) == []
