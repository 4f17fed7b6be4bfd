"""The walker behind snapshots, with Chrome's accessibility tree as its judge."""

from __future__ import annotations

import base64
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from tabmux.browsers.launched import LaunchOptions, running_chrome
from tabmux.cdp.cdp_connection import CdpConnection
from tabmux.cdp.channel import Channel
from tabmux.page.library import library
from tests.page.see.truth.judge import Comparison, Difference, World, judge

PAGES = sorted((Path(__file__).parent / "truth").glob("*.html"))
AGREEMENT = 0.99

# Why a difference is right, or cannot be helped; each of them occurs on the pages.
EXPLAINED: dict[str, Callable[[Difference], bool]] = {
    "What aria-activedescendant points to is marked as focused, besides the focus itself.": (
        lambda d: d.what == "focused" and d.role == "option"
    ),
    "The protocol leaves `required` out for this role; an agent wants to know.": (
        lambda d: d.what == "required" and d.role in ("checkbox", "radio", "Date", "combobox")
    ),
    "The protocol leaves `readonly` out for date fields; an agent wants to know.": (
        lambda d: d.what == "readonly" and d.role == "Date"
    ),
    "The protocol does not tell what is selected in a disabled list; it is still selected.": (
        lambda d: d.what == "selected" and d.tag == "option"
    ),
    "Glyphs of icon fonts (private use characters) are left out: they say nothing to a reader.": (
        lambda d: d.what == "name" and "\ue900" in d.chrome
    ),
    "Chrome loses a space at the start of generated text inside a name.": (
        lambda d: d.what == "name" and d.page == "css_content" and d.tag == "a"
    ),
    "ElementInternals cannot be read from outside the element's own class.": (
        lambda d: d.tag == "x-internals"
    ),
    "Clickable elements are shown though they have no role: that is their purpose.": (
        lambda d: d.what == "shown" and d.page == "clickables"
    ),
    "A plain element with tabindex=-1 takes the focus only from scripts: nothing to use.": (
        lambda d: d.what == "printed" and d.page == "clickables" and d.tag == "div"
    ),
    "Text inside something that is called otherwise is not repeated below it.": (
        lambda d: d.what == "text"
        and d.chrome in ("Written", "B", "Push", "kept", "inner", "Textoflabel")
    ),
    "Chrome reads variables of formulas in mathematical letters, and annotations apart.": (
        lambda d: d.what == "text" and d.page == "math_and_ruby"
    ),
    "Chrome calls an empty <object> disabled.": (
        lambda d: d.what == "disabled" and d.tag == "object"
    ),
    "A description that only repeats the name is left out.": (
        lambda d: d.what == "description" and d.ours == "" and d.chrome == d.name
    ),
}  # fmt: skip


class Tab:
    """A tab whose pages are given as HTML, with the walker in an isolated world."""

    def __init__(self, channel: Channel, frame: str) -> None:
        self._channel, self._frame = channel, frame

    async def open(self, html: str) -> World:
        # A new document each time: custom elements can be defined only once in one.
        await self._channel.call("Page.navigate", {"url": "about:blank"})
        content = {"frameId": self._frame, "html": html}
        await self._channel.call("Page.setDocumentContent", content)
        asked = {"frameId": self._frame, "worldName": "tabmux"}
        context = (await self._channel.call("Page.createIsolatedWorld", asked))[
            "executionContextId"
        ]
        world = World(self._channel, context)
        await world.evaluate(library())
        return world

    async def serve_styles(self, text: str) -> None:
        """Answer every request of the page with a style sheet, as from another origin."""
        answer = {"responseCode": 200, "body": base64.b64encode(text.encode()).decode()}
        headers = [{"name": "Content-Type", "value": "text/css"}]

        def fulfill(paused: dict[str, Any]) -> None:
            request = {"requestId": paused["requestId"], "responseHeaders": headers, **answer}
            self._channel.send("Fetch.fulfillRequest", request)
            self._channel.send("Fetch.disable")
            stop()

        stop = self._channel.on("Fetch.requestPaused", fulfill)
        await self._channel.call("Fetch.enable")


async def take(world: World, **options: Any) -> dict[str, Any]:
    asked = {"prefix": "a1_", "epoch": 1, "verbose": False, "root": 0, "depth": 0, **options}
    shot: dict[str, Any] = await world.call("(options) => tabmux.snapshot(options)", asked)
    # Each level is one space on the wire; two are easier on the reader of these tests.
    shot["text"] = re.sub(r"(?m)^ +", lambda found: found[0] * 2, shot["text"])
    return shot


async def lines(tab: Tab, html: str, **options: Any) -> list[str]:
    """The lines below that of the document, one level further left."""
    shot = await take(await tab.open(html), **options)
    assert shot["troubles"] == []
    return [line.removeprefix("  ") for line in shot["text"].split("\n")[1:]]


async def adopt_closed_roots(world: World, opaque: list[int]) -> int:
    found = 0
    for label in opaque:
        host = await world.call("tabmux.elementOf", label, by_value=False)
        node = (await world.channel.call("DOM.describeNode", {"objectId": host}))["node"]
        await world.call("tabmux.examined", label)
        for root in node.get("shadowRoots", ()):
            shadow = await world.resolve(root["backendNodeId"])
            await world.call("tabmux.adoptShadow", objects=[host, shadow])
            found += 1
    return found


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def tab(anyio_backend: str) -> AsyncIterator[Tab]:
    async with running_chrome(LaunchOptions(headless=True)) as transport:
        browser = CdpConnection(transport).browser
        target = (await browser.call("Target.createTarget", {"url": "about:blank"}))["targetId"]
        asked = {"targetId": target, "flatten": True}
        session = (await browser.call("Target.attachToTarget", asked))["sessionId"]
        channel = browser.child(session)
        assert channel is not None
        for domain in ("Page", "DOM", "Runtime"):
            await channel.call(f"{domain}.enable")
        yield Tab(channel, target)


@pytest.fixture(scope="module")
async def comparisons(tab: Tab) -> dict[str, Comparison]:
    found = {}
    for page in PAGES:
        world = await tab.open(page.read_text(encoding="utf-8"))
        shot = await take(world)
        if shot["opaque"] and await adopt_closed_roots(world, shot["opaque"]):
            shot = await take(world)
        assert shot["troubles"] == [], page.stem
        found[page.stem] = await judge(page.stem, world, shot["text"])
    return found


def test_every_difference_from_chrome_is_explained(comparisons: dict[str, Comparison]) -> None:
    differences = [d for comparison in comparisons.values() for d in comparison.differences]
    assert [str(d) for d in differences if not any(why(d) for why in EXPLAINED.values())] == []


def test_every_explanation_is_still_needed(comparisons: dict[str, Comparison]) -> None:
    differences = [d for comparison in comparisons.values() for d in comparison.differences]
    assert [reason for reason, why in EXPLAINED.items() if not any(map(why, differences))] == []


def test_role_name_and_states_agree_with_chrome(comparisons: dict[str, Comparison]) -> None:
    elements = sum(v.elements for v in comparisons.values())
    differing = sum(v.differing for v in comparisons.values())
    assert len(comparisons) >= 40
    assert elements > 1000
    assert 1 - differing / elements >= AGREEMENT


async def test_labels_are_kept_within_an_epoch_and_forgotten_with_it(tab: Tab) -> None:
    world = await tab.open("<title>T</title><button>A</button><button>B</button>")
    before = (await take(world))["text"]
    await world.evaluate("document.body.prepend(document.createElement('input'))")
    within = (await take(world))["text"]
    after = (await take(world, epoch=2))["text"]
    first = 'uid=a1_1 RootWebArea "T" url="about:blank"'
    assert before.split("\n") == [first, '  uid=a1_2 button "A"', '  uid=a1_3 button "B"']
    assert within.split("\n") == [
        first, "  uid=a1_4 textbox", '  uid=a1_2 button "A"', '  uid=a1_3 button "B"'
    ]  # fmt: skip
    assert after.split("\n") == [
        first, "  uid=a1_2 textbox", '  uid=a1_3 button "A"', '  uid=a1_4 button "B"'
    ]  # fmt: skip


async def test_a_label_leads_to_its_element_until_that_is_gone(tab: Tab) -> None:
    world = await tab.open("<button id=a>A</button>")
    await take(world)
    assert await world.evaluate("tabmux.elementOf(2).id") == "a"
    assert await world.evaluate("tabmux.labelOf(tabmux.elementOf(2))") == 2
    await world.evaluate("tabmux.elementOf(2).remove()")
    assert await world.evaluate("tabmux.elementOf(2)") is None
    assert await world.evaluate("tabmux.elementOf(99)") is None


async def test_a_root_limits_the_snapshot_to_a_part(tab: Tab) -> None:
    world = await tab.open("<main><h1>H</h1><nav><a href=/x>X</a></nav></main><button>B</button>")
    assert "uid=a1_4 navigation" in (await take(world))["text"]
    part = await take(world, root=4)
    assert part["text"].split("\n") == ["uid=a1_4 navigation", '  uid=a1_5 link "X" url="/x"']
    assert part["last"] == 6
    assert (await take(world, root=77))["text"] == ""


async def test_a_depth_says_how_much_is_below_it(tab: Tab) -> None:
    html = (
        "<main><h1>H</h1><nav><a href=/x>X</a> and <a href=/y>Y</a></nav></main><button>B</button>"
    )
    assert await lines(tab, html, depth=1) == [
        "uid=a1_2 main",
        "  … 5 more",
        'uid=a1_3 button "B"',
    ]
    assert await lines(tab, html, depth=2) == [
        "uid=a1_2 main",
        '  uid=a1_3 heading "H" level="1"',
        "  uid=a1_4 navigation",
        "    … 3 more",
        'uid=a1_5 button "B"',
    ]


async def test_verbose_shows_every_visible_element(tab: Tab) -> None:
    html = "<div><p>One <b>two</b></p><div style='cursor:pointer'>go</div><i hidden>no</i></div>"
    assert await lines(tab, html, verbose=True) == [
        'uid=a1_2 generic tag="body"',
        '  uid=a1_3 generic tag="div"',
        "    uid=a1_4 paragraph",
        '      "One"',
        '      uid=a1_5 generic tag="b"',
        '        "two"',
        '    uid=a1_6 clickable tag="div"',
        '      "go"',
    ]


async def test_passwords_are_never_printed(tab: Tab) -> None:
    html = """<label>Pass <input type=password value=hunter2></label>
        <button>Show <input type=password value=hunter2></button>
        <input aria-label=Styled value=hunter2 style="-webkit-text-security: disc">
        <div role=textbox contenteditable style="-webkit-text-security: disc">hunter2</div>
        <input id=self type=password aria-labelledby=self value=hunter2>"""
    printed = "\n".join(await lines(tab, html))
    assert "hunter2" not in printed
    assert 'textbox "Pass" value="•••••••"' in printed
    assert 'textbox "Styled" value="•••••••"' in printed


async def test_text_runs_on_until_something_else_has_a_line(tab: Tab) -> None:
    html = """<p>Some <b>bold</b> and <a href=/l>linked</a> text,<br>
        with a <button>button</button>.</p><div>Next<div>inner</div>last</div>"""
    assert await lines(tab, html) == [
        '"Some bold and"',
        'uid=a1_2 link "linked"',
        '"text, with a"',
        'uid=a1_3 button "button"',
        '"."',
        '"Next"',
        '"inner"',
        '"last"',
    ]


async def test_lists_take_as_few_lines_as_they_can(tab: Tab) -> None:
    html = """<ul><li>Plain<li><a href=/x>Link</a><li>Task <button>Done</button>
        <li><li>Outer<ol><li>Inner</ol></ul><ul aria-label=Named><li>One</ul>"""
    assert await lines(tab, html) == [
        "list",
        '  listitem "Plain"',
        '  uid=a1_2 link "Link"',
        '  listitem "Task"',
        '    uid=a1_3 button "Done"',
        '  listitem "Outer"',
        "    list",
        '      listitem "Inner"',
        'uid=a1_4 list "Named"',
        '  listitem "One"',
    ]


async def test_a_cell_that_listens_is_the_control_in_it(tab: Tab) -> None:
    html = """<table><caption>March</caption>
        <tr><td onclick=0><a href=#>1</a><td onclick=0><a href=#>2</a></table>"""
    assert await lines(tab, html) == [
        'uid=a1_2 table "March"',
        "  row",
        '    uid=a1_3 link "1"',
        '    uid=a1_4 link "2"',
    ]


async def test_a_row_of_plain_cells_is_one_line(tab: Tab) -> None:
    html = """<table><caption>People</caption><tr><th>Name<th>Age<th>City
        <tr><td>Bob<td>42<td>Paris <tr><td>Ann<td><td>Rome
        <tr><td><a href=/e>Eve</a><td>7<td>Oslo <button>Edit</button></table>"""
    assert await lines(tab, html) == [
        'uid=a1_2 table "People"',
        '  row "Name | Age | City" header',
        '  row "Bob | 42 | Paris"',
        '  row "Ann |  | Rome"',
        "  row",
        '    uid=a1_3 link "Eve"',
        '    cell "7"',
        '    cell "Oslo"',
        '      uid=a1_4 button "Edit"',
    ]


async def test_what_reacts_to_clicks_without_a_role_is_marked_where_it_starts(tab: Tab) -> None:
    html = """<style>.p { cursor: pointer }</style><div class=p>By <b>cursor</b></div>
        <div onclick=f()>By attribute</div>
        <div tabindex=0>By tabindex</div><div tabindex=-1>Not</div>
        <div class=p><a href=/x>Only a link</a></div>
        <div class=p><h3>Card</h3><button>Buy</button></div>
        <ul><li class=p>Item</ul><img class=p src=data:,><div draggable=true>Drag me</div>
        <div class=p><b style="visibility: hidden">only on hover</b></div><i class=p title=Bin></i>
        <label><input type=checkbox checked style="display:none"> Stands for its box</label>
        <a href=/x role=paragraph>Still a link</a>"""
    assert await lines(tab, html) == [
        'uid=a1_2 clickable "By cursor"',
        'uid=a1_3 clickable "By attribute"',
        'uid=a1_4 clickable "By tabindex"',
        '"Not"',
        'uid=a1_5 link "Only a link"',
        "uid=a1_6 clickable",
        '  uid=a1_7 heading "Card" level="3"',
        '  uid=a1_8 button "Buy"',
        "list",
        '  uid=a1_9 listitem "Item"',
        "uid=a1_10 img",
        'uid=a1_11 clickable "Drag me" draggable',
        'uid=a1_12 clickable "Bin"',
        'uid=a1_13 clickable "Stands for its box" checked',
        'uid=a1_14 clickable "Still a link"',
    ]


async def test_text_that_a_name_leaves_out_is_printed_below_it(tab: Tab) -> None:
    html = f"""<a href=/a>Card <article>in article</article></a>
        <button>Save <span role=status>Saving</span></button><button aria-label=Close>x</button>
        <a href=/b><p>{"word " * 60}</p></a><a href=/c aria-label=Named>Other text</a>"""
    printed = await lines(tab, html)
    assert printed[:6] == [
        'uid=a1_2 link "Card"',
        "  article",
        '    "in article"',
        'uid=a1_3 button "Save"',
        "  uid=a1_4 status",
        '    "Saving"',
    ]
    assert printed[6] == 'uid=a1_5 button "Close"'
    assert printed[8] == f'  "{("word " * 60).strip()}"'
    assert printed[9:] == ['uid=a1_7 link "Named"', '  "Other text"']


async def test_details_can_be_opened_even_without_a_summary(tab: Tab) -> None:
    html = "<details>a</details><details open>b</details><details><summary>S</summary>c</details>"
    assert await lines(tab, html) == [
        'uid=a1_2 DisclosureTriangle "Details" collapsed',
        'uid=a1_3 DisclosureTriangle "Details" expanded',
        '"b"',
        'uid=a1_4 DisclosureTriangle "S" collapsed',
    ]


async def test_what_can_be_edited_is_a_textbox(tab: Tab) -> None:
    html = (
        "<div contenteditable>Some <a href=/x>text</a></div><div contenteditable=false>fixed</div>"
    )
    assert await lines(tab, html) == [
        'uid=a1_2 textbox value="Some text"',
        '  uid=a1_3 link "text"',
        '"fixed"',
    ]


async def test_attributes_come_in_a_fixed_order_and_without_noise(tab: Tab) -> None:
    html = """<input type=checkbox aria-label=C checked required disabled aria-keyshortcuts=X>
        <input type=range aria-label=R value=3 max=9>
        <input aria-label=S placeholder=P title=T value=V>
        <button aria-haspopup=true aria-expanded=false aria-roledescription=knob>B</button>
        <div role=slider aria-label=L aria-valuenow=2 aria-valuetext=two tabindex=0></div>"""
    assert await lines(tab, html) == [
        'uid=a1_2 checkbox "C" checked disabled required keyshortcuts="X"',
        'uid=a1_3 slider "R" value="3" valuemin="0" valuemax="9"',
        'uid=a1_4 textbox "S" value="V" description="T" placeholder="P"',
        'uid=a1_5 button "B" collapsed haspopup="menu" roledescription="knob"',
        'uid=a1_6 slider "L" value="2" valuetext="two" valuemin="0" valuemax="100"',
    ]


async def test_names_are_cut_and_quotes_escaped(tab: Tab) -> None:
    long = "word " * 60
    printed = await lines(tab, f'<button>{long}</button><h2>say "hi" \\ there</h2><p>{long}</p>')
    assert printed[0].endswith(' … word word word word word word word word word word"')
    assert len(printed[0]) <= len('uid=a1_2 button ""') + 200
    assert printed[1] == f'  "{long.strip()}"'
    assert printed[2] == 'uid=a1_3 heading "say \\"hi\\" \\\\ there" level="2"'
    assert printed[3] == f'"{long.strip()}"'


async def test_links_are_relative_to_a_document_of_the_same_origin(tab: Tab) -> None:
    html = f"""<base href="https://example.org/dir/page"><a href=../up>Up</a><a href=#x>Hash</a>
        <a href=https://other.org/>Other</a><a href="/{"long/" * 40}">Long</a>"""
    printed = await lines(tab, html)
    assert printed[0] == 'uid=a1_2 link "Up" url="https://example.org/up"'
    assert printed[2] == 'uid=a1_4 link "Other" url="https://other.org/"'
    assert " … " in printed[3]
    assert len(printed[3]) <= len('uid=a1_5 link "Long" url=""') + 100


async def test_addresses_are_told_where_names_do_not_tell_them(tab: Tab) -> None:
    html = """<a href=/home>Home</a><a href=/home>Home</a><a href=/1>More</a><a href=/2>More</a>
        <a href=/nameless><img src=data:,></a><a href=#part>Part</a><a href=#/route>Route</a>
        <a href="javascript:void 0">Script</a><a href=# onclick=f()>Hash</a>
        <a href="https://other.org/?utm_source=x&id=1&gclid=2#a">Away</a>"""
    # There is no origin here, so that nothing is inside it but what is written so.
    assert await lines(tab, html) == [
        'uid=a1_2 link "Home"',
        'uid=a1_3 link "Home"',
        'uid=a1_4 link "More" url="/1"',
        'uid=a1_5 link "More" url="/2"',
        'uid=a1_6 link url="/nameless"',
        'uid=a1_7 link "Part"',
        'uid=a1_8 link "Route"',
        'uid=a1_9 link "Script"',
        'uid=a1_10 link "Hash"',
        'uid=a1_11 link "Away" url="https://other.org/?id=1#a"',
    ]
    whole = await lines(tab, html, verbose=True)
    assert [line.strip() for line in whole if "link" in line][:3] == [
        'uid=a1_3 link "Home" url="/home"',
        'uid=a1_4 link "Home" url="/home"',
        'uid=a1_5 link "More" url="/1"',
    ]


async def test_a_link_without_a_name_is_left_out_only_where_its_twin_leads_somewhere(
    tab: Tab,
) -> None:
    html = """<a href=/item><img src=data:,></a><a href=/item>Item</a>
        <a href=#! onclick=f()><i></i></a><a href=#!>Older</a><a href=#><i></i></a><a href=#>Up</a>"""
    assert await lines(tab, html) == [
        'uid=a1_2 link "Item"',
        "uid=a1_3 link",
        'uid=a1_4 link "Older"',
        "uid=a1_5 link",
        'uid=a1_6 link "Up"',
    ]


async def test_what_is_long_keeps_its_end(tab: Tab) -> None:
    words = "I agree to everything that is said here, and to all that follows. " * 4
    html = f"""<label><input type=checkbox> {words} Not to the last.</label>
        <label title=Titled><input></label><textarea aria-label=T>{"x" * 5000}</textarea>"""
    printed = await lines(tab, html)
    assert printed[0].startswith('uid=a1_2 checkbox "I agree')
    assert printed[0].endswith('Not to the last."')
    assert printed[1] == f'"{words}Not to the last."'
    assert printed[2] == 'uid=a1_3 textbox "Titled"'
    assert printed[3].endswith('x" length="5000"')
    assert len(printed[3]) < 450


async def test_an_anchor_with_a_handler_is_a_link(tab: Tab) -> None:
    html = "<a onclick=f()>Does</a><a>Does not</a>"
    assert await lines(tab, html) == ['uid=a1_2 link "Does"', '"Does not"']


async def test_a_search_sees_every_option_and_address_and_where_texts_stand(tab: Tab) -> None:
    options = "".join(f"<option>{n}" for n in range(80))
    html = f"""<p>Some <b>bold</b> text</p><ul><li>Item</ul><a href=/x>X</a>
        <select aria-label=S>{options}</select>"""
    printed = await lines(tab, html, search=True)
    assert printed[:4] == [
        'uid=a1_2 text "Some bold text"',
        "uid=a1_3 list",
        '  uid=a1_4 listitem "Item"',
        'uid=a1_5 link "X" url="/x"',
    ]
    assert len(printed) == 4 + 1 + 80


async def test_long_selects_end_with_a_count(tab: Tab) -> None:
    options = "".join(f"<option{' selected' * (n == 70)}>{n}" for n in range(80))
    printed = await lines(tab, f"<select aria-label=S>{options}</select>")
    assert printed[0] == 'uid=a1_2 combobox "S" value="70"'
    assert len(printed) == 1 + 50 + 1 + 1
    assert printed[-2:] == ['  uid=a1_53 option "70" selected', "  … 29 more options"]


async def test_hints_are_said_once(tab: Tab) -> None:
    html = """<label>Age <input aria-describedby=h aria-invalid=true aria-errormessage=e></label>
        <p id=h>In years</p><p id=e>Too young</p><p>Else</p>"""
    assert await lines(tab, html) == [
        'uid=a1_2 textbox "Age" invalid description="In years Too young"',
        '"Else"',
    ]


async def test_generated_text_is_found_though_a_style_sheet_cannot_be_read(tab: Tab) -> None:
    world = await tab.open("<p>a</p><p>b</p><p>c</p><p>d</p><button class=x>e</button><q>f</q>")
    await tab.serve_styles('.x::before { content: "new " } .x { text-transform: uppercase }')
    await world.evaluate("""new Promise((done) => {
        const link = document.createElement("link");
        Object.assign(link, {rel: "stylesheet", href: "https://elsewhere.test/", onload: done});
        document.head.append(link);
    })""")
    rules = "try { document.styleSheets[0].cssRules } catch (error) { error.name }"
    assert await world.evaluate(rules) == "SecurityError"
    assert (await take(world))["text"].endswith('"d"\n  uid=a1_2 button "NEW E"\n  "“f”"')


async def test_frames_say_where_their_content_belongs(tab: Tab) -> None:
    world = await tab.open(
        "<main><iframe title=A srcdoc=x></iframe><iframe srcdoc=y></iframe></main>"
    )
    await world.evaluate("tabmux.adoptFrame(document.querySelector('iframe'), 'F1')")
    shot = await take(world)
    assert shot["text"].split("\n")[2:] == ['    uid=a1_3 iframe "A"', "    uid=a1_4 iframe"]
    assert shot["frames"] == [
        {"frame": "F1", "label": 3, "line": 2, "indent": 3},
        {"frame": "", "label": 4, "line": 3, "indent": 3},
    ]


async def test_closed_shadow_roots_are_walked_once_they_are_adopted(tab: Tab) -> None:
    world = await tab.open("""<div id=d></div><x-a>light</x-a><div style="height: 9px"></div>
        <script>
        d.attachShadow({mode: "closed"}).innerHTML = "<button>Closed</button>";
        customElements.define("x-a", class extends HTMLElement {
          constructor() {
            super();
            this.attachShadow({mode: "closed"}).innerHTML = "<b>In</b> <slot></slot>";
          }
        })</script>""")
    before = await take(world)
    assert "Closed" not in before["text"]
    assert len(before["opaque"]) == 2
    assert await adopt_closed_roots(world, before["opaque"]) == 2
    after = await take(world, epoch=2)
    assert after["opaque"] == []
    assert after["text"].split("\n")[1:] == ['  uid=a1_2 button "Closed"', '  "In light"']


async def test_what_was_examined_is_not_suspected_again(tab: Tab) -> None:
    world = await tab.open("<x-plain>text</x-plain>")
    [label] = (await take(world))["opaque"]
    await world.call("tabmux.examined", label)
    assert (await take(world))["opaque"] == []


async def test_a_modal_dialog_in_a_shadow_tree_makes_the_rest_inert(tab: Tab) -> None:
    html = """<button>Behind</button><div id=h></div><script>
        h.attachShadow({mode: "open"}).innerHTML =
          "<p>around</p><dialog><button>Front</button></dialog>";
        h.shadowRoot.querySelector("dialog").showModal()</script>"""
    assert await lines(tab, html) == ["uid=a1_2 dialog modal", '  uid=a1_3 button "Front" focused']


async def test_svg_pictures_links_and_texts_are_told_apart(tab: Tab) -> None:
    html = """<svg width=9 height=9><title>Logo</title><path d=M0,0 /></svg>
        <svg width=9 height=9><path /></svg>
        <svg width=99 height=20><text y=9>Text</text><a href=/v><text>Link</text></a>
        <circle r=3><title>Dot</title></circle>
        <rect tabindex=0 role=button aria-label=Press /></svg>"""
    assert await lines(tab, html) == [
        'uid=a1_2 img "Logo"',
        '"Text"',
        'uid=a1_3 link "Link"',
        'uid=a1_4 graphics-symbol "Dot"',
        'uid=a1_5 button "Press"',
    ]


async def test_forms_that_shadow_their_own_properties_do_no_harm(tab: Tab) -> None:
    keys = [
        "children", "parentNode", "tagName", "localName", "nodeType", "firstChild", "nextSibling",
        "getAttribute", "attributes", "shadowRoot", "matches", "style", "offsetWidth",
        "willValidate", "validity", "required",
    ]  # fmt: skip
    fields = "".join(f"<input name={key} aria-label={key}>" for key in keys)
    html = (
        f"<form tabindex=0 aria-label=F>{fields}</form><form name=styleSheets></form><p>after</p>"
    )
    printed = await lines(tab, html)
    assert printed[0] == 'uid=a1_2 form "F"'
    assert printed[1:-1] == [f'  uid=a1_{n} textbox "{key}"' for n, key in enumerate(keys, 3)]
    assert printed[-1] == '"after"'


async def test_one_impossible_element_does_not_cost_the_snapshot(tab: Tab) -> None:
    world = await tab.open("<p>before</p><div id=d></div><button>after</button>")
    await world.evaluate("""
        const odd = document.createElementNS("http://www.w3.org/1999/xhtml/", "table");
        odd.textContent = "odd";
        d.append(odd);
    """)
    shot = await take(world)
    assert shot["text"].split("\n")[1:] == [
        '  "before"',
        "  uid=a1_2 table (could not be read)",
        '    "odd"',
        '  uid=a1_3 button "after"',
    ]
    assert len(shot["troubles"]) == 1


@pytest.mark.parametrize("tag", ["div", "span", "ul", "a", "section"])
async def test_deep_trees_are_walked_to_the_bottom(tab: Tab, tag: str) -> None:
    world = await tab.open("<div id=d></div>")
    await world.evaluate(f"""
        let at = d;
        for (let i = 0; i < 2_500; i++) {{
          at = at.appendChild(document.createElement("{tag}"));
          if (i % 100 === 0) at.setAttribute("aria-label", i);
        }}
        at.append(document.createElement("button"));
        d.after("after");
    """)
    text = (await take(world))["text"]
    assert "\n  uid=" in text
    assert text.endswith('button\n  "after"')
    assert len(text) < 300_000


async def test_what_a_deep_button_is_called_is_read(tab: Tab) -> None:
    world = await tab.open("<button id=d></button>")
    await world.evaluate("""
        let at = d;
        for (let i = 0; i < 2_500; i++) at = at.appendChild(document.createElement("b"));
        at.append("deep");
    """)
    assert (await take(world))["text"].endswith('\n  uid=a1_2 button "deep"')


async def test_ten_thousand_elements_are_all_there(tab: Tab) -> None:
    row = "<li><a href=/{0}>Item {0}</a> <span>text</span> <button>Go {0}</button> <input></li>"
    html = "<ul>" + "".join(row.format(n) for n in range(2000)) + "</ul>"
    shot = await take(await tab.open(html))
    printed = shot["text"].split("\n")
    assert len(printed) == 2 + 2000 * 5
    assert shot["last"] == 1 + 2000 * 3
    assert printed[-1] == "      uid=a1_6001 textbox"


async def test_a_document_that_takes_too_long_is_read_in_part(tab: Tab) -> None:
    world = await tab.open("<dialog open>First</dialog>" + "<p><button>Go</button></p>" * 2000)
    shot = await take(world, seconds=0)
    assert shot["cut"]
    assert "First" in shot["text"]
    assert 0 < shot["text"].count("button") < 2000
    whole = await take(world)
    assert not whole["cut"]
    assert whole["text"].count("button") == 2000


async def test_names_and_values_that_refer_to_each_other_end(tab: Tab) -> None:
    html = """<span id=b role=combobox tabindex=0 aria-owns=m>Slow</span>
        <ul id=m role=listbox aria-labelledby=b><li role=option>Slow</ul>
        <div id=x role=combobox tabindex=0 aria-labelledby=y>X</div>
        <div id=y role=combobox tabindex=0 aria-labelledby=x>Y</div>"""
    assert await lines(tab, html) == [
        'uid=a1_2 combobox value="Slow"',
        '  uid=a1_3 listbox "Slow"',
        '    uid=a1_4 option "Slow"',
        'uid=a1_5 combobox "Y" value="X"',
        'uid=a1_6 combobox "X" value="Y"',
    ]


async def test_what_is_claimed_by_others_never_vanishes(tab: Tab) -> None:
    html = """<div id=a role=group aria-label=A aria-owns=b><button>In A</button></div>
        <div id=b role=group aria-label=B aria-owns=a><button>In B</button></div>
        <div hidden aria-owns=c></div><p id=c>Claimed by what is hidden</p>
        <input aria-label=I aria-owns=d><p id=d>Claimed by a field</p>
        <button aria-owns=e>Menu</button><div id=e role=menu><div role=menuitem>New</div></div>"""
    assert await lines(tab, html) == [
        'uid=a1_2 group "A"',
        '  uid=a1_3 button "In A"',
        '  uid=a1_4 group "B"',
        '    uid=a1_5 button "In B"',
        '"Claimed by what is hidden"',
        'uid=a1_6 textbox "I"',
        '"Claimed by a field"',
        'uid=a1_7 button "Menu"',
        "  uid=a1_8 menu",
        '    uid=a1_9 menuitem "New"',
    ]


async def test_characters_are_not_cut_in_half(tab: Tab) -> None:
    for shift in range(4):
        printed = await lines(tab, f"<h1 title=T>{'x' * shift}{'😀' * 300}</h1>")
        assert " … " in printed[0]
    world = await tab.open("<p id=p></p><button>After</button>")
    await world.evaluate("p.textContent = 'half \\ud83d character'; 0")
    assert (await take(world))["text"].endswith('\n  uid=a1_2 button "After"')


async def test_a_combobox_shows_its_words_beside_a_field_that_only_holds_them(tab: Tab) -> None:
    html = """<div role=combobox tabindex=0 aria-label=Lead aria-expanded=false>
        <input readonly aria-hidden=true tabindex=-1 style="width:1px"><span>Ann</span></div>"""
    assert await lines(tab, html) == ['uid=a1_2 combobox "Lead" collapsed value="Ann"']
