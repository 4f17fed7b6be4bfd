"""Command filter: which CDP commands a client of one session may send, and to what. Pure.

What is not named here is refused: a command that a later Chrome brings may reach anything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from tabmux.errors import Refused, TabmuxError
from tabmux.policy.policy import Policy

Params = Mapping[str, Any]

NOBODY_ACTS = "The policy of this session lets nobody act by CDP."

# The domains whose commands concern the tab that they are sent to, and nothing beyond it. A heap
# snapshot has everything in the renderer's process, which tabs of one site share; WebAuthn has the
# keys of the passkeys that are typed for agents.
TAB_DOMAINS = frozenset(
    {
        "Accessibility", "Animation", "Audits", "CSS", "CacheStorage", "Console", "DOM",
        "DOMDebugger", "DOMSnapshot", "DOMStorage", "Debugger", "DeviceOrientation", "Emulation",
        "EventBreakpoints", "Fetch", "IO", "IndexedDB", "Input", "Inspector",
        "LayerTree", "Log", "Media", "Network", "Overlay", "Page", "Performance",
        "PerformanceTimeline", "Profiler", "Runtime", "Schema", "WebAudio",
    }
)  # fmt: skip
# Commands of these domains that reach further all the same: the whole profile, the disk, or all
# tabs of a renderer's process.
REFUSED = frozenset(
    {
        "Emulation.setDataSaverOverride", "Network.clearBrowserCache",
        "Network.clearBrowserCookies", "Network.getAllCookies", "Page.crash",
        "Page.setDownloadBehavior", "Page.setPrerenderingAllowed",
    }
)  # fmt: skip
# Commands of other domains that concern the tab alone.
ALLOWED = frozenset(
    {
        "Browser.getVersion", "Security.disable", "Security.enable",
        "Storage.getStorageKeyForFrame", "Storage.getUsageAndQuota",
    }
)  # fmt: skip
# The predecessors of the domain Fetch, by what serves instead: they send requests to any address,
# and nothing looks at that.
REPLACED = {
    "Network.continueInterceptedRequest": "Fetch.continueRequest",
    "Network.setRequestInterception": "Fetch.enable",
}
# With these a client would lift the rules about addresses that hold the tab below the tools.
LIFTING = frozenset(
    {
        "Network.disable", "Network.emulateNetworkConditions",
        "Network.emulateNetworkConditionsByRule", "Network.overrideNetworkState",
        "Network.setBlockedURLs",
    }
)  # fmt: skip
# Commands that send the tab, or a request of it, to an address.
_ADDRESSED = frozenset({"Fetch.continueRequest", "Network.loadNetworkResource", "Page.navigate"})
# Commands that name the sites whose cookies they mean, which may be any of the profile.
_OF_COOKIES = frozenset(
    {"Network.deleteCookies", "Network.getCookies", "Network.setCookie", "Network.setCookies"}
)
_LOOKED_INTO = _ADDRESSED | _OF_COOKIES | {"DOM.setFileInputFiles", "Input.dispatchDragEvent"}


@dataclass(frozen=True)
class TabRules:
    """What the session's policy says of a command's arguments.

    Args:
        check_url: Raises why an address may not be visited.
        permits_url: Whether a request may go to an address.
        check_file: Raises why a file may not be read.
        is_restricted: Whether there are patterns of addresses.
        may_act: Whether anybody may act on pages and run scripts.
        origins: Returns the origins that the session's tabs show.
    """

    check_url: Callable[[str], object]
    permits_url: Callable[[str], bool]
    check_file: Callable[[str], object]
    is_restricted: bool
    may_act: bool = True
    origins: Callable[[], Collection[str]] = frozenset


def may_act(policy: Policy) -> bool:
    """Whether a policy has room for CDP, which acts on pages and runs scripts as tools may not."""
    return policy.scripts and not policy.read_only


def needs_params(method: str) -> bool:
    """Whether a decision about a command depends on its parameters."""
    return method in _LOOKED_INTO


def tab_refusal(method: str, params: Params, rules: TabRules) -> str:
    """Say why a command to a tab, a frame or a worker is not sent; empty for one that is."""
    if not rules.may_act:
        return NOBODY_ACTS
    if instead := REPLACED.get(method):
        return f"{method} is not served; use {instead}."
    domain = method.partition(".")[0]
    if method not in ALLOWED and (domain not in TAB_DOMAINS or method in REFUSED):
        return f"{method} reaches beyond the tabs of this session."
    if rules.is_restricted and method in LIFTING:
        return f"{method} would lift the user's rules about addresses."
    if method in _LOOKED_INTO:
        try:
            return _refusal_of_params(method, params, rules)
        except TabmuxError as error:
            return error.text
    return ""


def _refusal_of_params(method: str, params: Params, rules: TabRules) -> str:
    if method == "Page.navigate":
        rules.check_url(str(params.get("url", "")))
    elif method in _ADDRESSED:
        _check_requests(_texts(params.get("url")), rules)
    elif method in _OF_COOKIES:
        _check_requests(_texts(params.get("urls")), rules)
        if not _are_of_tabs(params, rules.origins()):
            return f"{method} reaches cookies of other sites than those in the session's tabs."
    elif method == "DOM.setFileInputFiles":
        for file in _texts(params.get("files")):
            rules.check_file(file)
    elif _dragged_files(params):
        return "Files are not dragged in from here; use DOM.setFileInputFiles."
    return ""


def _check_requests(urls: Sequence[str], rules: TabRules) -> None:
    for url in urls:
        if url.partition(":")[0].lower() not in ("http", "https") or not rules.permits_url(url):
            raise Refused("The policy does not allow this address.")


def _are_of_tabs(params: Params, origins: Collection[str]) -> bool:
    """Whether a command means cookies of origins alone; they are as Chrome writes them.

    A URL is compared as text: Chrome may find another host in it than we would.
    """
    listed = params.get("cookies")
    named = [params, *(listed if isinstance(listed, list) else [])]
    if not all(isinstance(each, Mapping) for each in named):
        return False
    urls = [url for each in named for key in ("url", "urls") for url in _texts(each.get(key))]
    domains = [name.removeprefix(".") for each in named for name in _texts(each.get("domain"))]
    begins = tuple(f"{each}/" for each in origins)
    hosts = [f".{urlsplit(each).hostname}" for each in origins]
    return all(f"{url}/".startswith(begins) for url in urls if url) and all(
        any(host.endswith(f".{name}") for host in hosts) for name in domains if name
    )


def _texts(value: Any) -> list[str]:
    """Return what a parameter names: one text, several, or nothing."""
    if value is None:
        return []
    return [str(each) for each in value] if isinstance(value, list) else [str(value)]


def _dragged_files(params: Params) -> bool:
    data = params.get("data")
    return isinstance(data, Mapping) and bool(data.get("files"))
