"""Pictures of the live view: some agents at work, looked at in another browser."""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

from tabmux.daemon.process.server_loop import cause
from tabmux.settings import Settings
from tests.agent import Agent
from tests.daemon.ui.person import Person, thumbnail
from tests.serving import running
from tests.site import Site

FOLDER = Path(__file__).resolve().parents[3] / "docs/pictures"
STYLE = (
    "<meta name=viewport content='width=device-width'><style>"
    "body{font:18px system-ui;margin:0;color:#223}header{background:COLOUR;color:#fff;padding:22px"
    " 34px;font-size:26px;font-weight:600}main{padding:26px 34px;display:grid;gap:14px;"
    "max-width:720px}input,button{font:inherit;padding:10px;border-radius:8px;border:1px solid #bbc}"
    "button{background:COLOUR;color:#fff;border:0}li{padding:4px}</style>"
)
PAGES = {
    "shopping": [
        ("Garden shop", "#2f7d4f", "<label>Search <input aria-label=Search></label><button>Find"
         "</button><ul><li>Spade, 24.00<li>Rake, 18.50<li>Watering can, 12.90</ul>"),
        ("Basket", "#2f7d4f", "<p>Two things in the basket.</p><button>Pay</button>"),
    ],
    "tickets": [
        ("Night trains", "#34508c", "<label>From <input aria-label=From></label><label>To "
         "<input aria-label=To></label><button>Search</button>"),
        ("Are you a robot?", "#8c3434", "<p>Type the word in the picture.</p>"
         "<input aria-label=Word><button>Go on</button>"),
    ],
    "research": [
        ("Tide tables", "#116a7b", "<ul><li>02:14 low<li>08:31 high<li>14:40 low</ul>"),
        ("Weather", "#5b4b9a", "<p>Wind from the west, some rain.</p><button>Tomorrow</button>"),
        ("Harbour map", "#116a7b", "<p>Three berths are free.</p><button>Reserve</button>"),
    ],
}  # fmt: skip


def page(title: str, colour: str, content: str) -> str:
    style = STYLE.replace("COLOUR", colour)
    return f"<title>{title}</title>{style}<header>{title}</header><main>{content}</main>"


async def work(agent: Agent, name: str) -> None:
    for number, (title, colour, content) in enumerate(PAGES[name]):
        if number:
            await agent("new_page", url="about:blank")
        await agent.open(page(title, colour, content))
    if name == "shopping":
        await agent("select_page", pageId=min(agent.session.pages))
        await agent("take_snapshot")
        await agent("fill", uid='textbox "Search"', value="spade")
        await agent("click", uid='button "Find"')
        await agent.reply("click", uid='button "Buy"')
    if name == "tickets":
        agent.session.enable(["human"])
        text = "Please type the word in the picture, I cannot read it."
        await agent("request_human", reason=text, sliceMilliseconds=1)


async def shoot(person: Person, name: str) -> None:
    picture = FOLDER / f"live-view-{name}.png"
    await person.browser("take_screenshot", filePath=str(picture))
    sys.stdout.write(f"{picture}\n")


async def take_pictures() -> None:
    launched = Settings(launch=True, headless=True, isolated=True)
    writing = replace(launched, allow_path=(str(FOLDER),))
    async with AsyncExitStack() as stack:
        site = stack.enter_context(Site())
        app = await stack.enter_async_context(running(launched))
        viewing = await stack.enter_async_context(running(writing))
        browser = await stack.enter_async_context(Agent.joined(viewing, site))
        person = Person(browser, app)
        agents = {}
        for name in PAGES:
            joined = Agent.joined(app, site, client="an agent", label=name)
            agents[name] = await stack.enter_async_context(joined)
            await work(agents[name], name)
        await browser("emulate", viewport="1360x980x1", colorScheme="light")
        await person.enter(text="Garden shop")
        # Those of the third session may be below what is seen.
        for name in ("shopping", "tickets"):
            for each in agents[name].session.pages.values():
                await person.until(f"{thumbnail(each)}?.dataset.frame")
        await agents["research"]("click", uid='button "Reserve"')
        await agents["shopping"]("click", uid='button "Find"')
        await shoot(person, "light")
        await browser("emulate", viewport="1360x980x1", colorScheme="dark")
        shop = agents["shopping"].session.pages[min(agents["shopping"].session.pages)]
        await person.open_page(shop)
        await person.press("Take over")
        await person.until("document.querySelector('.stage.mine .surface')")
        await person.press("Point")
        await person.until("document.querySelector('.pointing .surface')")
        await person.click_in_page(0.31, 0.28)
        await person.sees("What about it?")
        await person.until("document.querySelector('.picked')")
        await shoot(person, "dark")
        await browser("emulate", viewport="375x740x2,mobile", colorScheme="light")
        await person.value("void (location.hash = 'live') ?? 0")
        await person.sees("Night trains")
        await person.until(f"{thumbnail(shop)}?.dataset.frame")
        await shoot(person, "narrow")


if __name__ == "__main__":
    try:
        asyncio.run(take_pictures())
    except BaseExceptionGroup as group:
        raise cause(group) from None
