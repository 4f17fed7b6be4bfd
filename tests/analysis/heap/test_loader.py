import builtins
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tabmux.analysis.heap.loader import load
from tabmux.errors import Misuse
from tests.analysis.heap.snapshot_builder import SnapshotBuilder


def without(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    real = builtins.__import__

    def fake(name: str, *rest: Any) -> Any:
        if name == "tabmux.analysis.heap.heap_report":
            raise ModuleNotFoundError(f"No module named {missing!r}", name=missing)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", fake)


def test_snapshot_is_loaded_from_a_path_or_its_text(tmp_path: Path) -> None:
    path = SnapshotBuilder().write(tmp_path / "a.heapsnapshot")
    assert load(path).summary() == load(str(path)).summary()


def test_missing_numpy_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "numpy")
    with pytest.raises(Misuse) as caught:
        load("a.heapsnapshot")
    assert "pip install tabmux[memory]" in caught.value.hint
    assert caught.value.code == "missing_extra"


def test_other_missing_modules_are_not_mistaken_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "something")
    with pytest.raises(ModuleNotFoundError):
        load("a.heapsnapshot")


@pytest.mark.parametrize("module", ["", ".loader", ".query_options", ".graph.snapshot_file"])
def test_what_tools_are_declared_with_needs_no_numpy(module: str) -> None:
    code = f"import sys, tabmux.analysis.heap{module}; sys.exit('numpy' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
