from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tabmux.cdp.channel import Channel, Params
from tests.agent import Agent

ADDS = "<button onclick=\"document.body.append('more')\">Add</button>"
LATE = "<button onclick=\"setTimeout(() => document.body.append('more'), 30)\">Add</button>"
IDLE = "<button>Add</button>"
MOUSE = ["Input.dispatchMouseEvent"] * 3
EVALUATE = ["Runtime.evaluate"]
# Where the press landed is asked in the flight of the press itself.
CALL = ["Runtime.callFunctionOn"]


@contextmanager
def round_trips(
    channel: Channel, monkeypatch: pytest.MonkeyPatch, beside: str = ""
) -> Iterator[list[list[str]]]:
    """Group commands by the round trip they travel in: those made while none is under way.

    Nobody waits for the one that goes `beside` them.
    """
    trips: list[list[str]] = []
    call, pending = channel.call, set[asyncio.Future[Params]]()

    def counted(method: str, *args: Any, **options: Any) -> asyncio.Future[Params]:
        if method == beside:
            return call(method, *args, **options)
        if not pending:
            trips.append([])
        trips[-1].append(method)
        future = call(method, *args, **options)
        pending.add(future)
        future.add_done_callback(pending.discard)
        return future

    with monkeypatch.context() as patch:
        patch.setattr(channel, "call", counted)
        yield trips


@pytest.mark.parametrize(
    ("html", "change", "more"),
    [(ADDS, '+ "more"', []), (LATE, '+ "more"', [EVALUATE, CALL]), (IDLE, "focused", [EVALUATE])],
)
async def test_click_and_its_diff_take_three_round_trips_and_more_without_an_effect(
    agent: Agent, monkeypatch: pytest.MonkeyPatch, html: str, change: str, more: list[list[str]]
) -> None:
    await agent.open(html)
    (page,) = agent.session.pages.values()
    with round_trips(page.attached_page.channel, monkeypatch) as trips:
        text = await agent("click", uid=agent.uid("button"))
    assert change in text
    assert trips == [CALL, CALL + MOUSE, CALL, *more]


async def test_click_that_fetches_waits_for_the_answer_and_shows_it(agent: Agent) -> None:
    fetching = "fetch('/').then((answer) => document.body.append(`status ${answer.status}`))"
    await agent.open(f'<button onclick="{fetching}">Load</button>')
    assert '+ "status ' in await agent("click", uid=agent.uid("button"))


async def test_click_that_adds_a_frame_shows_what_is_in_it(agent: Agent) -> None:
    frame = "Object.assign(document.createElement('iframe'), {srcdoc: '<p>inside</p>'})"
    await agent.open(f'<button onclick="document.body.append({frame})">Embed</button>')
    assert "inside" in await agent("click", uid=agent.uid("button"))


DELETE = "<button id=d onclick='document.title = `deleted`'>Delete all</button>"
TRAPS = {
    "by style": "<style>#d { display: none; position: absolute; inset: 0; width: 100% }"
    "div:hover #d { display: block }</style>",
    "by script": "<style>#d { display: none; position: absolute; inset: 0; width: 100% }</style>"
    "<script>onmouseover = () => { d.style.display = 'block' }</script>",
}


@pytest.mark.parametrize("trap", TRAPS)
@pytest.mark.parametrize("double", [False, True])
async def test_what_a_hover_brings_up_over_the_target_is_not_pressed(
    agent: Agent, trap: str, double: bool
) -> None:
    await agent.open(
        "<div style='position:relative;width:90px;height:30px'>"
        f"<button style='width:90px;height:30px'>Open</button>{DELETE}</div>{TRAPS[trap]}"
        "<script>for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click', 'dblclick'])"
        "addEventListener(type, () => { document.title = type }, true)</script>"
    )
    code, text = await agent.fails("click", uid=agent.uid('button "Open"'), dblClick=double)
    assert code == "element_covered"
    assert '"Delete all"' in text
    assert await agent.value("document.title") == '""'
    assert await agent.value("document.activeElement === document.body") == "true"
    # Whoever presses it knowingly gets it.
    await agent("take_snapshot")
    await agent("click", uid=agent.uid('button "Delete all"'))
    assert await agent.value("document.title") == '"deleted"'


async def test_a_small_target_in_a_frame_says_what_covers_the_frame(agent: Agent) -> None:
    inner = "<button style=width:5px;height:5px;padding:0 aria-label=Tiny></button>"
    await agent.open(
        f"<iframe srcdoc='{inner}'></iframe>"
        "<div role=alert aria-label=Wall style='position:fixed;inset:0'></div>"
    )
    code, text = await agent.fails("click", uid=agent.uid('button "Tiny"'))
    assert (code, 'alert "Wall"' in text) == ("element_covered", True)


async def test_a_hover_that_covers_a_part_is_clicked_beside_it(agent: Agent) -> None:
    await agent.open(
        "<style>#d { display: none; position: absolute; left: 60px; top: 0 }"
        "div:hover #d { display: block }</style>"
        "<div style='position:relative;width:200px;height:30px'>"
        "<button style='width:200px;height:30px' onclick='document.title = `opened`'>Open</button>"
        f"{DELETE}</div>"
    )
    assert "Clicked the element." in await agent("click", uid=agent.uid('button "Open"'))
    assert await agent.value("document.title") == '"opened"'


async def test_a_button_that_comes_up_inside_of_a_card_is_not_pressed_for_it(agent: Agent) -> None:
    await agent.open(
        "<style>#d { display: none; position: absolute; left: 60px; top: 5px; width: 80px }"
        "a:hover #d { display: block }</style>"
        "<a href=#card style='position:absolute;width:200px;height:40px' aria-label=Card>"
        f"{DELETE}</a>"
    )
    await agent("click", uid=agent.uid('link "Card"'))
    assert await agent.value("[document.title, location.hash].join()") == '",#card"'


async def test_a_press_that_another_frame_caught_is_not_called_a_click(agent: Agent) -> None:
    await agent.open(
        "<style>iframe { display: none; position: absolute; left: 0; top: 0 }"
        "div:hover iframe { display: block }</style>"
        "<div style='position:relative'><button>Open</button>"
        "<iframe srcdoc='<body onclick=1>ad'></iframe></div>"
    )
    code, text = await agent.fails("click", uid=agent.uid("button"))
    assert code == "element_covered"
    assert "frame" in text


COVERED = (
    "<iframe srcdoc='<button>In</button>' style='position:absolute;left:0;top:0'></iframe>"
    "<div role=alert aria-label=Wall style='position:fixed;inset:0'></div>"
)


async def test_a_refused_press_holds_no_other_one_back(whole: Agent) -> None:
    await whole.open(COVERED)
    assert (await whole.fails("click", uid=whole.uid('button "In"')))[0] == "element_covered"
    await whole.value(
        "document.querySelector('[role=alert]').remove(),"
        "frames[0].onclick = () => { document.title = 'pressed' }"
    )
    # Beside the button, which alone was aimed at.
    await whole("click_at", x=150, y=100)
    assert await whole.value("document.title") == '"pressed"'


@pytest.mark.parametrize("tool", ["hover", "click"])
async def test_what_was_done_in_a_frame_holds_no_later_press_back(whole: Agent, tool: str) -> None:
    await whole.open(COVERED.partition("<div")[0])
    await whole(tool, uid=whole.uid('button "In"'))
    await whole.value(
        "document.body.insertAdjacentHTML('beforeend', '<div style=\"position:fixed;inset:0\">'),"
        "document.body.lastChild.onclick = () => { document.title = 'pressed' }"
    )
    middle = await whole.value(
        "(() => { const box = frames[0].document.querySelector('button').getBoundingClientRect();"
        "const by = document.querySelector('iframe').clientLeft;"
        "return [box.x + box.width / 2 + by, box.y + box.height / 2 + by].join() })()"
    )
    x, y = map(float, middle.strip('"').split(","))
    await whole("click_at", x=x, y=y)
    assert await whole.value("document.title") == '"pressed"'


async def test_drag_does_not_take_what_a_hover_brings_up(agent: Agent) -> None:
    await agent.open(
        "<div style='position:relative;width:90px;height:30px'>"
        f"<button style='width:90px;height:30px'>Card</button>{DELETE}</div>{TRAPS['by style']}"
        "<button>Zone</button><script>onmousedown = () => { document.title = 'pressed' }</script>"
    )
    source, target = agent.uid('button "Card"'), agent.uid('button "Zone"')
    assert (await agent.fails("drag", from_uid=source, to_uid=target))[0] == "element_covered"
    assert await agent.value("document.title") == '""'


def uid_of_t(agent: Agent) -> str:
    found = re.search(r'uid=(\S+) \w+ "T"', agent.seen)
    assert found
    return found[1]


@pytest.mark.parametrize(
    ("html", "remark", "proof"),
    [
        (
            "<input type=checkbox id=t aria-label=T style='position:absolute;left:-999px'>",
            "Space was pressed on it, since the mouse cannot reach it.",
            "t.checked",
        ),
        (
            "<a id=t href=#there style='position:absolute;left:-999px'>T</a>",
            "Enter was pressed on it, since the mouse cannot reach it.",
            "location.hash === '#there'",
        ),
        (
            "<textarea id=t aria-label=T style='position:absolute;left:-999px'></textarea>",
            "It has the focus; the mouse cannot reach it.",
            "document.activeElement === t",
        ),
        (
            "<div style='position:relative;width:99px' onclick='t.checked = true'>"
            "<input id=t type=checkbox aria-label=T><i style='position:absolute;inset:0'>x</i></div>",
            "lies over it and took the click.",
            "t.checked",
        ),
    ],
)
async def test_a_click_by_other_means_says_so(
    agent: Agent, html: str, remark: str, proof: str
) -> None:
    await agent.open(html)
    assert remark in await agent("click", uid=uid_of_t(agent))
    assert await agent.value(proof) == "true"


@pytest.mark.parametrize(
    "html",
    [
        "<button id=t>T</button><div style='position:fixed;inset:0'>Please wait</div>",
        "<div style='position:relative;width:99px'><button>T</button>"
        "<div style='position:absolute;inset:0'>Please wait</div></div>",
        "<div><input type=checkbox aria-label=T></div><div style='position:fixed;inset:0'>wait</div>",
        "<input type=checkbox aria-label=T style='position:absolute;width:1px;height:1px'>"
        "<div style='position:fixed;inset:0'>wait</div>",
        "<div style='height:0;overflow:hidden'><a href=#x>T</a></div><p>wait</p>",
        "<ul><li><a href=#x style='pointer-events:none'>T</a> wait</ul>",
    ],
)
async def test_what_is_kept_from_the_user_is_not_clicked_by_other_means(
    agent: Agent, html: str
) -> None:
    await agent.open(f"{html}<script>onclick = onfocusin = () => {{ document.title = 1 }}</script>")
    assert (await agent.fails("click", uid=uid_of_t(agent)))[0].startswith("element_")
    assert await agent.value("document.title") == '""'


@pytest.mark.parametrize(
    ("head", "foot"),
    [("top:0;height:55%", "bottom:0;height:10%"), ("top:0;height:10%", "bottom:0;height:55%")],
)
async def test_what_stays_over_a_part_of_the_page_is_scrolled_around(
    agent: Agent, head: str, foot: str
) -> None:
    bars = "".join(
        f"<div style='position:fixed;left:0;right:0;{each}'>bar</div>" for each in (head, foot)
    )
    await agent.open(
        "<p style='height:1500px'>above</p><button onclick=\"out.textContent = 'hit'\">T</button>"
        f"<p id=out></p><p style='height:1500px'>below</p>{bars}"
    )
    assert '"hit"' in await agent("click", uid='button "T"')


async def test_what_is_drawn_anew_under_the_mouse_is_clicked(agent: Agent) -> None:
    await agent.open("""<div id=place></div><p id=out></p><script>
      function draw(isOver) {
        place.innerHTML = `<button class="${isOver ? "over" : ""}">Buy</button>`;
        place.firstChild.onmouseenter = () => isOver || draw(true);
        place.firstChild.onclick = () => { out.textContent = "bought" };
      }
      draw(false)</script>""")
    assert "bought" in await agent("click", uid='button "Buy"')


async def test_the_same_button_of_another_row_is_not_clicked(agent: Agent) -> None:
    await agent.open("""<ul id=list></ul><p id=out></p><script>
      function draw(names) {
        list.innerHTML = names.map((name) => `<li><button>Delete</button> ${name}`).join("");
        for (const row of list.children) {
          row.firstChild.onclick = () => { out.textContent = "deleted " + row.innerText };
        }
      }
      draw(["Ann", "Bob"]);
      list.onmouseenter = () => draw(["Bob"]);</script>""")
    code, _ = await agent.fails("click", uid="css=li:first-child button")
    assert code == "stale_uid"
    assert await agent.value("out.textContent") == '""'


ROW = """<style>button { opacity: 0; pointer-events: none }
  div:hover button.shy { opacity: 1; pointer-events: auto }</style>
  <div onclick="out.textContent += ' row'" style="padding:20px">Mail
  <button class=KIND onclick="out.textContent += ' button'">Snooze</button></div><p id=out></p>"""


async def test_what_takes_the_mouse_only_under_it_is_clicked(agent: Agent) -> None:
    await agent.open(ROW.replace("KIND", "shy"))
    await agent("click", uid="css=button")
    assert await agent.value("out.textContent") == '" button row"'


async def test_what_never_takes_the_mouse_is_not_clicked_nor_is_what_it_stands_in(
    agent: Agent,
) -> None:
    await agent.open(ROW.replace("KIND", "off"))
    assert (await agent.fails("click", uid="css=button"))[0] == "element_covered"
    assert await agent.value("out.textContent") == '""'


FILLED = (
    "<div role=button tabindex=0 aria-label=Card style='padding:4px'"
    " onclick='document.title += ` card`'>"
    "<button style='width:100%;height:40px'"
    " onclick='event.stopPropagation(); document.title += ` deleted`'>Delete</button></div>"
)


async def test_what_another_control_nearly_fills_is_clicked_beside_it(agent: Agent) -> None:
    await agent.open(FILLED)
    assert "took the click" not in await agent("click", uid=agent.uid('button "Card"'))
    assert await agent.value("document.title") == '"card"'


async def test_a_control_inside_that_took_the_click_is_named(agent: Agent) -> None:
    await agent.open(FILLED.replace("4px", "0"))
    text = await agent("click", uid=agent.uid('button "Card"'))
    assert 'button "Delete" inside of it took the click.' in text


ITEM = "onclick='event.stopPropagation(); document.title = this.firstChild.data'"
NESTED = {
    "tree item": f"""<ul role=tree><li role=treeitem aria-expanded=true {ITEM}>Fruits<ul role=group>
      {f"<li role=treeitem {ITEM}>Apple</li>" * 3}</ul></li></ul>""",
    "tall tree item": f"""<ul role=tree><li role=treeitem aria-expanded=true {ITEM}>Fruits
      <ul role=group style="margin:0;padding:0">
      {f"<li role=treeitem {ITEM}>Apple</li>" * 99}</ul></li></ul>""",
    "menu item": f"""<div role=menu><div role=menuitem tabindex=0 {ITEM}>Fruits<div role=menu>
      {f"<div role=menuitem {ITEM}>Apple</div>" * 3}</div></div></div>""",
    "listener": f"""<div {ITEM}>Fruits<div {ITEM}>Apple</div><div {ITEM}>Pear</div></div>""",
    "focusable": f"""<div tabindex=0 {ITEM}>Fruits<div tabindex=0 {ITEM} style=height:60px>Apple</div></div>""",
    "field": f"""<div role=menuitem tabindex=0 {ITEM}>Fruits<input style="width:100%;height:80px"
      onclick="event.stopPropagation()"></div>""",
    "list": f"""<div role=treeitem tabindex=0 {ITEM}>Fruits<select style="width:100%;height:80px"
      onclick="event.stopPropagation()"></select></div>""",
}


@pytest.mark.parametrize("kind", NESTED)
async def test_what_holds_others_of_its_kind_is_clicked_itself(agent: Agent, kind: str) -> None:
    await agent.open(NESTED[kind])
    await agent("click", uid="css=[onclick]:has(*)")
    assert "Fruits" in await agent.value("document.title")


async def test_what_listens_inside_of_a_button_is_a_part_of_it(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    await agent.open("<button><span onclick=\"document.body.append('more')\">Add</span></button>")
    (page,) = agent.session.pages.values()
    with round_trips(page.attached_page.channel, monkeypatch) as trips:
        assert '+ "more"' in await agent("click", uid=agent.uid("button"))
    assert trips == [CALL, CALL + MOUSE, CALL]


WRITTEN = """<iframe id=f></iframe><script>
  const inside = f.contentDocument;
  inside.open();
  inside.write("<input aria-label=Name><button>Send</button>");
  inside.close();
  inside.querySelector("button").onclick = () => { document.title += "sent" };
</script>"""


async def test_a_press_in_a_document_that_was_written_anew_is_seen_to_land(agent: Agent) -> None:
    await agent.open(WRITTEN)
    # By now the library has been in the document that is written anew.
    await agent.value(
        "document.title = '', inside.open(), inside.write("
        "'<button onclick=\\'top.document.title += `sent`\\'>Send</button>'), inside.close()"
    )
    await agent("take_snapshot")
    assert "Clicked the element." in await agent("click", uid=agent.uid('button "Send"'))
    assert await agent.value("document.title") == '"sent"'
