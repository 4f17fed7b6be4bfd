"""Trace categories that Chrome must record for the insights."""

CATEGORIES: tuple[str, ...] = (
    "blink.user_timing",
    "devtools.timeline",
    "disabled-by-default-devtools.screenshot",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.stack",
    "disabled-by-default-devtools.v8-source-rundown",
    "disabled-by-default-devtools.v8-source-rundown-sources",
    # Without this one a LayoutShift names its nodes by number only (Chromium 156).
    "disabled-by-default-layout_shift.debug",
    "disabled-by-default-v8.cpu_profiler",
    "loading",
    "v8.execute",
)

# Says which node changed and why; large on long recordings, so for page loads only.
INVALIDATION_CATEGORIES: tuple[str, ...] = (
    "disabled-by-default-devtools.timeline.invalidationTracking",
)
