from __future__ import annotations

import pytest

from tests.agent import Agent

# In the document, in open and closed shadow roots, and in frames of this and another process.
BUTTON = "<button data-testid={0} class={0} onclick=\"top.postMessage('{0}', '*')\">{0}</button>"
PLACES = ["plain", "open", "closed", "near", "far"]


async def open_places(agent: Agent) -> None:
    near, far = (agent.site.page(BUTTON.format(name)) for name in ("near", "far"))
    hosts = "".join(
        f"<div class=host-{mode}></div><script>document.querySelector('.host-{mode}')"
        f".attachShadow({{mode: '{mode}'}}).innerHTML = `{BUTTON.format(mode)}`</script>"
        for mode in ("open", "closed")
    )
    html = (
        f"{BUTTON.format('plain')}{hosts}<iframe src='{near}'></iframe>"
        f"<iframe src='{far.replace('127.0.0.1', 'localhost')}'></iframe>"
        "<script>heard = ''; onmessage = (event) => { heard += event.data }</script>"
    )
    await agent("navigate_page", url=agent.site.page(html))


@pytest.mark.parametrize("form", ['button "{}"', "testid={}", "css=.{}"])
async def test_elements_are_found_wherever_they_are_without_a_snapshot(
    agent: Agent, form: str
) -> None:
    await open_places(agent)
    for name in PLACES:
        await agent("click", uid=form.format(name))
    assert await agent.value("heard") == f'"{"".join(PLACES)}"'


async def test_a_selector_is_looked_for_in_the_frame_that_is_named_alone(agent: Agent) -> None:
    await open_places(agent)
    for frame in ("main", f"{agent.site.origin.replace('127.0.0.1', 'localhost')}/"):
        await agent("click", uid=f"frame={frame} css=body > button")
    assert await agent.value("heard") == '"plainfar"'
    for uid in ("frame=main css=.near", "frame=https://elsewhere.example/ css=.near"):
        assert (await agent.fails("click", uid=uid))[0] == "not_found"


async def test_action_on_a_located_element_tells_what_changed(agent: Agent) -> None:
    html = "<button class=b onclick='document.body.append(`done`)'>Go</button>"
    for uid in ('button "Go"', "css=.b"):
        await agent("navigate_page", url=agent.site.page(html))
        assert '+ "done"' in await agent("click", uid=uid)


async def test_changes_are_told_from_what_was_shown_last(agent: Agent) -> None:
    await agent.open("<button onclick='document.body.append(` clicked `)'>Go</button>")
    page = next(iter(agent.session.pages.values())).attached_page
    await page.channel.call("Runtime.evaluate", {"expression": "document.body.append(' before ')"})
    text = await agent("click", uid='button "Go"')
    assert "before" in text
    assert "clicked" in text


@pytest.mark.parametrize("form", ['button "Go"', "testid=go", "css=button"])
async def test_several_elements_are_refused_and_listed_with_uids(agent: Agent, form: str) -> None:
    await agent.open(
        "<button data-testid=go>Go</button>"
        "<button data-testid=go onclick='document.title = `second`'>Go</button>"
    )
    code, text = await agent.fails("click", uid=form)
    assert code == "ambiguous"
    uids = [line.split(" ")[0] for line in text.split("uid=")[1:]]
    await agent("click", uid=uids[1])
    assert await agent.value("document.title") == '"second"'


@pytest.mark.parametrize("form", ['button "No"', "testid=no", "css=.no"])
async def test_element_that_is_not_there_is_refused(agent: Agent, form: str) -> None:
    await agent.open("<button>Go</button>")
    assert (await agent.fails("click", uid=form))[0] == "not_found"


async def test_what_is_no_selector_is_refused(agent: Agent) -> None:
    await agent.open("<button>Go</button>")
    assert (await agent.fails("click", uid="css=[["))[0] == "bad_arguments"


async def test_every_argument_that_takes_a_uid_takes_a_locator(whole: Agent) -> None:
    await whole.open("<input aria-label=Name><button class=b>Go</button>")
    await whole("fill_form", elements=[{"uid": 'textbox "Name"', "value": "Ann"}])
    text = await whole(
        "evaluate_script",
        function="(a, b) => a.value + b.textContent",
        args=["css=input", "css=.b"],
    )
    assert '"AnnGo"' in text
    assert "button" in await whole("get_box", uid='button "Go"')
    assert 'button "Go"' in await whole("take_snapshot", uid="css=.b")
