from __future__ import annotations

import threading
import time

import pytest

from tabmux.record import file_work
from tabmux.record.file_work import FileWork, Work


def done(work: Work) -> None:
    work()


async def test_what_is_quick_is_done_before_the_call_returns() -> None:
    work, seen = FileWork(done), list[int]()
    for number in range(3):
        assert work.at_once(lambda number=number: seen.append(number))  # type: ignore[misc]
    assert seen == [0, 1, 2]
    assert not work.waiting
    await work.end()


async def test_nothing_overtakes_what_takes_a_while() -> None:
    work, seen, go_on = FileWork(done), list[str](), threading.Event()

    def slow() -> None:
        go_on.wait(10)
        seen.append("slow")

    work.later(slow)
    work.at_once(lambda: seen.append("quick"))
    assert work.waiting == 2
    assert seen == []
    go_on.set()
    await work.end()
    assert seen == ["slow", "quick"]
    assert not work.waiting


async def test_nothing_waits_for_what_is_done_aside() -> None:
    work, seen, go_on = FileWork(done), list[str](), threading.Event()
    work.aside(lambda: go_on.wait(10))
    work.at_once(lambda: seen.append("quick"))
    assert seen == ["quick"]
    go_on.set()
    await work.end()


async def test_a_slow_disk_gets_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_work, "SLOW_SECONDS", 0.0)
    work, threads = FileWork(done), list[str]()
    for _ in range(2):
        work.at_once(lambda: threads.append(threading.current_thread().name))
    await work.end()
    assert threads == [threading.current_thread().name, "record"]


async def test_there_is_room_for_so_much_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_work, "MOST_WAITING", 2)
    work, go_on = FileWork(done), threading.Event()
    assert work.later(lambda: go_on.wait(10))
    assert work.later(time.monotonic)
    assert not work.at_once(time.monotonic)
    go_on.set()
    await work.end()
