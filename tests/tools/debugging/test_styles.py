from __future__ import annotations

import pytest

from tests.agent import Agent

CARD = """<style>
:root { --brand: #c00; --space: 1px 2px; }
.card { color: navy; border: 1px solid; }
p { color: green; margin: var(--space); colr: red; }
.card p { color: blue; margin: 3px; }
@media (min-width: 100px) {
  .card p { font-weight: bold; }
}
p::before { content: "x"; }
@keyframes fade { from { opacity: 0.5; } }
</style>
<div class=card><p role=heading id=it style='letter-spacing: 1px'>Hello</p></div>"""


@pytest.fixture
def agent(whole: Agent) -> Agent:
    return whole


async def styles(agent: Agent, html: str, line: str, **arguments: object) -> str:
    await agent.open(html)
    return await agent("get_css_styles", uid=agent.uid(line), **arguments)


async def test_rules_come_strongest_first_with_file_and_line(agent: Agent) -> None:
    text = await styles(agent, CARD, "heading")
    name = (await agent.value("location.pathname")).strip('"/')
    assert text.startswith("Styles for p#it (uid: ")
    body = text.split("\n\n", 1)[1]
    assert (
        body
        == f"""element.style {{
  letter-spacing: 1px;
}}

@media (min-width: 100px) {{
  .card p ({name}:7) {{
    font-weight: bold;
  }}
}}

.card p ({name}:5) {{
  color: blue;
  margin: 3px;
}}

p ({name}:4) {{
  [overloaded] color: green;
  [overloaded] margin: var(--space);
  [invalid] colr: red;
}}

user agent stylesheet {{ unicode-bidi: isolate; display: block; }}

Inherited from div.card:
.card ({name}:3) {{
  [overloaded] color: navy;
}}

Inherited from html:
:root ({name}:2) {{
  --brand: #c00;
  --space: 1px 2px;
}}

Pseudo-element ::before:
p::before ({name}:9) {{
  content: "x";
}}"""
    )


async def test_linked_sheet_is_named_by_its_file(agent: Agent) -> None:
    sheet = agent.site.page("\n\nbutton { color: red }", kind="text/css")
    text = await styles(agent, f"<link rel=stylesheet href='{sheet}'><button>Go</button>", "button")
    assert f"button ({sheet.rsplit('/', 1)[1]}:3) {{\n  color: red;\n}}" in text


async def test_important_beats_the_style_attribute_and_layers_turn_around(agent: Agent) -> None:
    text = await styles(
        agent,
        """<style>@layer a, b;
        @layer a { button { color: red !important; top: 1px } }
        @layer b { button { color: blue !important; top: 2px } }
        </style><button style='color: green'>Go</button>""",
        "button",
    )
    assert "element.style {\n  [overloaded] color: green;" in text
    assert "[overloaded] color: blue !important;\n    top: 2px;" in text
    assert "    color: red !important;\n    [overloaded] top: 1px;" in text
    assert await agent.value("getComputedStyle(document.querySelector('button')).color") == (
        '"rgb(255, 0, 0)"'
    )


async def test_rules_around_a_rule_are_shown_from_the_outermost(agent: Agent) -> None:
    text = await styles(
        agent,
        """<style>section { container: box / inline-size }
        @layer theme { @supports (display: grid) { @container box (min-width: 10px) {
          button { color: red; &:enabled { color: blue } } } } }
        @scope (section) { button { top: 1px } }
        </style><section><button>Go</button></section>""",
        "button",
    )
    lines = [line.strip().split(" (")[0] for line in text.split("\n") if line.endswith("{")]
    assert lines[:9] == [
        "@scope",
        "button",
        "@layer theme {",
        "@supports",
        "@container box",
        "button {",
        "&:enabled",
        "@layer theme {",
        "@supports",
    ]
    assert "@container box (min-width: 10px) {" in text


async def test_running_animation_is_shown_with_its_keyframes(agent: Agent) -> None:
    text = await styles(
        agent,
        "<style>@keyframes fade { from { opacity: 0.5 } to { opacity: 0.5 } }"
        "button { opacity: 1; animation: fade 60s }</style><button>Go</button>",
        "button",
    )
    assert "animation fade {\n  opacity: 0.5;\n}" in text
    assert "[overloaded] opacity: 1;" in text
    assert "@keyframes fade {\n  0%" in text or "@keyframes fade {\n  from" in text


async def test_element_of_a_shadow_tree_or_another_site_has_styles_too(agent: Agent) -> None:
    inner = agent.site.page("<style>button { color: lime }</style><button>Far</button>", other=True)
    await agent.open(
        f"<x-card></x-card><iframe src='{inner}'></iframe><script>"
        "document.querySelector('x-card').attachShadow({mode: 'open'}).innerHTML ="
        "'<style>button { color: teal }</style><button>Near</button>'</script>"
    )
    assert "color: teal;" in await agent("get_css_styles", uid=agent.uid('button "Near"'))
    assert "color: lime;" in await agent("get_css_styles", uid=agent.uid('button "Far"'))


async def test_long_lists_are_paged(agent: Agent) -> None:
    rules = "".join(f"button {{ --n{number}: 1 }}\n" for number in range(25))
    text = await styles(agent, f"<style>{rules}</style><button>Go</button>", "button", pageIdx=2)
    assert "Showing 21-26 of 26 (Page 3 of 3)." in text
    assert "--n0: 1" in text
    assert "--n24: 1" not in text


async def test_page_is_left_without_listeners(agent: Agent) -> None:
    await styles(agent, CARD, "heading")
    again = await agent("get_css_styles", uid=agent.uid("heading"))
    assert "[overloaded] color: green;" in again


async def test_box_of_a_visible_element(agent: Agent) -> None:
    await agent.open(
        "<body style='margin: 0'><button style='position: absolute; left: 40px; top: 30px;"
        "width: 100px; height: 50px; padding: 0; border: 2px solid; margin: 1px'>Go</button>"
    )
    assert await agent("get_box", uid=agent.uid("button")) == (
        'button "Go": 100 x 50\n'
        "In the viewport at 41, 31, in the document at 41, 31.\n"
        "Margin 1 1 1 1, border 2 2 2 2.\n"
        "Visible, whole in view."
    )


async def test_box_counts_from_the_document_and_says_what_is_out_of_view(agent: Agent) -> None:
    await agent.open(
        "<body style='margin: 0'><div style='height: 3000px'></div><button>Low</button>"
    )
    text = await agent("get_box", uid=agent.uid("button"))
    assert "in the document at 0, 3000." in text
    assert "out of view until scrolled to" in text
    assert await agent.value("scrollY") == "0"


async def test_cover_is_named_with_a_uid_that_works(agent: Agent) -> None:
    await agent.open(
        "<button>Go</button><dialog open style='position: fixed; inset: 0; margin: 0; width: 100%;"
        "height: 100%' onclick='this.remove()' aria-label=Offer></dialog>"
    )
    go = agent.uid('button "Go"')
    text = await agent("get_box", uid=go)
    assert 'Covered by dialog "Offer" (uid=' in text
    assert "at 9 of 9 points." in text
    cover = text.split("(uid=")[1].split(")")[0]
    await agent("click", uid=cover)
    assert "Covered" not in await agent("get_box", uid=go)


async def test_box_in_a_frame_counts_from_the_page(agent: Agent) -> None:
    inner = agent.site.page("<body style='margin: 10px'><button>In</button>", other=True)
    await agent.open(
        f"<body style='margin: 0'><iframe src='{inner}' style='position: absolute; left: 100px;"
        "top: 200px; border: 5px solid'></iframe>"
    )
    text = await agent("get_box", uid=agent.uid('button "In"'))
    assert "In the viewport at 115, 215" in text
    await agent.value(
        "document.body.insertAdjacentHTML('beforeend',"
        "`<div style='position: fixed; inset: 0' role=alert aria-label=Wall></div>`)"
    )
    assert 'Covered by alert "Wall"' in await agent("get_box", uid=agent.uid('button "In"'))


async def test_box_in_a_scaled_frame_is_as_large_as_it_shows(agent: Agent) -> None:
    inner = "<body style=margin:10px><button style=width:80px;height:40px>In</button>"
    await agent.open(
        f"<body style='margin: 0'><iframe srcdoc='{inner}' style='position: absolute; left: 100px;"
        "top: 200px; border: 0; padding: 6px; transform: scale(.5); transform-origin: 0 0'></iframe>"
    )
    text = await agent("get_box", uid=agent.uid('button "In"'))
    assert "In the viewport at 108, 208" in text
    assert "40 x 20" in text


async def test_hidden_element_says_why(agent: Agent) -> None:
    await agent.open("<button>Go</button>")
    uid = agent.uid("button")
    for style, reason in (
        ("visibility: hidden", "visibility: hidden"),
        ("display: none", "display: none"),
        ("opacity: 0", "opacity: 0"),
    ):
        await agent.value(f"document.querySelector('button').style.cssText = '{style}'")
        assert f"Not visible: {reason}" in await agent("get_box", uid=uid)
