"""Service workers as targets of scripts."""

from __future__ import annotations

import itertools
import re
import time
from pathlib import Path

import pytest

from tabmux.daemon.app import App
from tabmux.settings import Settings
from tests.agent import Agent
from tests.serving import running
from tests.site import Site
from tests.tools.browser.test_extensions import extension

numbers = itertools.count()
READY = "async () => { await navigator.serviceWorker.ready; return 'ready' }"


async def served(agent: Agent, code: str = "self.mine = 42", *, context: str = "") -> str:
    """Open a page with a service worker; returns the worker's id."""
    script = agent.site.page(code, kind="text/javascript")
    page = agent.site.page(f"<script>navigator.serviceWorker.register('{script}')</script>")
    await agent("new_page", url=page, **({"isolatedContext": context} if context else {}))
    # The scope of a worker is the folder of its script, which is the whole site.
    await agent("evaluate_script", function=READY)
    found = re.search(rf"^(sw-\d+): {re.escape(script)}$", await agent("list_pages"), re.MULTILINE)
    assert found
    return found[1]


@pytest.fixture
async def worker(agent: Agent) -> str:
    """A service worker of a page of its own, in a context of its own.

    In one that another test left its worker in, that worker would be the one that is ready.
    """
    return await served(agent, context=f"service workers {next(numbers)}")


async def test_script_runs_in_the_worker(agent: Agent, worker: str) -> None:
    look = "async () => [mine, self.constructor.name, typeof document]"
    text = await agent("evaluate_script", function=look, serviceWorkerId=worker)
    assert f"Script ran in {worker} and returned:" in text
    assert '[42,"ServiceWorkerGlobalScope","undefined"]' in text


@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        ({"function": "() => undefined"}, "undefined"),
        ({"function": "() => new Map([['a', 10n]])"}, '{"a":"10n"}'),
        ({"function": "1 + 1"}, "2"),
        ({"function": "const x = await Promise.resolve([mine]); x", "format": "script"}, "[42]"),
    ],
)
async def test_values_are_shown_as_those_of_a_page(
    agent: Agent, worker: str, arguments: dict[str, str], result: str
) -> None:
    text = await agent("evaluate_script", serviceWorkerId=worker, **arguments)
    assert f"```json\n{result}\n```" in text


async def test_what_is_thrown_is_told(agent: Agent, worker: str) -> None:
    code, text = await agent.fails(
        "evaluate_script", function="() => { throw new TypeError('bad') }", serviceWorkerId=worker
    )
    assert (code, "TypeError: bad" in text) == ("script_failed", True)


async def test_endless_loop_is_stopped_and_the_worker_lives_on(agent: Agent, worker: str) -> None:
    began = time.monotonic()
    code, text = await agent.fails(
        "evaluate_script", function="() => { while (true); }", serviceWorkerId=worker, timeout=400
    )
    assert code == "deadline"
    assert "was stopped" in text
    assert "42" in await agent("evaluate_script", function="() => mine", serviceWorkerId=worker)
    assert time.monotonic() - began < 8


async def test_result_goes_to_a_file(agent: Agent, worker: str, tmp_path: Path) -> None:
    text = await agent(
        "evaluate_script",
        function="() => mine",
        serviceWorkerId=worker,
        filePath=str(tmp_path / "out"),
    )
    assert f"Script ran in {worker}. Output saved to {tmp_path}/out.json." in text
    assert (tmp_path / "out.json").read_text() == "42"


async def test_call_goes_to_the_page_that_the_worker_serves(agent: Agent, worker: str) -> None:
    busy = await agent("new_page", url=agent.site.page("<button onclick=alert(1)>Go</button>"))
    await agent("take_snapshot")
    await agent("click", uid=agent.uid("button"))
    assert "42" in await agent("evaluate_script", function="() => mine", serviceWorkerId=worker)
    await agent("handle_dialog", action="accept")
    selected = re.search(r"^(\d+): .*\[selected\]", busy, re.MULTILINE)
    assert selected
    code, _ = await agent.fails(
        "evaluate_script", function="() => 1", serviceWorkerId=worker, pageId=int(selected[1])
    )
    assert code == "wrong_page"


async def test_same_worker_has_the_same_id_everywhere(agent: Agent) -> None:
    worker = await served(agent, "console.log('from it')", context="same")
    listed = ""
    end = time.monotonic() + 10
    while "from it" not in listed and time.monotonic() < end:
        listed = await agent("list_console_messages", serviceWorkerId=worker)
    number = re.search(r"msgid=(\d+) \[log\] from it", listed)
    assert number
    assert f"({worker})" in await agent("get_console_message", msgid=int(number[1]))
    assert "from it" not in await agent("list_console_messages", serviceWorkerId=f"{worker}0")
    await agent("new_page", url=agent.site.page("again"), isolatedContext="same")
    assert (await agent("list_pages")).count(f"{worker}: ") == 1


async def test_elements_are_not_passed(agent: Agent, worker: str) -> None:
    await agent.open("<button>Go</button>")
    code, text = await agent.fails(
        "evaluate_script",
        function="(el) => el",
        args=[agent.uid("button")],
        serviceWorkerId=worker,
    )
    assert code == "bad_arguments"
    assert "A service worker takes no args." in text


async def test_other_sessions_neither_see_nor_reach_it(
    agent: Agent, app: App, site: Site, worker: str
) -> None:
    async with Agent.joined(app, site) as other:
        await other.open("x")
        assert worker not in await other("list_pages")
        code, text = await other.fails(
            "evaluate_script", function="() => mine", serviceWorkerId=worker
        )
        assert code == "no_such_worker"
        assert "list_pages" in text


async def test_workers_of_extensions_are_targets_too(whole: Agent, tmp_path: Path) -> None:
    installed = await whole("install_extension", path=str(extension(tmp_path / "extension")))
    ident = installed.split("Id: ")[1]
    await whole.open("x")
    address = f"chrome-extension://{ident}/worker.js"
    found = re.search(rf"^(sw-\d+): {re.escape(address)}$", await whole("list_pages"), re.MULTILINE)
    assert found
    text = await whole(
        "evaluate_script", function="() => chrome.runtime.id", serviceWorkerId=found[1]
    )
    assert f'"{ident}"' in text
    code, _ = await whole.fails(
        "evaluate_script", function="() => { while (1); }", serviceWorkerId=found[1], timeout=300
    )
    assert code == "deadline"
    await whole("uninstall_extension", id=ident)
    end = time.monotonic() + 10
    while address in await whole("list_pages"):
        assert time.monotonic() < end


async def test_without_scripts_there_is_no_way_into_a_worker(site: Site) -> None:
    settings = Settings(launch=True, headless=True, isolated=True, no_javascript_evaluation=True)
    async with running(settings) as app, Agent.joined(app, site) as agent:
        code, _ = await agent.fails("evaluate_script", function="() => 1", serviceWorkerId="sw-1")
        assert code == "refused_by_policy"
