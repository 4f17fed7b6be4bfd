"""Issues: what Chrome itself finds wrong with a page, and advice on it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tabmux.cdp.channel import Params
from tabmux.page_text import address

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
_CORS_HEADER = "Let the server answer with Access-Control-Allow-Origin for this origin."
_CORS_PREFLIGHT = "Let the server answer the OPTIONS request as it answers the request itself."
_SAME_SITE = (
    "Set SameSite=None; Secure where the cookie is wanted on other sites, else SameSite=Lax."
)
_POLICY = "Change the Content-Security-Policy header, or the code that it forbids."
_TRUSTED = "Make the value with a trusted types policy that the header names."
# By the reason that Chrome gives, or by its code where there is no reason: a title and advice.
_ADVICE: dict[str, tuple[str, str]] = {
    "QuirksModeIssue": (
        "The document is laid out in quirks mode",
        "Begin it with <!DOCTYPE html>.",
    ),
    # Forms
    "FormLabelForNameError": (
        "A label's for attribute holds the name of a field, not its id",
        "Use the id of the field.",
    ),
    "FormDuplicateIdForInputError": (
        "Form fields share an id",
        "Give every field an id of its own.",
    ),
    "FormInputWithNoLabelError": (
        "A form field has no label",
        "Give it a label element, or an aria-label.",
    ),
    "FormAutocompleteAttributeEmptyError": (
        "A form field has an empty autocomplete attribute",
        "Say what belongs into it, such as email or current-password.",
    ),
    "FormEmptyIdAndNameAttributesForInputError": (
        "A form field has neither id nor name",
        "Give it one, so that browsers can fill it in.",
    ),
    "FormAriaLabelledByToNonExistingIdError": (
        "aria-labelledby points at an id that is not there",
        "Use the id of an element of the page.",
    ),
    "FormInputAssignedAutocompleteValueToIdOrNameAttributeError": (
        "A field is named like an autocomplete value but has no autocomplete attribute",
        "Add the attribute, so that browsers can fill the field in.",
    ),
    "FormLabelHasNeitherForNorNestedInputError": (
        "A label belongs to no form field",
        "Put the field into it, or the field's id into its for attribute.",
    ),
    "FormLabelForMatchesNonExistingIdError": (
        "A label's for attribute holds an id that is not there",
        "Use the id of the field.",
    ),
    "FormInputHasWrongButWellIntendedAutocompleteValueError": (
        "An autocomplete attribute has a value that no browser knows",
        "Use one of the standard values, such as given-name.",
    ),
    # Requests
    "ResponseWasBlockedByORB": (
        "A response from another origin was withheld from the page",
        "Serve it with the right content type, or with CORS headers.",
    ),
    "MixedContentBlocked": (
        "A request over http was blocked on an https page",
        "Load it over https.",
    ),
    "MixedContentAutomaticallyUpgraded": (
        "A request over http was sent over https instead",
        "Write https in its address.",
    ),
    "MixedContentWarning": (
        "An https page loads something over http",
        "Load it over https.",
    ),
    "CorpNotSameOrigin": (
        "A resource forbids its use by other origins",
        "Serve it with Cross-Origin-Resource-Policy: cross-origin.",
    ),
    "CorpNotSameSite": (
        "A resource forbids its use by other sites",
        "Serve it with Cross-Origin-Resource-Policy: cross-origin.",
    ),
    "CoepFrameResourceNeedsCoepHeader": (
        "A frame was blocked because it lacks Cross-Origin-Embedder-Policy",
        "Serve the framed document with that header too.",
    ),
    "RequestFailed": ("A style sheet could not be loaded", "See the request that failed."),
    "LateImportRule": (
        "An @import rule was ignored because it is not at the top",
        "Move it before all other rules.",
    ),
    # Content security policy
    "kInlineViolation": ("The content security policy forbids inline code", _POLICY),
    "kEvalViolation": ("The content security policy forbids code made of strings", _POLICY),
    "kWasmEvalViolation": ("The content security policy forbids WebAssembly", _POLICY),
    "kURLViolation": ("The content security policy forbids a resource", _POLICY),
    "kSRIViolation": (
        "The content security policy asks for an integrity attribute",
        "Add the hash of the resource to its element.",
    ),
    "kTrustedTypesSinkViolation": ("A plain string was put where trusted types are due", _TRUSTED),
    "kTrustedTypesPolicyViolation": ("A trusted types policy is not allowed", _TRUSTED),
    # CORS
    "MissingAllowOriginHeader": ("CORS: the answer allows no other origin", _CORS_HEADER),
    "AllowOriginMismatch": ("CORS: the answer allows another origin", _CORS_HEADER),
    "InvalidAllowOriginValue": ("CORS: the allowed origin is not valid", _CORS_HEADER),
    "MultipleAllowOriginValues": ("CORS: the answer allows several origins", _CORS_HEADER),
    "WildcardOriginNotAllowed": (
        "CORS: a request with credentials needs the exact origin, not *",
        _CORS_HEADER,
    ),
    "InvalidAllowCredentials": (
        "CORS: the answer does not allow credentials",
        "Let the server answer with Access-Control-Allow-Credentials: true.",
    ),
    "PreflightMissingAllowOriginHeader": (
        "CORS: the preflight answer allows no other origin",
        _CORS_PREFLIGHT,
    ),
    "PreflightAllowOriginMismatch": (
        "CORS: the preflight answer allows another origin",
        _CORS_PREFLIGHT,
    ),
    "PreflightInvalidStatus": ("CORS: the preflight request failed", _CORS_PREFLIGHT),
    "PreflightDisallowedRedirect": ("CORS: the preflight request was redirected", _CORS_PREFLIGHT),
    "MethodDisallowedByPreflightResponse": (
        "CORS: the method is not allowed",
        "Let the server name it in Access-Control-Allow-Methods.",
    ),
    "HeaderDisallowedByPreflightResponse": (
        "CORS: a request header is not allowed",
        "Let the server name it in Access-Control-Allow-Headers.",
    ),
    "DisallowedByMode": (
        "CORS: a same-origin request went to another origin",
        "Use the mode cors, or an address of the page's own origin.",
    ),
    "CorsDisabledScheme": (
        "CORS: the scheme of the address cannot be fetched",
        "Use an http or https address.",
    ),
    # Cookies
    "ExcludeSameSiteUnspecifiedTreatedAsLax": (
        "A cookie without SameSite was left out of a request to another site",
        _SAME_SITE,
    ),
    "ExcludeSameSiteNoneInsecure": (
        "A cookie with SameSite=None but without Secure was refused",
        "Add Secure.",
    ),
    "ExcludeSameSiteLax": ("A SameSite=Lax cookie was left out of a request", _SAME_SITE),
    "ExcludeSameSiteStrict": (
        "A SameSite=Strict cookie was left out of a request",
        _SAME_SITE,
    ),
    "ExcludeThirdPartyPhaseout": (
        "A third-party cookie was refused",
        "Use partitioned cookies, or storage access.",
    ),
    "WarnThirdPartyPhaseout": (
        "A third-party cookie may be refused",
        "Use partitioned cookies, or storage access.",
    ),
    "WarnAttributeValueExceedsMaxSize": (
        "An attribute of a cookie is too long and was ignored",
        "Keep attributes under 1024 characters.",
    ),
    # The rest
    "DocumentCookie": (
        "document.cookie was used, which makes scripts wait",
        "Use the asynchronous cookieStore where it exists.",
    ),
    "CreationIssue": (
        "SharedArrayBuffer was made on a page that is not cross-origin isolated",
        "Serve the page with the COOP and COEP headers.",
    ),
    "TransferIssue": (
        "SharedArrayBuffer was sent to a page that is not cross-origin isolated",
        "Serve the page with the COOP and COEP headers.",
    ),
    "HeavyAdBlocked": ("A frame was removed because it used too much", "See its reason."),
    "NavigatorUserAgentIssue": (
        "The page reads the user agent string, which says less and less",
        "Use feature detection, or client hints.",
    ),
    "BounceTrackingIssue": (
        "State of a site that only forwards visitors may be deleted",
        "Let visitors interact with the site.",
    ),
    "NavigationEntryMarkedSkippable": (
        "The back button will skip this history entry",
        "Add history entries only after a gesture of the user.",
    ),
}  # fmt: skip


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
        return cls(f"{code}/{reason}", *_advice(code, reason), [_resource(details)])

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
            at = f"{value['lineNumber'] + 1}:{value['columnNumber'] + 1}"
            place = f"{address(value.get('url', ''))}:{at}"
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


def _advice(code: str, reason: str) -> tuple[str, str]:
    """Return a title of an issue, and what can be done; Chrome's own words where we have none."""
    if found := _ADVICE.get(reason) or (_ADVICE.get(code) if not reason else None):
        return found
    name = _spaced(code.removesuffix("Issue"))
    return (f"{name}: {_spaced(reason).lower()}" if reason else name), ""


def _spaced(name: str) -> str:
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)
    return " ".join([*parts[:1], *(part if part.isupper() else part.lower() for part in parts[1:])])
