"""What is known to go wrong in chrome-devtools-mcp 1.11 does not go wrong here.

DEFECTS names, for each defect, the tests that show it; those without a file are below.
"""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from tabmux.daemon.app import App
from tests.agent import Agent
from tests.site import Site

DEFECTS: dict[int, tuple[str, tuple[str, ...]]] = {
    1: (
        "a script hangs while a dialog is open",
        ("test_dialogs.py::test_tools_that_need_the_page_are_refused_while_a_dialog_is_open",),
    ),
    2: (
        "a dialog that a script answered stays as a phantom",
        ("test_dialogs.py::test_script_answers_its_own_dialogs_and_leaves_none_behind",),
    ),
    3: ("a phantom dialog turns failures into successes", ("test_failure_after_a_dialog",)),
    4: (
        "a screenshot of a tab in the background hangs",
        ("test_screenshot.py::test_tab_in_the_background_is_drawn_at_once_and_stays_there",),
    ),
    5: (
        "a dialog that a reload killed stays listed",
        ("test_dialogs.py::test_reload_clears_a_dialog", "test_click_after_a_reload_works"),
    ),
    6: (
        "an overlay swallows a click that is reported as done",
        ("test_input.py::test_click_on_a_covered_element_names_what_covers_it",),
    ),
    7: (
        "what can never succeed takes five seconds and gives a vague reason",
        (
            "test_input.py::test_click_on_a_disabled_element_fails_at_once",
            "test_input.py::test_click_on_a_removed_element_says_that_it_is_gone",
            "test_input.py::test_fill_refuses_at_once_what_cannot_be",
        ),
    ),
    8: (
        "hidden text ends a wait",
        ("test_waiting.py::test_hidden_text_does_not_count",),
    ),
    9: (
        "filling a multiple choice has no effect",
        ("test_input.py::test_fill_chooses_several_options", "test_one_of_several_options_is_chosen"),
    ),
    10: (
        "the reason of a rejection is lost, and objects are opaque",
        ("test_console.py::test_message_is_listed_with_its_values",),
    ),
    11: (
        "navigations that failed are reported as done",
        (
            "test_navigation.py::test_address_that_cannot_be_visited_is_an_error",
            "test_pages.py::test_new_page_that_cannot_load_leaves_nothing_behind",
            "test_reload_without_a_network_fails",
            "test_click_that_leads_nowhere_says_so",
        ),
    ),
    12: ("a page opened in the background disturbs", ("test_page_in_the_background_disturbs_nobody",)),
    13: (
        "styles and heap snapshots cannot be looked at on Node 20",
        (
            "test_styles.py::test_rules_come_strongest_first_with_file_and_line",
            "test_memory.py::test_a_thousand_leaked_objects_are_reported_as_a_thousand",
        ),
    ),
    14: (
        "WebSockets, times, sizes and initiators of requests are missing",
        (
            "test_network.py::test_web_sockets_show_their_messages",
            "test_network.py::test_requests_are_listed_with_status_time_and_size",
        ),
    ),
    15: (
        "an id means two things, and lists come back empty or not at all",
        ("test_service_workers.py::test_same_worker_has_the_same_id_everywhere",
         "test_extensions.py::test_extension_lives_from_installation_to_removal",
         "test_no_list_is_answered_with_nothing"),
    ),
    16: ("uids of a verbose snapshot collide", ("test_every_uid_of_a_verbose_snapshot_is_unique",)),
    17: (
        "clearing a place puts the page at 0, 0, and user agents lack client hints",
        (
            "test_cleared_place_is_no_place",
            "test_emulation.py::test_page_sees_it_and_it_survives_a_navigation_and_is_undone",
        ),
    ),
    18: ("every action waits, and seconds on busy pages", ("test_busy_page_keeps_no_action_waiting",)),
    19: (
        "snapshots have no budget, no subtree, no search and no difference",
        (
            "test_snapshot.py::test_budget_leaves_out_what_matters_least_and_says_what",
            "test_snapshot.py::test_snapshot_of_an_element_keeps_the_other_uids",
            "test_find.py::test_elements_are_found_with_uid_and_place",
            "test_batch.py::test_action_shows_what_changed",
        ),
    ),
    20: (
        "what scripts throw is dropped, and promises that never settle hang",
        (
            "test_script.py::test_failure_says_what_was_thrown",
            "test_script.py::test_promise_that_never_settles_is_given_up",
        ),
    ),
    21: (
        "answers are long: unpaged comparisons, boilerplate, lists of all keys",
        (
            "test_memory.py::test_a_thousand_leaked_objects_are_reported_as_a_thousand",
            "test_wrong_key_is_answered_briefly",
            "test_trace_has_no_boilerplate",
        ),
    ),
}  # fmt: skip


def test_every_defect_is_shown_by_a_test() -> None:
    assert list(DEFECTS) == list(range(1, 22))
    here = Path(__file__)
    for number, (_, tests) in DEFECTS.items():
        for test in tests:
            file, _, name = test.rpartition("::")
            place = next(here.parent.rglob(file)) if file else here
            text = place.read_text(encoding="utf-8")
            assert re.search(rf"^(async )?def {name}\b", text, re.MULTILINE), f"{number}: {test}"


async def test_failure_after_a_dialog(agent: Agent) -> None:
    await agent.open("<button disabled>Off</button>")
    await agent("evaluate_script", function="() => alert('answered')", dialogAction="accept")
    code, text = await agent.fails("click", uid=agent.uid("button"))
    assert code != "dialog_open"
    assert "dialog" not in text


async def test_click_after_a_reload_works(agent: Agent) -> None:
    await agent.open("<title>t</title><button onclick='alert(1)'>Go</button>")
    await agent("click", uid=agent.uid("button"))
    await agent("navigate_page", type="reload")
    await agent("take_snapshot")
    assert "# Open dialog\nalert: 1" in await agent("click", uid=agent.uid("button"))
    await agent("handle_dialog", action="accept")


async def test_one_of_several_options_is_chosen(agent: Agent) -> None:
    await agent.open(
        "<select multiple aria-label=Many><option>One<option selected>Two<option>Three</select>"
    )
    await agent("fill", uid=agent.uid("listbox"), value="Three")
    chosen = "[...document.querySelector('select').selectedOptions].map(o => o.text)"
    assert await agent.value(chosen) == '["Three"]'


async def test_reload_without_a_network_fails(agent: Agent) -> None:
    await agent.open("<title>t</title>")
    await agent("emulate", networkConditions="Offline")
    _, text = await agent.fails("navigate_page", type="reload")
    assert "ERR_INTERNET_DISCONNECTED" in text
    await agent("emulate")


async def test_click_that_leads_nowhere_says_so(agent: Agent) -> None:
    await agent.open("<a href='http://127.0.0.1:1/'>Nowhere</a>")
    text = await agent("click", uid=agent.uid("link"))
    assert "It could not be loaded: net::ERR_UNSAFE_PORT" in text


async def test_page_in_the_background_disturbs_nobody(agent: Agent, app: App, site: Site) -> None:
    front = site.page("<title>Front</title>")
    await agent("new_page", url=front, background=False)
    async with Agent.joined(app, site) as other:
        await other("new_page", url=site.page("<title>Behind</title>"), background=True)
        assert "Behind" in await other("list_pages")
    assert f"({front}) [selected]" in await agent("list_pages")
    page = agent.session.pages[agent.session.selected or 0]
    # Without the emulation that lets tabs behind work, a page knows whether it is in front.
    await page.attached_page.channel.call("Emulation.setFocusEmulationEnabled", {"enabled": False})
    assert await agent.value("document.visibilityState") == '"visible"'


async def test_no_list_is_answered_with_nothing(agent: Agent) -> None:
    await agent.open("<title>t</title>")
    for tool in await agent.tools():
        if tool.startswith("list_"):
            assert (await agent(tool)).strip(), tool


async def test_every_uid_of_a_verbose_snapshot_is_unique(agent: Agent) -> None:
    await agent.open("<p>Some <b>text</b> in <i>parts</i>, long enough to need more lines.</p>" * 5)
    uids = re.findall(r"uid=(\S+)", await agent("take_snapshot", verbose=True))
    assert len(uids) > 15
    assert len(uids) == len(set(uids))


async def test_cleared_place_is_no_place(agent: Agent, app: App) -> None:
    await agent.open("<title>t</title>")
    page = agent.session.pages[agent.session.selected or 0]
    browser = app.browsers.browser_of(page)
    assert browser is not None
    grant = {"permissions": ["geolocation"], "origin": agent.site.origin}
    await browser.channel.call("Browser.grantPermissions", grant)
    where = (
        "new Promise(done => navigator.geolocation.getCurrentPosition("
        "p => done([p.coords.latitude, p.coords.longitude]), () => done('nowhere'), {timeout: SECONDS * 1000}))"
    )
    await agent("emulate", geolocation="10,20")
    assert await agent.value(where.replace("SECONDS", "10")) == "[10,20]"
    await agent("emulate", colorScheme="dark")
    assert await agent.value(where.replace("SECONDS", "1")) == '"nowhere"'
    await agent("emulate")


async def test_busy_page_keeps_no_action_waiting(agent: Agent) -> None:
    await agent.open(
        "<title>t</title><p id=p></p><button onclick='document.title = 1'>Go</button>"
        "<script>setInterval(() => p.setAttribute('x', Math.random()), 20)</script>"
    )
    button, times = agent.uid("button"), []
    for _ in range(3):
        started = time.monotonic()
        await agent("click", uid=button)
        times.append(time.monotonic() - started)
    # The peer takes six.
    assert min(times) < 5
    assert await agent.value("document.title") == '"1"'


@pytest.mark.parametrize("key", ["Nope", "Control+Nope", ""])
async def test_wrong_key_is_answered_briefly(agent: Agent, key: str) -> None:
    _, text = await agent.fails("press_key", key=key)
    assert len(text) < 200


async def test_trace_has_no_boilerplate(whole: Agent) -> None:
    await whole.open("<title>t</title><h1>Hello</h1>")
    text = await whole("performance_start_trace")
    assert "LCP" in text
    assert len(text) < 2500
