"""Issues: what Chrome itself finds wrong with a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tabmux.cdp.channel import Params
from tabmux.page.console.issue_advice import advice

RESOURCES_KEPT = 50
TEXT_LIMIT = 500
# Where each kind of issue says what exactly is wrong.
_REASONS = frozenset(
    {
        "errorType", "contentSecurityPolicyViolationType", "resolutionStatus", "reason", "error",
        "resolution", "type", "issueType", "sharedDictionaryError", "clientHintIssueReason",
        "federatedAuthRequestIssueReason", "federatedAuthUserInfoRequestIssueReason",
        "elementAccessibilityIssueReason", "styleSheetLoadingIssueReason", "corsError",
        "propertyRuleIssueReason", "performanceIssueType", "emailVerificationRequestIssueReason",
        "partitioningBlobURLInfo", "cookieExclusionReasons", "cookieWarningReasons",
    }
)  # fmt: skip
_NODES = frozenset({"violatingNodeId", "nodeId", "documentNodeId"})
_PLACES = frozenset({"sourceCodeLocation", "location"})
# Facts that help beside the resource itself.
_FACTS = frozenset(
    {"violatedDirective", "violatingNodeAttribute", "failedParameter", "propertyValue",
     "initiatorOrigin", "failureMessage", "resourceType", "operation"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class IssueResource:
    """What an issue is about: any of a node, a request, an address, a place and a cookie."""

    node: int | None = None
    request: str = ""
    url: str = ""
    place: str = ""
    facts: str = ""

    @property
    def weight(self) -> int:
        """Roughly how many bytes it takes."""
        return 300 + len(self.url) + len(self.place) + len(self.facts)


@dataclass(slots=True)
class Issue:
    """All issues of one kind."""

    kind: str
    title: str
    advice: str
    resources: list[IssueResource] = field(default_factory=list)

    @classmethod
    def of(cls, raw: Params) -> Issue:
        """Read one issue as Chrome tells it."""
        code: str = raw["code"]
        details: Params = next(iter(raw["details"].values()), {})
        reason = _reason(details)
        return cls(f"{code}/{reason}", *advice(code, reason), [_resource(details)])

    @property
    def weight(self) -> int:
        """Roughly how many bytes it takes."""
        return sum(each.weight for each in self.resources)

    @property
    def requests(self) -> list[str]:
        """Chrome's ids of the requests it is about."""
        return [each.request for each in self.resources if each.request]

    def merge(self, other: Issue) -> int:
        """Take over what is new in another issue of the kind; returns how much heavier that is."""
        new = [each for each in other.resources if each not in self.resources]
        kept = new[: RESOURCES_KEPT - len(self.resources)]
        self.resources += kept
        return sum(each.weight for each in kept)


def _reason(details: Params) -> str:
    for name, value in _walk(details):
        if name in _REASONS and value:
            return str(value[0] if isinstance(value, list) else value)
    return ""


def _resource(details: Params) -> IssueResource:
    """Pick out what an issue is about; every kind has the same few shapes in it."""
    node, request, url, place = None, "", "", ""
    facts: list[str] = []
    for name, value in _walk(details):
        if name in _NODES:
            node = int(value)
        elif name == "requestId":
            request = str(value)
        elif name in _PLACES:
            place = f"{value.get('url', '')}:{value['lineNumber'] + 1}:{value['columnNumber'] + 1}"
        elif name == "cookie":
            facts.append("cookie {name} of {domain}{path}".format(**value))
        elif name in _FACTS and value:
            facts.append(f"{name}={value}")
        elif name.lower().endswith("url") and isinstance(value, str):
            url = url or value
    return IssueResource(
        node, request, url[:TEXT_LIMIT], place[:TEXT_LIMIT], ", ".join(facts)[:TEXT_LIMIT]
    )


def _walk(details: Params) -> Iterator[tuple[str, Any]]:
    """Give every named value, those of inner objects after the object itself."""
    for name, value in details.items():
        yield name, value
        if isinstance(value, dict) and name not in _PLACES:
            yield from _walk(value)
