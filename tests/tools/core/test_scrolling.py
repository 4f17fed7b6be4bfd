from __future__ import annotations

import pytest

from tests.agent import Agent

LONG = "<style>body { margin: 0 } p { height: 5000px; margin: 0 }</style><p>Top</p>"
# A list that loads a page more when its end comes into view, some time later, three times.
ENDLESS = """<style>body {{ margin: 0 }} li {{ height: 200px }}</style><ul id=list></ul><div id=end>…</div>
<script>
  let pages = 0;
  function more() {{
    pages += 1;
    for (let n = 0; n < 10; n++) list.append(Object.assign(document.createElement("li"), {{
      textContent: `Item ${{pages}}.${{n}}` }}));
    if (pages === 4) end.remove();
  }}
  more();
  new IntersectionObserver(([entry]) => {{
    if (entry.isIntersecting && pages < 4) {0};
  }}).observe(end);
</script>"""


async def test_element_is_scrolled_into_view(agent: Agent) -> None:
    await agent.open(f"{LONG}<button>Far</button>{LONG}")
    text = await agent("scroll", uid=agent.uid('button "Far"'))
    assert "Scrolled the element into view." in text
    assert "px of the page." in text
    assert 4000 < float(await agent.value("scrollY")) < 5000


@pytest.mark.parametrize(
    ("direction", "amount", "expected"),
    [("down", 300, "[0,1300]"), ("up", 300, "[0,700]"), ("right", 200, "[200,1000]")],
)
async def test_page_is_scrolled_by_pixels(
    agent: Agent, direction: str, amount: int, expected: str
) -> None:
    await agent.open(f"{LONG}<div style='width: 4000px; height: 1px'></div>")
    await agent("evaluate_script", function="() => scrollTo(0, 1000)")
    text = await agent("scroll", direction=direction, amount=amount)
    assert f"Scrolled {direction}." in text
    assert "There is more." in text
    assert await agent.value("[scrollX, scrollY]") == expected


async def test_page_is_scrolled_by_a_screenful_and_its_end_is_told(agent: Agent) -> None:
    await agent.open(LONG)
    await agent("scroll", direction="down")
    assert await agent.value("scrollY === Math.round(0.9 * innerHeight)") == "true"
    text = await agent("scroll", direction="down", amount=9000)
    assert "of 5000 px of the page." in text
    assert "There is more." not in text
    assert "Nothing moved." in await agent("scroll", direction="down")


async def test_part_that_scrolls_is_found_where_the_page_does_not(agent: Agent) -> None:
    await agent.open(
        "<style>body { overflow: hidden; height: 100vh; margin: 0 }</style>"
        f"<main style='overflow: auto; height: 100%' aria-label=Feed>{LONG}</main>"
    )
    text = await agent("scroll", direction="down", amount=500)
    assert 'px of main "Feed".' in text
    assert await agent.value("document.querySelector('main').scrollTop") == "500"


async def test_wheel_is_turned_over_an_element(agent: Agent) -> None:
    await agent.open(
        f"<div id=box style='overflow: auto; height: 200px'><button>In</button>{LONG}</div>{LONG}"
        "<script>box.addEventListener('wheel', (event) => { trusted = event.isTrusted })</script>"
    )
    text = await agent("scroll", uid='button "In"', direction="down", amount=120)
    assert "Scrolled down." in text
    assert await agent.value("[box.scrollTop, scrollY, trusted]") == "[120,0,true]"


@pytest.mark.parametrize("load", ["setTimeout(more, 400)", "fetch('/x').then(more)"])
async def test_list_is_scrolled_to_its_end_as_more_loads(agent: Agent, load: str) -> None:
    await agent.open(ENDLESS.format(load))
    text = await agent("scroll", toEnd=True)
    assert "Scrolled to the end in " in text
    assert "More was loaded: there were 2" in text
    assert "There is more." not in text
    assert "Item 4.9" in text


async def test_page_is_scrolled_until_a_text_appears(agent: Agent) -> None:
    await agent.open(ENDLESS.format("setTimeout(more, 400)"))
    text = await agent("scroll", untilText="Item 3.5")
    assert 'Found "Item 3.5".' in text
    seen = "document.querySelectorAll('li')[25].getBoundingClientRect()"
    assert await agent.value(f"{seen}.top >= 0 && {seen}.bottom <= innerHeight") == "true"
    code, text = await agent.fails("scroll", untilText="Item 9.9")
    assert code == "not_found"
    assert "up to the end" in text


async def test_text_of_a_virtual_list_is_reached(agent: Agent) -> None:
    await agent.open(
        "<div id=box style='overflow: auto; height: 300px; position: relative' tabindex=0>"
        "<div style='height: 20000px'></div><p id=row style='position: absolute'></p></div><script>"
        "box.onscroll = () => { row.style.top = `${box.scrollTop}px`;"
        " row.textContent = `Row ${Math.floor(box.scrollTop / 1000)}` }</script>"
    )
    text = await agent("scroll", uid="css=#box", untilText="Row 4")
    assert 'Found "Row 4".' in text


async def test_scrolling_needs_a_place(agent: Agent) -> None:
    await agent.open(LONG)
    assert (await agent.fails("scroll"))[0] == "bad_arguments"


@pytest.mark.parametrize("other", [False, True])
async def test_parts_of_frames_are_scrolled(agent: Agent, other: bool) -> None:
    frame = agent.site.page(f"<button>In</button>{LONG}<button>Below</button>", other=other)
    await agent.open(f"<iframe src='{frame}' width=400 height=300></iframe>{LONG}")
    text = await agent("scroll", uid='button "In"', direction="down", amount=200)
    assert "Scrolled down. In view: 200 to " in text
    assert await agent.value("scrollY") == "0"
    assert "There is more." not in await agent("scroll", uid='button "Below"')
