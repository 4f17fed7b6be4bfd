"""How often Python looks for garbage in a server that stays up."""

from __future__ import annotations

import gc

# A look at everything takes tens of milliseconds, in which no call is answered. By default it
# would come every seventy thousand objects, which is every few snapshots.
THRESHOLDS = (20_000, 10, 10)


def relax_collector() -> None:
    """Leave alone what was made while starting up, and look at the rest less often."""
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
