"""Traces: read a file once, and know what the insights need."""

from tabmux.analysis.trace.categories import (
    CATEGORIES,
    INVALIDATION_CATEGORIES,
    SELECTOR_CATEGORIES,
)
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.analysis.trace.trace import Trace, read

__all__ = [
    "CATEGORIES",
    "INVALIDATION_CATEGORIES",
    "SELECTOR_CATEGORIES",
    "InsightSet",
    "Trace",
    "read",
]
