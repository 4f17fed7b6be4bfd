import builtins
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tabmux.analysis.heap.query_options import DEFAULT_VIEW
from tabmux.errors import Misuse
from tabmux.tools.profiling import analysis_files


def without(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    real = builtins.__import__

    def fake(name: str, *rest: Any) -> Any:
        if name == "tabmux.analysis.heap.heap_report":
            raise ModuleNotFoundError(f"No module named {missing!r}", name=missing)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", fake)


def test_missing_numpy_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "numpy")
    with pytest.raises(Misuse) as caught:
        analysis_files.ask(Path("a.heapsnapshot"), "summary", DEFAULT_VIEW)
    assert "pip install tabmux[memory]" in caught.value.hint
    assert caught.value.code == "missing_extra"


def test_other_missing_modules_are_not_mistaken_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "something")
    with pytest.raises(ModuleNotFoundError):
        analysis_files.ask(Path("a.heapsnapshot"), "summary", DEFAULT_VIEW)


@pytest.mark.parametrize(
    "module", ["analysis.heap.query_options", "tools.profiling.analysis_files"]
)
def test_what_tools_are_declared_with_needs_no_numpy(module: str) -> None:
    code = f"import sys, tabmux.{module}; sys.exit('numpy' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
