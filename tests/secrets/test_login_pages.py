from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tabmux.secrets.filled_values import FilledValues
from tabmux.tools.pipeline import catalog
from tests.secrets.login_pages import ALLOWED, EITHER, LEAKS, REFUSED
from tests.secrets.looks import ITS_OWN, LEFT_OUT, LOOKS, OTHER_LOOKS, SLOW_LOOKS
from tests.secrets.sweep import Findings, Sweep, sweeping
from tests.site import Site

# A few of the pages that scripts/secrets makes: every shape with one leak, every leak with one.
_LEAKS = [*LEAKS]
SOURCES = ("env", "keyring", "op", "bw", "otpauth", "command")
_SHAPES = [*ALLOWED, *REFUSED, *EITHER]
PAIRS = [(shape, _LEAKS[number % len(_LEAKS)]) for number, shape in enumerate(_SHAPES)]


@pytest.fixture(scope="module")
async def sweep(site: Site, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Sweep]:
    folder: Path = tmp_path_factory.mktemp("written")
    async with sweeping(site, folder) as made:
        yield made


def test_sweep_calls_every_tool() -> None:
    called = {name for name, _ in LOOKS + SLOW_LOOKS + OTHER_LOOKS}
    assert {tool.name for tool in catalog.tools()} == called | ITS_OWN | LEFT_OUT


@pytest.mark.timeout(120)
@pytest.mark.parametrize(("shape", "leak"), PAIRS)
async def test_secret_comes_to_its_origin_and_into_no_output(
    sweep: Sweep, shape: str, leak: str
) -> None:
    sweep.findings = Findings()
    number = _SHAPES.index(shape)
    page = sweep.pages.make(shape, leak)
    source = SOURCES[number % len(SOURCES)]
    await sweep.visit(page, source=source, by_fields=number % 4 == 3, slow=number % 8 == 0)
    assert sweep.findings.leaks == []
    assert sweep.findings.misplaced == []
    assert sweep.findings.outputs > 25


async def test_sweep_would_see_what_is_not_taken_out(
    sweep: Sweep, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FilledValues, "text", lambda self, text: text)
    monkeypatch.setattr(FilledValues, "data", lambda self, data: data)
    sweep.findings = Findings()
    await sweep.visit(sweep.pages.make("script", "local storage"))
    tools = {leak.partition(" ")[0] for leak in sweep.findings.leaks}
    assert {"list_storage", "evaluate_script", "get_network_request", "the"} <= tools
