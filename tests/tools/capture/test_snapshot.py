from __future__ import annotations

import asyncio
import gc
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from tests.agent import Agent
from tests.clock import AT_ONCE


async def test_uids_of_an_older_snapshot_are_stale(agent: Agent) -> None:
    await agent.open("<button>Go</button>")
    old = agent.uid("button")
    await agent("take_snapshot")
    code, text = await agent.fails("click", uid=old)
    assert code == "stale_uid"
    assert "take_snapshot" in text


async def test_uids_of_a_left_document_are_stale(agent: Agent) -> None:
    await agent.open("<button>Go</button>")
    await agent("navigate_page", url=agent.site.page("<button>Other</button>"))
    assert (await agent.fails("click", uid=agent.uid("button")))[0] == "stale_uid"


@pytest.mark.parametrize("uid", ["", "5", "a1", "u:a:1", "A1_1", "a1_1x", "a99_1"])
async def test_what_is_no_uid_is_refused(agent: Agent, uid: str) -> None:
    await agent.open("<button>Go</button>")
    name = agent.session.name
    code, _ = await agent.fails("click", uid=uid.replace("a", name))
    assert code == "unknown_uid"


async def test_both_spellings_of_a_uid_are_accepted(agent: Agent) -> None:
    await agent.open("<button onclick='document.title += 1'>Go</button>")
    short = agent.uid("button")
    name = agent.session.name
    epoch, number = short.removeprefix(name).split("_")
    await agent("click", uid=short)
    await agent("click", uid=f"u:{name}:{epoch}:{number}")
    assert await agent.value("document.title") == '"11"'


async def test_frames_stand_below_their_elements_with_uids_of_their_own(agent: Agent) -> None:
    deepest = agent.site.page("<button>Deepest</button>")
    far = agent.site.page(f"<button>Far</button><iframe src='{deepest}'></iframe>", other=True)
    near = agent.site.page("<button>Near</button>")
    text = await agent.open(
        f"<iframe src='{near}' title=First></iframe><button>Between</button><iframe src='{far}'></iframe>"
    )
    names = ["First", "Near", "Between", "Far", "Deepest"]
    assert sorted(names, key=text.index) == names
    uids = [agent.uid(f'button "{n}"') for n in ("Near", "Between", "Far", "Deepest")]
    assert len(set(uids)) == 4
    depth = {n: text.split(f'button "{n}"')[0].split("\n")[-1].index("uid") for n in names[1:]}
    assert depth["Deepest"] > depth["Far"] > depth["Between"] < depth["Near"]


async def test_snapshot_of_an_element_keeps_the_other_uids(agent: Agent) -> None:
    await agent.open(
        "<nav><a href='#x'>Link</a></nav><main><button onclick='document.title = 1'>Go</button></main>"
    )
    button = agent.uid("button")
    text = await agent("take_snapshot", uid=agent.uid("navigation"))
    assert "Link" in text
    assert "Go" not in text
    await agent("click", uid=button)
    assert await agent.value("document.title") == '"1"'


async def test_closed_shadow_root_is_seen_and_can_be_used(agent: Agent) -> None:
    text = await agent.open(
        "<my-box></my-box><script>const root = document.querySelector('my-box')"
        ".attachShadow({mode: 'closed'}); root.innerHTML = '<button>Hidden away</button>';"
        "root.firstChild.onclick = () => document.title = 'hit'</script>"
    )
    assert 'button "Hidden away"' in text
    await agent("click", uid=agent.uid('button "Hidden away"'))
    assert await agent.value("document.title") == '"hit"'


async def test_budget_leaves_out_what_matters_least_and_says_what(agent: Agent) -> None:
    said = "that says a little more than its number"
    html = "".join(f"<p>Text {n} {said}</p><button>Button {n}</button>" for n in range(50))
    await agent.open(html)
    text = await agent("take_snapshot", budget=2600)
    assert len(text) < 2650
    assert 'button "Button 49"' in text
    assert "Left out: 50 texts." in text.split("\n")[-1]
    assert "Left out: 50 texts, 4" in await agent("take_snapshot", budget=500)


async def test_a_page_beyond_the_limit_of_replies_keeps_its_controls(
    agent: Agent, tmp_path: Path
) -> None:
    words = "Lorem ipsum dolor sit amet " * 20
    html = "".join(
        f"<section><h2>Part {n}</h2><p>{words}</p><a href='/part/{n}?long=address'>Part {n}</a>"
        f"<button>Buy {n}</button><input aria-label='Count {n}'></section>"
        for n in range(100)
    )
    await agent.open(html)
    text = await agent("take_snapshot")
    assert len(text) <= 20_000
    assert "Cut to" not in text
    for n in range(100):
        assert f'button "Buy {n}"' in text
        assert f'link "Part {n}"' in text
    assert "texts" in text
    await agent("take_snapshot", filePath=str(tmp_path / "page"))
    assert words.strip() in (tmp_path / "page.txt").read_text()


async def test_snapshot_can_be_a_file(agent: Agent, tmp_path: Path) -> None:
    await agent.open("<button>Go</button>")
    await agent("take_snapshot", filePath=str(tmp_path / "page"))
    assert 'button "Go"' in (tmp_path / "page.txt").read_text()


async def test_passwords_are_never_shown(agent: Agent) -> None:
    text = await agent.open("<input type=password value=hunter2 aria-label=Password>")
    assert "hunter2" not in text
    assert "Password" in text


async def test_frame_that_does_not_answer_is_said_to_be_missing(agent: Agent) -> None:
    busy = agent.site.page("<script>setTimeout(() => { while (true); }, 300)</script>", other=True)
    await agent.open(f"<h1>Top</h1><iframe src='{busy}'></iframe>")
    page = next(iter(agent.session.pages.values())).attached_page
    page.timings = replace(page.timings, frame_snapshot=0.3)
    async with asyncio.timeout(AT_ONCE):
        while "left out" not in (text := await agent("take_snapshot")):
            pass
    assert "(One frame has not answered in time and is left out.)" in text
    assert 'heading "Top"' in text


async def test_snapshot_that_is_given_up_leaves_nothing_in_the_log(
    agent: Agent, caplog: pytest.LogCaptureFixture
) -> None:
    await agent.open("<title>Busy</title>")
    await agent("evaluate_script", function="() => { setTimeout(() => { for (;;); }, 1000) }")
    with suppress(TimeoutError):
        async with asyncio.timeout(4):
            while True:
                await agent("take_snapshot")
    await agent.reply("navigate_page", url="about:blank")
    gc.collect()
    assert "never retrieved" not in caplog.text


LISTENERS = """<div id=plain>Plain</div><ul id=list><li>Item one<li>Item two</ul>
    <div class=menu><a class=item id=tab>Tab</a><a>No tab</a></div><div id=hover>Hover</div>
    <div id=root><p>In a root</p><div id=far></div></div><script>
    const does = (id, ...types) => {
      for (const type of types) document.getElementById(id).addEventListener(type, () => document.title += id);
    };
    does("plain", "click"); does("tab", "mousedown"); does("hover", "mouseover");
    list.lastChild.addEventListener("pointerdown", () => {});
    does("root", ..."click keydown keyup input change focusin focusout drag drop wheel scroll copy paste".split(" "));
    document.addEventListener("click", () => {}); document.body.onclick = () => {};
    </script>"""


async def test_what_only_listens_has_a_uid(agent: Agent) -> None:
    text = await agent.open(LISTENERS)
    assert 'clickable "Plain"' in text
    assert 'link "Tab"' in text
    assert '\n  listitem "Item one"' in text
    assert re.search(r'\n  uid=\S+ listitem "Item two"', text)
    assert '\n "No tab"\n "Hover"\n "In a root"' in text
    await agent("click", uid=agent.uid('clickable "Plain"'))
    assert "plain" in await agent.value("document.title")


async def test_listeners_that_come_later_are_noticed(agent: Agent) -> None:
    await agent.open("<div id=late>Late</div><iframe srcdoc='<p id=p>In a frame</p>'></iframe>")
    await agent(
        "evaluate_script",
        function="""() => { late.addEventListener('click', () => {});
            frames[0].document.getElementById('p').addEventListener('click', () => {}); }""",
    )
    async with asyncio.timeout(AT_ONCE):
        text = ""
        while not ('clickable "Late"' in text and 'clickable "In a frame"' in text):
            text = await agent("take_snapshot")


COMPONENTS = """<style>x-switch { display: inline-block; width: 40px; height: 20px }</style>
    <label>Wifi <x-switch></x-switch></label>
    <x-button>Press me</x-button><x-plain>Just text</x-plain>
    <label>Street <x-field></x-field></label><script>
    customElements.define("x-switch", class extends HTMLElement {
      static formAssociated = true;
      #internals = this.attachInternals();
      connectedCallback() {
        this.tabIndex = 0;
        this.#internals.role = "switch";
        this.#internals.ariaChecked = "false";
        this.onclick = () => {
          this.#internals.ariaChecked = this.#internals.ariaChecked === "true" ? "false" : "true";
          this.toggleAttribute("on");
        };
      }
    });
    customElements.define("x-button", class extends HTMLElement {
      #internals = this.attachInternals();
      connectedCallback() { this.#internals.role = "button"; this.tabIndex = 0; }
    });
    customElements.define("x-field", class extends HTMLElement {
      static formAssociated = true;
      #internals = this.attachInternals();
      constructor() { super(); this.attachShadow({mode: "open"}).innerHTML = "<input>"; }
    });
    </script>"""


async def test_components_are_what_they_say_of_themselves(agent: Agent) -> None:
    text = await agent.open(COMPONENTS)
    assert 'switch "Wifi"' in text
    assert text.count("Wifi") == 1
    assert 'button "Press me"' in text
    assert '"Just text"' in text
    assert 'textbox "Street"' in text
    changes = await agent("click", uid=agent.uid('switch "Wifi"'))
    assert 'switch "Wifi" checked' in changes


NESTED = """<x-a></x-a><script>
  let depth = 0;
  customElements.define("x-a", class extends HTMLElement {
    constructor() {
      super();
      const root = this.attachShadow({mode: "closed"});
      depth += 1;
      root.innerHTML = depth < DEPTH ? `<x-a></x-a>` : "<button>Deep</button>";
    }
  })</script>"""


async def test_closed_components_within_closed_ones_are_in_the_first_snapshot(agent: Agent) -> None:
    assert 'button "Deep"' in await agent.open(NESTED.replace("DEPTH", "3"))


async def test_components_that_are_not_looked_into_are_mentioned(agent: Agent) -> None:
    text = await agent.open(NESTED.replace("DEPTH", "8"))
    assert ("Deep" in text, "Not all closed components" in text) == (False, True)
    assert 'button "Deep"' in await agent("take_snapshot")


async def test_components_that_are_defined_later_say_what_they_are(agent: Agent) -> None:
    await agent.open("<x-switch></x-switch><x-shut></x-shut>")
    await agent.value("""customElements.define("x-shut", class extends HTMLElement {
      constructor() {
        super();
        this.attachShadow({mode: "closed"}).innerHTML = "<button>Inside</button>";
      }
    }) ?? customElements.define("x-switch", class extends HTMLElement {
      internals = this.attachInternals();
      connectedCallback() { this.internals.role = "switch"; this.internals.ariaLabel = "Wifi"; }
    })""")
    text = await agent("take_snapshot")
    assert 'switch "Wifi"' in text
    assert 'button "Inside"' in text


async def test_every_one_of_many_components_is_asked_what_it_is(agent: Agent) -> None:
    text = await agent.open(
        "<x-switch></x-switch>" * 450
        + """<script>
      customElements.define("x-switch", class extends HTMLElement {
        internals = this.attachInternals();
        connectedCallback() { this.internals.role = "switch"; this.tabIndex = 0; }
      })</script>"""
    )
    assert text.count(" switch") == 450


FLOATS = """<div onclick="document.title = 'deleted'"STYLE>
  <i style="float:left;width:16px;height:16px;background:red"></i></div>"""


async def test_what_only_holds_a_floating_picture_can_be_clicked(agent: Agent) -> None:
    await agent.open(FLOATS.replace("STYLE", ""))
    await agent("click", uid=agent.uid("clickable"))
    assert await agent.value("document.title") == '"deleted"'


async def test_what_clips_all_that_it_holds_is_not_shown(agent: Agent) -> None:
    assert "clickable" not in await agent.open(
        FLOATS.replace("STYLE", " style='overflow:hidden;height:0'")
    )
