"""The page as text, and what its uids mean."""

from __future__ import annotations

import re
from pathlib import Path

from tests.differential.behaviour import Facts, behaviour
from tests.differential.side import Side

CONTROLS = """<title>Controls</title><main>
<h1>Heading</h1>
<label>Name <input required value=Bob></label>
<label>Secret <input type=password value=hunter2></label>
<label>Age <input type=number min=0 max=9 value=3></label>
<label><input type=checkbox checked> Agree</label>
<label><input type=radio name=r> Red</label>
<label>Colour <select><option>Red<option selected>Blue</select></label>
<label>Notes <textarea>note</textarea></label>
<label>Volume <input type=range min=0 max=10 value=7></label>
<label>Find <input type=search></label>
<button disabled>Off</button><button aria-expanded=true>More</button>
<a href="#x">Away</a><div role=switch aria-checked=true aria-label=Light tabindex=0></div>
</main>"""


def named(text: str) -> set[str]:
    """Role and name of every line that has both."""
    return set(re.findall(r'uid=\S+ (\w+ "[^"\n]+")', text))


def words(text: str, line: str) -> set[str]:
    """The words and values after role and name."""
    found = re.search(rf"uid=\S+ {re.escape(line)}(.*)", text)
    assert found, text
    return set(found[1].replace('="', "=").replace('"', "").split())


@behaviour(30)
async def controls_have_role_and_name(side: Side) -> Facts:
    text = await side.open(CONTROLS)
    return {
        "controls": sorted(
            each
            for each in named(text)
            if not each.startswith(("RootWebArea", "option", "text", "StaticText"))
            or each.startswith("textbox")
        ),
        "options": sorted(each for each in named(text) if each.startswith("option")),
    }


@behaviour(30)
async def controls_have_their_state(side: Side) -> Facts:
    text = await side.open(CONTROLS)
    wanted = {
        'textbox "Name"': {"required", "value=Bob"},
        'spinbutton "Age"': {"value=3"},
        'checkbox "Agree"': {"checked"},
        'radio "Red"': {"checked"},
        'combobox "Colour"': {"value=Blue"},
        'textbox "Notes"': {"value=note"},
        'slider "Volume"': {"value=7"},
        'button "Off"': {"disabled"},
        'button "More"': {"expanded"},
        'switch "Light"': {"checked"},
        'option "Blue"': {"selected"},
        'heading "Heading"': {"level=1"},
    }
    return {line: sorted(words(text, line) & some) for line, some in wanted.items()}


@behaviour(31, words="lean-snapshots")
async def what_a_control_could_do_goes_without_saying(side: Side) -> Facts:
    text = await side.open(CONTROLS)
    return {"words": words(text, 'button "Off"'), "root": "RootWebArea" in text}


@behaviour(32)
async def text_that_is_a_name_is_not_repeated(side: Side) -> Facts:
    text = await side.open("<title>t</title><button>Only once</button><h2>Just once</h2>")
    return {"button": text.count("Only once"), "heading": text.count("Just once")}


@behaviour(33, structure="lists-and-tables")
async def lists_and_tables_keep_their_texts(side: Side) -> Facts:
    text = await side.open(
        "<ul><li>First item<li>Second item</ul>"
        "<table><tr><th>Head<td>Cell</table><p>A paragraph</p>"
    )
    texts = ("First item", "Second item", "Head", "Cell", "A paragraph")
    return {
        "texts": [each in text for each in texts],
        "structure": bool(re.search(r"listitem|\brow\b|\bcell\b", text)),
    }


@behaviour(34)
async def frames_and_shadows_are_part_of_the_page(side: Side) -> Facts:
    inner = side.site.page("<button>Same site</button>")
    other = side.site.page("<button>Other site</button>", other=True)
    await side.open(
        f"<title>Frames</title><iframe src='{inner}'></iframe><iframe src='{other}'></iframe>"
        "<div id=open></div><div id=closed></div><script>"
        "for (const mode of ['open', 'closed'])"
        " document.getElementById(mode).attachShadow({mode}).innerHTML = `<button>Shadow ${mode}</button>`;"
        "</script>"
    )
    waited = await side.call("wait_for", text=["Other site"])
    text = (await side.call("take_snapshot")).text
    names = ("Same site", "Other site", "Shadow open", "Shadow closed")
    return {
        "found": [f'button "{each}"' in text for each in names],
        "waited": waited.failed,
        "clicked": (await side.act("click", 'button "Other site"')).failed,
    }


@behaviour(35, old="snapshots-have-epochs")
async def an_element_that_comes_later_gets_a_uid_of_its_own(side: Side) -> Facts:
    await side.open("<title>t</title><button id=a onclick='document.title=1'>Old</button>")
    before = side.uid('button "Old"')
    await side.value(
        "document.body.prepend(Object.assign(document.createElement('button'), {innerText: 'New'}))"
    )
    await side.call("take_snapshot")
    distinct = side.uid('button "New"') != side.uid('button "Old"')
    old = await side.call("click", uid=before)
    new = await side.act("click", 'button "Old"')
    return {"distinct": distinct, "old": old.failed, "new": new.failed}


@behaviour(35)
async def an_element_that_went_is_forgotten(side: Side) -> Facts:
    await side.open("<button>Goes</button><button>Stays</button>")
    uid = side.uid('button "Goes"')
    await side.value("document.querySelector('button').remove()")
    text = (await side.call("take_snapshot")).text
    return {"shown": "Goes" in text, "failed": (await side.call("click", uid=uid)).failed}


@behaviour(36)
async def uids_survive_a_step_inside_the_document(side: Side) -> Facts:
    await side.open("<title>t</title><button onclick='document.title=2'>Go</button>")
    uid = side.uid('button "Go"')
    await side.value("history.pushState({}, '', '#step')")
    pushed = await side.call("click", uid=uid)
    await side.call("navigate_page", type="reload")
    reloaded = await side.call("click", uid=uid)
    return {"pushed": pushed.failed, "reloaded": reloaded.failed}


@behaviour(37)
async def verbose_shows_more(side: Side) -> Facts:
    await side.open("<title>t</title><div><p>One <b>two</b></p><ul><li>Three</ul></div>")
    short = (await side.call("take_snapshot")).text
    long = (await side.call("take_snapshot", verbose=True)).text
    return {"more": len(long.splitlines()) > len(short.splitlines())}


@behaviour(38)
async def passwords_are_not_shown(side: Side) -> Facts:
    text = await side.open(CONTROLS)
    return {"shown": "hunter2" in text, "there": 'textbox "Secret"' in text}


@behaviour(39)
async def the_focus_is_marked(side: Side) -> Facts:
    await side.open("<input aria-label=One><input aria-label=Two autofocus>")
    await side.value("document.querySelectorAll('input')[1].focus()")
    text = (await side.call("take_snapshot")).text
    return {name: "focused" in words(text, f'textbox "{name}"') for name in ("One", "Two")}


@behaviour(40)
async def a_uid_of_another_page_is_refused(side: Side) -> Facts:
    await side.open("<button>Here</button>")
    uid = side.uid('button "Here"')
    url = side.site.page("<title>Elsewhere</title><p>Nothing")
    other = await side.new_page(url)
    await side.call("take_snapshot", pageId=other)
    answer = await side.call("click", pageId=other, uid=uid)
    await side.call("close_page", pageId=other)
    return {"failed": answer.failed}


@behaviour(41, name="file-endings")
async def a_snapshot_is_saved_as_text(side: Side) -> Facts:
    await side.open("<title>Saved</title><button>Kept</button>")
    answer = await side.call("take_snapshot", filePath=str(side.folder / "page.html"))
    (file,) = Path(side.folder).glob("page*.txt")
    return {
        "kept": 'button "Kept"' in file.read_text(),
        "inline": "Kept" in answer.text,
        "name": file.name,
        **answer.says(r"Saved snapshot to .*page.*\.txt"),
    }
