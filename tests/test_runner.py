"""What one test or fixture does wrong harms no other: tried in a pytest of its own."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from pathlib import Path

CONFTEST = """
import pytest
import tests.runner
pytest_plugins = ["tests.runner"]
tests.runner._ENDING_SECONDS = 0.2
@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"
"""
TESTS = """
import asyncio
import pytest

@pytest.fixture(scope="module")
async def server():
    async def fail(when):
        await when.wait()
        raise RuntimeError("the server is broken")
    broken = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        group.create_task(fail(broken))
        yield broken

async def test_before(server):
    pass

async def test_cancelled():
    raise asyncio.CancelledError

async def test_endless():
    await asyncio.Event().wait()

async def test_after_both(server):
    pass

async def test_breaks_the_server(server):
    server.set()
    for _ in range(10):
        await asyncio.sleep(0)

async def test_of_others():
    pass
"""


def test_only_the_tests_that_are_wrong_fail(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_some.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\nanyio_mode = auto\ntimeout = 2\n")
    options = ["-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:xdist", "-rA", "-s"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
        cwd=Path(__file__).parents[1],
    )
    said = run.stdout + run.stderr
    assert "4 passed, 2 failed, 1 error" in _counts(run.stdout), said
    assert "The test ended with a cancellation" in said
    assert re.search(r"it waited here:\n.*test_some.py:\d+ test_endless\n", said)
    assert "The fixture server ended while tests used it:" in said
    assert "RuntimeError: the server is broken" in said


def _counts(said: str) -> str:
    words = said.splitlines()[-1].split()
    counts = {kind.strip(",="): number for number, kind in itertools.pairwise(words)}
    return (
        f"{counts.get('passed')} passed, {counts.get('failed')} failed, {counts.get('error')} error"
    )
