"""The tests of the tools once more, in a browser that is reached through its extension."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

TOPICS = (
    "debugging.console", "core.dialogs", "debugging.emulation", "capture.find", "core.input",
    "core.navigation", "debugging.network", "core.pages", "capture.screenshot",
    "debugging.script", "capture.snapshot", "core.waiting",
)  # fmt: skip

# What Chrome keeps from extensions; docs/extension.md says the same to users.
FLOODS = "One worker carries the events of all tabs."
CONTEXTS = "Chrome gives an extension no browser contexts."
IMPOSSIBLE = {
    "test_isolated_contexts_share_nothing_and_are_reused_by_name": CONTEXTS,
    "test_service_workers_answers_are_marked": CONTEXTS,
    "test_shared_and_service_workers_log_to_the_same_console": CONTEXTS,
    "test_flood_of_messages_costs_a_fixed_amount_and_delays_nobody": FLOODS,
    "test_tab_behind_another_is_resized_too_and_stays_so": "The size is emulated there.",
    "test_popup_whose_server_does_not_answer_says_so_at_once": "The extension attaches late.",
    "test_endless_loop_is_stopped_and_the_page_lives_on": "Chrome lets no extension stop a script.",
}


def _tests() -> Iterator[tuple[str, Callable[..., Any]]]:
    for place in TOPICS:
        group, topic = place.split(".")
        module = importlib.import_module(f"tests.tools.{group}.test_{topic}")
        for name, found in vars(module).items():
            if name.startswith("test_") and callable(found):
                reason = IMPOSSIBLE.get(name)
                yield f"test_{topic}_{name.removeprefix('test_')}", _skipped(reason) or found


def _skipped(reason: str | None) -> Callable[[], None] | None:
    # Not the test itself with a mark: that would be skipped elsewhere too.
    if reason is None:
        return None

    @pytest.mark.skip(reason=reason)
    def skipped() -> None: ...

    return skipped


globals().update(_tests())


def test_every_exception_is_that_of_a_test() -> None:
    found = [name for name in globals() if name.startswith("test_")]
    for exception in IMPOSSIBLE:
        assert any(name.endswith(exception.removeprefix("test_")) for name in found), exception
