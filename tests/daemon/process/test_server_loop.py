from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from tabmux.daemon.process.server_loop import GC_THRESHOLDS, tune_gc


@pytest.fixture
def collector() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.enable()
    gc.unfreeze()


@pytest.mark.usefixtures("collector")
def test_what_was_there_is_left_alone_and_garbage_is_still_found() -> None:
    gc.disable()  # as while the server is loaded
    tune_gc()
    assert gc.isenabled()
    assert gc.get_threshold() == GC_THRESHOLDS
    assert gc.get_freeze_count() > 1000
    ring: list[object] = []
    ring.append(ring)
    del ring
    assert gc.collect() > 0
