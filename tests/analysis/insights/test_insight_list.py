from __future__ import annotations

import pytest

from tabmux.analysis.insights.insight_list import NAMES, analyse, explain
from tabmux.errors import BadArguments
from tests.analysis.insight_set_samples import part

ASKED_FOR = (
    "LCPBreakdown LCPDiscovery INPBreakdown CLSCulprits RenderBlocking NetworkDependencyTree "
    "DocumentLatency ImageDelivery FontDisplay ThirdParties DOMSize DuplicatedJavaScript "
    "LegacyJavaScript ForcedReflow SlowCSSSelector Viewport ModernHTTP Cache CharacterSet LongTasks"
)


def test_every_insight_is_in_the_catalog_once() -> None:
    assert sorted(NAMES) == sorted(ASKED_FOR.split())


def test_insights_of_an_empty_set_have_nothing_to_say() -> None:
    found = analyse(part())

    assert [insight.name for insight in found] == list(NAMES)
    assert not any(insight.noteworthy for insight in found)
    assert all(insight.finding for insight in found)


def test_unknown_insight_is_answered_with_the_known_ones() -> None:
    with pytest.raises(BadArguments) as refusal:
        explain(part(), "Speed")

    assert "LCPBreakdown" in refusal.value.hint
