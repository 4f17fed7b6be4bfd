from __future__ import annotations

from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest

from tabmux.cdp.channel import Channel
from tabmux.concurrency import TaskOwner
from tabmux.daemon.app import App
from tabmux.page.handle import PageHandle
from tabmux.policy.own_addresses import OWN
from tests.agent import Agent
from tests.daemon.ui.person import Person, thumbnail

FIELD = (
    "<title>Form</title><body style='margin:0;background:#ff0000'>"
    "<input aria-label=Name style='position:fixed;left:40vw;top:40vh;width:20vw;height:20vh'>"
)
BUY = (
    "<title>Shop</title><body style='margin:0'>"
    "<button style='position:fixed;left:40vw;top:40vh;width:20vw;height:20vh'>Buy</button>"
)
HOSTILE = "<title>&lt;img src=x onerror=document.title='hacked'&gt;</title><p>hello"
# For the server to hear that a page has left.
LEFT_SECONDS = 20.0
SLOW = "() => new Promise(done => setTimeout(done, 25000))"


@pytest.fixture
async def person(app: App, whole: Agent) -> AsyncIterator[Person]:
    """Somebody with a browser of their own."""
    await whole("resize_page", width=1200, height=800)
    yield Person(whole, app)
    await whole("navigate_page", url="about:blank")


def page_of(agent: Agent) -> PageHandle:
    return agent.session.pages[agent.session.selected or 0]


async def run(agent: Agent, script: str) -> None:
    channel = page_of(agent).attached_page.channel
    await channel.call("Runtime.evaluate", {"expression": script})


async def test_two_agents_are_seen_at_work(app: App, agent: Agent, person: Person) -> None:
    async with Agent.joined(app, agent.site, client="second", label="other") as other:
        await agent.open(FIELD)
        await other.open(BUY)
        await person.enter()
        await person.sees("second")
        for each in (agent, other):
            await person.until(f"{thumbnail(page_of(each))}?.dataset.frame")
        red, green, _ = await person.colour(page_of(agent))
        assert red > 200
        assert green < 50

        await agent("evaluate_script", function="() => {document.body.style.background='#00ff00'}")
        frame = await person.value(f"{thumbnail(page_of(agent))}.dataset.frame")
        await person.until(f"{thumbnail(page_of(agent))}.dataset.frame !== '{frame}'")
        red, green, _ = await person.colour(page_of(agent))
        assert green > 200
        assert red < 50
        await person.sees("evaluate_script")


async def test_a_person_takes_over_types_and_hands_back(
    agent: Agent, person: Person, tasks: TaskOwner
) -> None:
    await agent.open(FIELD)
    await person.enter()
    await person.open_page(page_of(agent))
    await person.press("Take over")
    await person.until("document.querySelector('.stage.mine .surface')")

    waiting = tasks.start(agent("take_snapshot"))
    await person.click_in_page(0.5, 0.5)
    await person.browser("type_text", text="Ann")
    name = "document.querySelector('input').value"
    page = page_of(agent).attached_page
    await page.signal.until(lambda: False, 0.05)
    for _ in range(100):
        found = await page.channel.call("Runtime.evaluate", {"expression": name})
        if found["result"]["value"] == "Ann":
            break
        await page.signal.wait(0.05)
    assert found["result"]["value"] == "Ann"
    assert not waiting.done()

    await person.press("Hand back")
    text = await waiting
    assert f"A person worked on page {page.id}." in text
    assert 'textbox "Name" focusable focused value="Ann"' in text or 'value="Ann"' in text


async def typed(agent: Agent, wanted: str) -> str:
    """Return what a person has typed, when it is what is wanted or nothing more comes."""
    page, found = page_of(agent).attached_page, ""
    for _ in range(100):
        told = await page.channel.call(
            "Runtime.evaluate", {"expression": "document.querySelector('input').value"}
        )
        if (found := told["result"]["value"]) == wanted:
            break
        await page.signal.wait(0.05)
    return found


async def has_field(agent: Agent, person: Person) -> Channel:
    """Have the person take over a field, and return what the person's keyboard is driven by."""
    await agent.open(FIELD)
    await person.enter()
    await person.open_page(page_of(agent))
    await person.press("Take over")
    await person.until("document.querySelector('.stage.mine .surface')")
    await person.click_in_page(0.5, 0.5)
    return page_of(person.browser).attached_page.channel


async def test_what_an_input_method_writes_is_typed(agent: Agent, person: Person) -> None:
    keyboard = await has_field(agent, person)
    composing = {"text": "にほ", "selectionStart": 2, "selectionEnd": 2}
    await keyboard.call("Input.imeSetComposition", composing)
    await keyboard.call("Input.insertText", {"text": "日本"})
    assert await typed(agent, "日本") == "日本"
    # As keyboards on the screen do it, whose keys say nothing.
    await keyboard.call("Input.insertText", {"text": "x"})
    await keyboard.call("Input.insertText", {"text": "ö"})
    assert await typed(agent, "日本xö") == "日本xö"
    taken = {"key": "Unidentified", "windowsVirtualKeyCode": 229, "commands": ["deleteBackward"]}
    await keyboard.call("Input.dispatchKeyEvent", {"type": "rawKeyDown", **taken})
    assert await typed(agent, "日本x") == "日本x"


@pytest.mark.parametrize(("platform", "text"), [("MacIntel", "@"), ("Linux x86_64", "")])
async def test_option_writes_on_a_mac_and_alt_elsewhere_does_not(
    agent: Agent, person: Person, platform: str, text: str
) -> None:
    keyboard = page_of(person.browser).attached_page.channel
    agent_of_user = await person.value("navigator.userAgent")
    wanted = {"userAgent": agent_of_user, "platform": platform}
    await keyboard.call("Emulation.setUserAgentOverride", wanted)
    keyboard = await has_field(agent, person)
    option = {"key": "@", "code": "KeyL", "modifiers": 1, "windowsVirtualKeyCode": 76}
    plain = {"key": "b", "code": "KeyB", "text": "b", "windowsVirtualKeyCode": 66}
    for key in (option, plain):
        for kind in ("rawKeyDown" if key is option else "keyDown", "keyUp"):
            await keyboard.call("Input.dispatchKeyEvent", {"type": kind, **key})
    assert await typed(agent, f"{text}b") == f"{text}b"
    await keyboard.call("Emulation.setUserAgentOverride", {"userAgent": ""})


async def test_a_page_in_a_persons_hands_is_open_to_everybody(agent: Agent, person: Person) -> None:
    await has_field(agent, person)
    text = await person.browser("audit_page", categories=["accessibility"])
    assert text.startswith("0 findings"), text


async def test_a_person_pauses_lets_go_on_and_stops(
    agent: Agent, person: Person, tasks: TaskOwner
) -> None:
    await agent.open(BUY)
    await person.enter()
    name = agent.session.visible_name
    await person.press(f"Pause {name}")
    await person.sees("paused")
    waiting = tasks.start(agent("list_pages"))
    await person.press(f"Resume {name}")
    assert "Shop" in await waiting

    slow = tasks.start(agent.fails("evaluate_script", function=SLOW))
    await person.sees("1 call running")
    await person.press(f"Stop {name}")
    assert (await slow)[0] == "stopped_by_human"


async def test_a_person_points_at_an_element(agent: Agent, person: Person) -> None:
    await agent.open(BUY)
    await person.enter()
    await person.open_page(page_of(agent))
    await person.press("Point")
    await person.until("document.querySelector('.pointing .surface')")
    await person.click_in_page(0.5, 0.5)
    await person.sees('button "Buy"')
    await person.browser("fill", uid='textbox "What about it?"', value="This one, please")
    await person.press("Tell the agent")
    await person.sees("The agent will be told")

    text = await agent("list_pages")
    assert "says: “This one, please”" in text
    assert 'locator: button "Buy"' in text
    assert f"uid={agent.session.name}" in text
    assert "box: x=" in text


async def test_pointing_answers_an_agent_that_asks(
    app: App, person: Person, tasks: TaskOwner, agent: Agent
) -> None:
    agent.session.enable(["human"])
    await agent.open(BUY)
    asked = tasks.start(agent("request_human", reason="Which one do you want?"))
    await person.enter(text="Which one do you want?")
    await person.press("Show page")
    await person.until("document.querySelector('.stage canvas')?.dataset.frame")
    await person.press("Point")
    await person.until("document.querySelector('.pointing .surface')")
    await person.click_in_page(0.5, 0.5)
    await person.sees('button "Buy"')
    await person.press("Tell the agent")
    text = await asked
    assert text.startswith("A person has done it.")
    assert 'locator: button "Buy"' in text


async def test_a_person_says_that_it_is_done(
    agent: Agent, person: Person, tasks: TaskOwner
) -> None:
    agent.session.enable(["human"])
    await agent.open(FIELD)
    asked = tasks.start(agent("request_human", reason="Solve the captcha"))
    await person.enter(text="Solve the captcha")
    await person.press("Show page")
    await person.press("Take over")
    await person.until("document.querySelector('.stage.mine .surface')")
    await run(agent, "document.querySelector('input').value = '42'")
    await person.press("Done")
    assert 'value="42"' in await asked
    assert not page_of(agent).control.person


async def test_who_only_views_cannot_type(app: App, agent: Agent, person: Person) -> None:
    await agent.open(FIELD)
    await person.enter("view", text="view only")
    await person.open_page(page_of(agent))
    assert not await person.value(
        "[...document.querySelectorAll('button')].some(each => each.textContent === 'Take over')"
    )
    # What the page does not offer, a program of the viewer's could send all the same.
    ident = page_of(agent).id
    told = await person.value(
        f"""new Promise((resolve) => {{
          const socket = new WebSocket(location.origin.replace('http', 'ws') + '/ui/socket');
          const send = (message) => socket.send(JSON.stringify({{page: {ident}, ...message}}));
          socket.onopen = () => {{
            send({{type: 'take'}});
            send({{type: 'text', text: 'hacked'}});
            send({{type: 'pause', session: '{agent.session.name}'}});
            send({{type: 'point', x: 0.5, y: 0.5, sentence: 'hacked'}});
            send({{type: 'runs'}});
          }};
          socket.onmessage = ({{data}}) => {{
            const message = typeof data === 'string' ? JSON.parse(data) : {{}};
            if (message.type === 'runs') resolve(message.type);
          }};
        }})"""
    )
    assert told == "runs"
    assert not page_of(agent).control.person
    assert not agent.session.steering.is_paused
    assert not agent.session.steering.notes
    assert "hacked" not in await agent("take_snapshot")


async def test_what_a_page_calls_itself_is_only_text(agent: Agent, person: Person) -> None:
    await agent.open(HOSTILE)
    await person.enter(text="<img src=x onerror=document.title='hacked'>")
    assert await person.value("document.title") == "tabmux"
    assert await person.value("document.querySelectorAll('img').length") == 0
    await person.open_page(page_of(agent))
    assert await person.value("document.querySelector('h2').textContent") == (
        "<img src=x onerror=document.title='hacked'>"
    )
    assert await person.value("document.title") == "tabmux"


@pytest.mark.parametrize("view", ["live", "runs", "health", "page"])
@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_nobody_is_shut_out(agent: Agent, person: Person, view: str, theme: str) -> None:
    await agent.open(FIELD)
    await person.browser("emulate", colorScheme=theme)
    await person.enter()
    where = f"live/{page_of(agent).id}" if view == "page" else view
    await person.value(f"void (location.hash = '{where}') ?? 0")
    heading = {"live": "Form", "runs": "Runs", "health": "Browsers", "page": "Take over"}[view]
    await person.sees(heading)
    text = await person.browser("audit_page", categories=["accessibility"])
    assert text.startswith("0 findings"), text


@pytest.mark.parametrize("view", ["live", "runs", "health", "page"])
async def test_it_fits_on_a_narrow_screen(agent: Agent, person: Person, view: str) -> None:
    await agent.open(FIELD)
    await person.browser("emulate", viewport="375x700x2,mobile")
    await person.enter()
    where = f"live/{page_of(agent).id}" if view == "page" else view
    await person.value(f"void (location.hash = '{where}') ?? 0")
    heading = {"live": "Form", "runs": "Runs", "health": "Browsers", "page": "Take over"}[view]
    await person.sees(heading)
    assert await person.value("document.documentElement.scrollWidth") <= 375


async def test_nothing_is_filmed_when_nobody_looks(app: App, agent: Agent, person: Person) -> None:
    await agent.open(FIELD)
    await person.enter()
    await person.until(f"{thumbnail(page_of(agent))}?.dataset.frame")
    frames = page_of(agent).attached_page.live_frames
    assert frames.is_filming
    await person.browser("navigate_page", url="about:blank")
    for _ in range(100):
        if not app.viewers and not frames.is_filming:
            break
        await page_of(agent).signal.wait(0.05)
    assert not app.viewers
    assert not frames.is_filming


async def test_the_log_shows_each_call_with_what_came_of_it(agent: Agent, person: Person) -> None:
    await agent.open(BUY)
    await person.enter()
    await agent("click", uid='button "Buy"')
    await agent.reply("click", uid='button "Sell"')
    await person.until("document.querySelector('.entry.failed')")
    entry = await person.value("document.querySelector('.entry.failed summary').textContent")
    assert "click" in entry
    assert "not_found" in entry
    await person.browser("click", uid="css=.entry.failed summary")
    await person.sees("No element is")

    await person.browser("click", uid='checkbox "failed"')
    await person.until("document.querySelectorAll('.entry:not(.failed)').length === 0")


async def test_runs_of_the_past_are_read_call_by_call(agent: Agent, person: Person) -> None:
    await agent.open("<title>Old times</title><p>hello")
    await agent.session.close()
    await person.enter(text="tabmux")
    await person.press("Runs")
    await person.until("document.querySelector('.runs li button')")
    await person.browser("click", uid="css=.runs li:first-child button")
    await person.sees("Call 1 of")
    assert await person.value("document.querySelectorAll('.entry').length") > 0


async def test_every_bar_of_a_long_run_leads_to_its_call(person: Person) -> None:
    await person.enter(text="tabmux")
    await person.press("Runs")
    entry = (
        "run: '1', session: 'a', tool: 'click', arguments: '{}', elements: [], page: 1, url: '', "
        "code: null, error: '', milliseconds: 1, characters: 1, diff: '', picture: '', steps: []"
    )
    count = 300
    await person.value(
        "import('/ui/static/store.js').then(({take}) => { take({type: 'run', run: '1', entries: "
        f"Array.from({{length: {count}}}, (_, number) => ({{ {entry}, number, time: number }})) }});"
        " return true; })"
    )
    calls = "document.querySelectorAll('.entry').length"
    await person.until(f"{calls} > 0")
    for shown in (200, count):
        assert await person.value(calls) == shown
        assert await person.value("document.querySelectorAll('.timeline rect').length") == shown
        if shown < count:
            await person.press("Later calls")
            await person.until(f"{calls} > {shown}")


async def test_a_person_is_asked_for_consent_where_the_client_cannot_ask(
    app: App, agent: Agent, person: Person, tasks: TaskOwner
) -> None:
    await person.enter(text="tabmux")
    # The page shows its name before it is connected.
    assert await app.live_view.signal.until(lambda: bool(app.viewers), LEFT_SECONDS)
    for answer, outcome in (("Allow", True), ("Refuse", False)):
        question = app.services.people.confirmed(agent.session, "Delete the account?")
        asked = tasks.start(question)
        await person.sees("Delete the account?")
        await person.press(answer)
        assert await asked is outcome


async def test_nobody_is_asked_for_consent_when_nobody_looks(app: App, agent: Agent) -> None:
    # A page of another test may have left just now, which is not yet heard of here.
    assert await app.live_view.signal.until(lambda: not app.viewers, LEFT_SECONDS)
    assert await app.services.people.confirmed(agent.session, "Delete the account?") is None


async def test_no_agent_comes_to_where_people_decide(
    app: App, agent: Agent, person: Person, tasks: TaskOwner
) -> None:
    """It would have the cookie of a person who looks with the same browser, and could say yes."""
    await person.enter()
    await person.browser("navigate_page", url="about:blank")
    port = urlsplit(await app.ui_server.link("steer", 60)).port
    OWN.add(port or 0)
    ui = f"http://127.0.0.1:{port}"
    for url in (
        f"{ui}/ui/",
        f"{ui}/ui/enter?pass=made.up",
        f"{ui}/ui/enter?{'&a=1' * 100}",
        f"{ui}/nothing",
        f"http://2130706433:{port}/",
        f"view-source:{ui}/ui/",
    ):
        code, text = await agent.fails("navigate_page", url=url)
        assert code == "refused_by_policy", text
        assert (await agent.fails("new_page", url=url))[0] == "refused_by_policy"
    # By itself a page goes there all the same; no tool does anything then.
    await agent.open(f"<a href='{ui}/nothing'>Go</a>")
    await agent.reply("click", uid='link "Go"')
    for tool, arguments in (
        ("evaluate_script", {"function": "() => document.cookie"}),
        ("take_snapshot", {}),
        ("click_at", {"x": 5, "y": 5}),
    ):
        assert (await agent.fails(tool, **arguments))[0] == "refused_by_policy"
    await agent("navigate_page", url="about:blank")


async def test_script_of_an_agent_gets_no_socket_of_the_live_view(app: App, agent: Agent) -> None:
    # A person looks with the browser that the agent drives.
    await Person(agent, app).enter()
    port = urlsplit(await app.ui_server.link("steer", 60)).port or 0
    script = f"""if (location.port === '{port}') {{
      const socket = new WebSocket('ws://' + location.host + '/ui/socket');
      socket.onmessage = () => {{ document.title = 'let in' }};
    }}"""
    going = f"<script>location = 'http://127.0.0.1:{port}/nothing'</script>"
    OWN.add(port)
    await agent("new_page", url="about:blank")
    page = page_of(agent)
    url = agent.site.page(going)
    await agent.reply("navigate_page", url=url, initScript=script, timeout=5000)
    assert await page.signal.until(
        lambda: page.id not in agent.session.pages or page.title == "let in", 20
    )
    assert page.title != "let in"
    OWN.forget(port)
