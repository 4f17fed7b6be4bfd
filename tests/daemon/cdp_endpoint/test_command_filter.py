from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabmux.daemon.cdp_endpoint.command_filter import TabRules, may_act, tab_refusal
from tabmux.errors import Refused
from tabmux.policy.policy import Policy
from tabmux.policy.url_policy import UrlPolicy


def rules(*deny: str) -> TabRules:
    urls = UrlPolicy.of(deny=deny)

    def check_file(path: str) -> None:
        if not path.startswith("/allowed/"):
            raise Refused(f"The path {path} is outside the allowed folders.")

    return TabRules(urls.check, urls.permits, check_file, urls.is_restricted)


def refusal(method: str, *deny: str, **params: Any) -> str:
    return tab_refusal(method, params, rules(*deny))


@pytest.mark.parametrize(
    "method",
    [
        "Page.enable", "Page.getFrameTree", "Runtime.enable", "Runtime.callFunctionOn",
        "DOM.getDocument", "Network.enable", "Input.dispatchMouseEvent", "Emulation.setFocusEmulationEnabled",
        "Log.enable", "Page.captureScreenshot", "Fetch.enable", "Browser.getVersion", "Network.setCookies",
    ],
)  # fmt: skip
def test_what_concerns_the_tab_passes(method: str) -> None:
    assert refusal(method) == ""


@pytest.mark.parametrize(
    "method",
    [
        "Target.createTarget", "Target.attachToTarget", "Target.exposeDevToolsProtocol",
        "Target.attachToBrowserTarget", "Target.sendMessageToTarget", "Browser.close",
        "Browser.setDownloadBehavior", "Browser.grantPermissions", "Browser.crash",
        "Browser.getBrowserCommandLine", "Storage.getCookies", "Storage.clearDataForOrigin",
        "Storage.clearCookies", "SystemInfo.getProcessInfo", "Tracing.start", "HeapProfiler.takeHeapSnapshot", "Memory.prepareForLeakDetection",
        "WebAuthn.getCredentials", "WebAuthn.enable",
        "Extensions.loadUnpacked", "ServiceWorker.enable", "Tethering.bind", "PWA.install",
        "Network.getAllCookies", "Network.clearBrowserCookies", "Page.setDownloadBehavior",
        "Page.crash",
        "FileSystem.getDirectory", "NewDomain.anything", "nonsense", "", "page.enable",
    ],
)  # fmt: skip
def test_what_reaches_further_is_refused(method: str) -> None:
    assert "beyond the tabs" in refusal(method)


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "chrome://settings", "javascript:alert(1)", "view-source:http://a/"],
)
def test_tab_is_not_sent_where_tools_would_not_send_it(url: str) -> None:
    assert refusal("Page.navigate", url=url) != ""


def test_denied_addresses_are_refused_in_every_command() -> None:
    denied = "https://secret.example/a"
    assert refusal("Page.navigate", "secret.example", url=denied) != ""
    assert refusal("Fetch.continueRequest", "secret.example", url=denied) != ""
    assert refusal("Network.loadNetworkResource", "secret.example", url=denied) != ""
    assert (
        refusal("Network.getCookies", "secret.example", urls=["https://a.example/", denied]) != ""
    )
    assert refusal("Page.navigate", "secret.example", url="https://a.example/") == ""
    assert refusal("Fetch.continueRequest", url="file:///etc/passwd") != ""
    assert refusal("Fetch.continueRequest", requestId="1") == ""


@pytest.mark.parametrize(
    "method", ["Network.setRequestInterception", "Network.continueInterceptedRequest"]
)
def test_requests_are_not_sent_elsewhere_the_old_way(method: str) -> None:
    assert "use Fetch." in refusal(method, url="file:///etc/passwd")


def test_nothing_passes_where_nobody_may_act() -> None:
    narrow = replace(rules(), may_act=False)
    for method in ("Runtime.evaluate", "Page.getFrameTree", "Browser.getVersion"):
        assert "nobody act" in tab_refusal(method, {}, narrow)


@pytest.mark.parametrize(
    ("policy", "expected"),
    [(Policy(), True), (Policy(scripts=False), False), (Policy(read_only=True), False)],
)
def test_cdp_is_for_those_who_may_act_and_run_scripts(policy: Policy, expected: bool) -> None:
    assert may_act(policy) is expected


def test_rules_about_addresses_cannot_be_lifted() -> None:
    for method in ("Network.disable", "Network.emulateNetworkConditions", "Network.setBlockedURLs"):
        assert "lift" in refusal(method, "secret.example")
        assert refusal(method) == ""


def test_files_are_given_to_pages_from_allowed_folders_alone() -> None:
    assert refusal("DOM.setFileInputFiles", files=["/allowed/a"]) == ""
    assert "outside" in refusal("DOM.setFileInputFiles", files=["/allowed/a", "/etc/passwd"])
    assert refusal("Input.dispatchDragEvent", data={"items": [], "files": ["/etc/passwd"]}) != ""
    assert refusal("Input.dispatchDragEvent", data={"items": []}) == ""


MINE = {"https://shop.mine.example", "http://127.0.0.1:8000"}


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("Network.getCookies", {}),
        ("Network.getCookies", {"urls": ["https://shop.mine.example/a", "http://127.0.0.1:8000"]}),
        ("Network.setCookie", {"name": "a", "url": "https://shop.mine.example/"}),
        ("Network.setCookies", {"cookies": [{"name": "a", "domain": ".mine.example"}]}),
        ("Network.deleteCookies", {"name": "a", "domain": "127.0.0.1"}),
    ],
)
def test_cookies_of_the_sessions_tabs_are_within_reach(method: str, params: dict[str, Any]) -> None:
    assert tab_refusal(method, params, replace(rules(), origins=lambda: MINE)) == ""


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("Network.getCookies", {"urls": ["https://shop.mine.example/", "https://other.example/"]}),
        ("Network.getCookies", {"urls": ["https://other.example\\@shop.mine.example/"]}),
        ("Network.getCookies", {"urls": ["http://shop.mine.example/"]}),
        ("Network.setCookie", {"name": "a", "url": "https://other.example/"}),
        ("Network.setCookie", {"name": "a", "domain": "other.example"}),
        ("Network.setCookies", {"cookies": [{"domain": "mine.example"}, {"domain": "e.example"}]}),
        ("Network.setCookies", {"cookies": ["nonsense"]}),
        ("Network.deleteCookies", {"name": "a", "domain": "her-shop.mine.example"}),
        ("Network.deleteCookies", {"name": "a", "url": "https://shop.mine.example.other/"}),
    ],
)
def test_cookies_of_other_sites_are_out_of_reach(method: str, params: dict[str, Any]) -> None:
    refused = tab_refusal(method, params, replace(rules(), origins=lambda: MINE))
    assert "cookies of other sites" in refused
