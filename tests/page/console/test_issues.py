from __future__ import annotations

from typing import Any

import pytest

from tabmux.page.console.issues import RESOURCES_KEPT, Issue, IssueResource


def raw(code: str, **details: Any) -> dict[str, Any]:
    return {"code": code, "details": {"details": details}}


COOKIE = raw(
    "CookieIssue",
    cookie={"name": "id", "path": "/", "domain": "x.test"},
    cookieWarningReasons=[],
    cookieExclusionReasons=["ExcludeSameSiteNoneInsecure"],
    operation="SetCookie",
    request={"requestId": "1.2", "url": "https://x.test/a"},
)
POLICY = raw(
    "ContentSecurityPolicyIssue",
    violatedDirective="script-src",
    contentSecurityPolicyViolationType="kInlineViolation",
    sourceCodeLocation={"url": "https://x.test/", "lineNumber": 4, "columnNumber": 0},
    violatingNodeId=7,
)
CORS = raw(
    "CorsIssue",
    corsErrorStatus={"corsError": "PreflightInvalidStatus", "failedParameter": "x-a"},
    request={"requestId": "1.3", "url": "https://y.test/"},
)


@pytest.mark.parametrize(
    ("issue", "title", "resource"),
    [
        (
            COOKIE,
            "A cookie with SameSite=None but without Secure was refused",
            IssueResource(
                request="1.2",
                url="https://x.test/a",
                facts="cookie id of x.test/, operation=SetCookie",
            ),
        ),
        (
            POLICY,
            "The content security policy forbids inline code",
            IssueResource(
                node=7, place="https://x.test/:5:1", facts="violatedDirective=script-src"
            ),
        ),
        (
            CORS,
            "CORS: the preflight request failed",
            IssueResource(request="1.3", url="https://y.test/", facts="failedParameter=x-a"),
        ),
    ],
)
def test_issue_says_what_is_wrong_with_what(
    issue: dict[str, Any], title: str, resource: IssueResource
) -> None:
    read = Issue.of(issue)
    assert read.title == title
    assert read.advice
    assert read.resources == [resource]


def test_issues_that_we_do_not_know_are_in_the_words_of_chrome() -> None:
    assert Issue.of(raw("NewIssue", reason="SRIBadThing2")).title == "New: sri bad thing 2"
    assert Issue.of(raw("BrandNewIssue")).title == "Brand new"


def test_same_issue_is_told_once_and_many_are_bounded() -> None:
    issue = Issue.of(POLICY)
    assert issue.merge(Issue.of(POLICY)) == 0
    for node in range(1000):
        issue.merge(Issue.of(raw("ContentSecurityPolicyIssue", violatingNodeId=node)))
    assert len(issue.resources) == RESOURCES_KEPT
