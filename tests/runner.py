"""How async tests are run: each one, and each fixture, in a task of its own and with a deadline.

A task group that fails cancels the task it was made in. anyio runs all tests in one task, so that
one server that fails, or one test that ends with a cancellation, would fail every test after it.
"""

from __future__ import annotations

import asyncio
import sys
import time
import traceback
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable
from typing import Any, cast

import pytest
from anyio._backends._asyncio import AsyncIOBackend, TestRunner

# How much of the time after which pytest-timeout ends a test it may take.
_SHARE = 0.8
# How long what was cancelled may take to end, and what a late test leaves for taking down.
_ENDING_SECONDS = 5


class OwnTasks(TestRunner):
    """Runs tests and fixtures in tasks of their own."""

    # When the test that runs now must have ended, before pytest-timeout ends the loop in its midst.
    deadline = float("inf")

    def run_test(
        self, test_func: Callable[..., Coroutine[Any, Any, Any]], kwargs: dict[str, Any]
    ) -> None:
        """Run a test until it ends or its deadline comes."""
        self._run(test_func(**kwargs), "test")
        self._raise_async_exceptions()

    def run_fixture(
        self, fixture_func: Callable[..., Coroutine[Any, Any, Any]], kwargs: dict[str, Any]
    ) -> Any:
        """Make what a fixture returns."""
        value = self._run(fixture_func(**kwargs), "fixture")
        self._raise_async_exceptions()
        return value

    def run_asyncgen_fixture(
        self, fixture_func: Callable[..., AsyncGenerator[Any, Any]], kwargs: dict[str, Any]
    ) -> Iterable[Any]:
        """Keep what a fixture yields until nobody needs it."""
        block = _Block(fixture_func(**kwargs), fixture_func.__name__)
        value = self._run(block.enter(), "fixture")
        self._raise_async_exceptions()
        yield value
        self._run(block.leave(), "fixture")
        self._raise_async_exceptions()

    def _run(self, work: Coroutine[Any, Any, Any], what: str) -> Any:
        task = self.get_loop().create_task(work)
        seconds = max(self.deadline - time.monotonic(), _ENDING_SECONDS)
        try:
            return self.get_loop().run_until_complete(_result(task, what, seconds))
        except BaseException:
            task.cancel()
            self.get_loop().run_until_complete(asyncio.wait({task}, timeout=_ENDING_SECONDS))
            raise


class _Block:
    """A fixture that yields: entered, kept and left in one task."""

    def __init__(self, generator: AsyncGenerator[Any, Any], name: str) -> None:
        self._generator, self._name = generator, name
        self._over = asyncio.Event()

    async def enter(self) -> Any:
        entered: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._live(entered))  # noqa: TID251 it outlives the caller
        try:
            await asyncio.wait({self._task, entered}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self._task.cancel()
            raise
        if not entered.done():
            return self._task.result()
        self._task.add_done_callback(self._tell_of_failure)
        return entered.result()

    async def leave(self) -> None:
        self._over.set()
        try:
            await self._task
        except asyncio.CancelledError:
            self._task.cancel()
            raise

    async def _live(self, entered: asyncio.Future[Any]) -> None:
        entered.set_result(await anext(self._generator))
        try:
            await self._over.wait()
        except asyncio.CancelledError as error:
            # The block's own task groups turn it into what went wrong.
            await self._generator.athrow(error)
            raise
        async for _ in self._generator:
            raise RuntimeError(f"the fixture {self._name} yields twice")

    def _tell_of_failure(self, task: asyncio.Task[None]) -> None:
        """Say at once why the tests that follow fail."""
        if self._over.is_set() or task.cancelled() or (error := task.exception()) is None:
            return
        sys.stderr.write(f"The fixture {self._name} ended while tests used it:\n")
        traceback.print_exception(error)


async def _result(task: asyncio.Task[Any], what: str, seconds: float) -> Any:
    done, _ = await asyncio.wait({task}, timeout=None if seconds == float("inf") else seconds)
    if not done:
        pytest.fail(f"The {what} did not end in time; it waited here:\n{_waits(task)}", False)
    if task.cancelled():
        pytest.fail(f"The {what} ended with a cancellation", False)
    return task.result()


def _waits(task: asyncio.Task[Any]) -> str:
    """Tell where a task waits, through every function that it is in."""
    lines, work = [], cast(Any, task.get_coro())
    while frame := getattr(work, "cr_frame", None):
        lines.append(f"  {frame.f_code.co_filename}:{frame.f_lineno} {frame.f_code.co_name}")
        work = work.cr_await
    return "\n".join(lines)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Any:
    """Give a test its deadline."""
    marker = item.get_closest_marker("timeout")
    seconds = marker.args[0] if marker else item.config.getvalue("timeout")
    seconds = float(seconds or item.config.getini("timeout") or "inf")
    OwnTasks.deadline = time.monotonic() + _SHARE * seconds
    try:
        return (yield)
    finally:
        OwnTasks.deadline = float("inf")


def pytest_configure() -> None:
    """Have anyio use it."""
    AsyncIOBackend.create_test_runner = classmethod(lambda cls, options: OwnTasks(**options))  # type: ignore[assignment, method-assign]
