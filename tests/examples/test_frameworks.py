"""The examples with frameworks, those that `scripts/examples NAME` has installed here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from tests.examples import __main__ as examples
from tests.examples.__main__ import DRIVERS, PACKAGES, ROOT, environment, is_installed, run
from tests.examples.shop import Shop
from tests.site import Site

pytestmark = pytest.mark.timeout(200)


def installed(name: str) -> ParameterSet:
    reason = f"`scripts/examples {name}` installs it"
    return pytest.param(name, marks=pytest.mark.skipif(not is_installed(name), reason=reason))


@pytest.mark.parametrize("name", [installed(name) for name in PACKAGES])
def test_example_works_with_the_real_framework(name: str) -> None:
    with Site() as site:
        assert run(name, f"{Shop(site).url}/message") == ""


def test_every_framework_has_a_driver() -> None:
    assert {file.stem.removeprefix("drive_") for file in DRIVERS.glob("drive_*.py")} == {*PACKAGES}


def test_what_another_checkout_has_installed_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examples, "CACHE", tmp_path)
    (tmp_path / "fastapi").mkdir()
    (tmp_path / "fastapi" / "installed").write_text(str(tmp_path / "elsewhere"))
    assert not is_installed("fastapi")
    (tmp_path / "fastapi" / "installed").write_text(str(ROOT))
    assert is_installed("fastapi")


def test_examples_run_with_this_checkout_whichever_the_frameworks_were_installed_from(
    tmp_path: Path,
) -> None:
    search = "from importlib.util import find_spec; print(find_spec('tabmux').origin)"
    # Without what is installed there.
    found = subprocess.run(
        [sys.executable, "-S", "-c", search],
        env=environment(Path(sys.executable), str(tmp_path)),
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert Path(found.stdout.strip()) == ROOT / "src" / "tabmux" / "__init__.py"
