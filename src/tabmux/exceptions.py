"""Exceptions: a class for every error code, with `code`, `message` and `hint`.

Written by scripts/library.py from errors.py; do not edit.
"""

# fmt: off
from __future__ import annotations

from tabmux.errors import (
    BadArguments, BrowserGone, BrowserTrouble, BudgetSpent, Busy, DaemonTrouble, DeadlineExceeded,
    DialogOpen, ElementTrouble, HumanInControl, InternalError, Misuse, NavigationFailed, NoCapacity,
    NoSuchPage, NotInThisBrowser, NotOwned, OutcomeUnknown, PageCrashed, PageGone, PageTrouble,
    ProtocolFault, Refused, ScriptFailed, StaleUid, SystemLimit, TabmuxError, UnknownTool,
    UnknownUid,
)


class Ambiguous(Misuse):
    """A locator means several elements."""

    code = "ambiguous"


class AnalysisFailed(TabmuxError):
    """The process that analyses traces and heap snapshots ended."""

    code = "analysis_failed"


class BadHeapSnapshot(TabmuxError):
    """The file is not a heap snapshot, or is damaged."""

    code = "bad_heap_snapshot"


class Cancelled(TabmuxError):
    """The client cancelled the call."""

    code = "cancelled"


class DownloadFailed(TabmuxError):
    """A file could not be downloaded."""

    code = "download_failed"


class ElementCovered(ElementTrouble):
    """Something else would take the click."""

    code = "element_covered"


class ElementDisabled(ElementTrouble):
    """The control is disabled."""

    code = "element_disabled"


class ElementHidden(ElementTrouble):
    """The element is not visible."""

    code = "element_hidden"


class ElementNoSuchOption(ElementTrouble):
    """The list has no such option."""

    code = "element_no_such_option"


class ElementNotChanged(ElementTrouble):
    """The control did not take the value."""

    code = "element_not_changed"


class ElementNotFillable(ElementTrouble):
    """The element takes no value."""

    code = "element_not_fillable"


class ElementReadonly(ElementTrouble):
    """The field is read-only."""

    code = "element_readonly"


class ExtensionFailed(TabmuxError):
    """The browser extension could not carry out a command."""

    code = "extension_failed"


class ItemMoved(Misuse):
    """The entry of a list is no longer where it was."""

    code = "item_moved"


class LastPage(Misuse):
    """The last page of a browser is not closed."""

    code = "last_page"


class LighthouseFailed(TabmuxError):
    """Lighthouse could not audit the page."""

    code = "lighthouse_failed"


class LoginFailed(PageTrouble):
    """The page did not take the login."""

    code = "login_failed"


class MissingExtra(TabmuxError):
    """A part of tabmux is not installed."""

    code = "missing_extra"


class NeedsHuman(Refused):
    """Only a person can do this or agree to it, and nobody could be asked."""

    code = "needs_human"


class NoDialog(Misuse):
    """No dialog is open."""

    code = "no_dialog"


class NoSuchBrowser(Misuse):
    """No browser has this index or name."""

    code = "no_such_browser"


class NoSuchElement(Misuse):
    """The page has no such element."""

    code = "no_such_element"


class NoSuchItem(Misuse):
    """The list has no such entry."""

    code = "no_such_item"


class NoSuchMessage(Misuse):
    """No console message has this id."""

    code = "no_such_message"


class NoSuchRequest(Misuse):
    """No request has this id."""

    code = "no_such_request"


class NoSuchRule(Misuse):
    """No interception rule has this id."""

    code = "no_such_rule"


class NoSuchSecret(Misuse):
    """No secret has this name, or this part."""

    code = "no_such_secret"


class NoSuchSession(Misuse):
    """No session has this name."""

    code = "no_such_session"


class NoSuchTab(Misuse):
    """No tab has this id."""

    code = "no_such_tab"


class NoSuchWorker(Misuse):
    """No service worker has this name."""

    code = "no_such_worker"


class NotAttached(Misuse):
    """The page belongs to nobody yet."""

    code = "not_attached"


class NotFound(Misuse):
    """No element is what a locator says."""

    code = "not_found"


class PageChanged(PageTrouble):
    """The page is another one than when its tools were listed."""

    code = "page_changed"


class PageNavigated(PageTrouble):
    """The page navigated during the call."""

    code = "page_navigated"


class ProfileInUse(BrowserTrouble):
    """Another browser uses the profile."""

    code = "profile_in_use"


class RefusedByUser(Refused):
    """The user was asked and said no."""

    code = "refused_by_user"


class SecretInPage(Refused):
    """A secret stands in the page, or would be seen there by what the agent set up."""

    code = "secret_in_page"


class SecretUnavailable(TabmuxError):
    """The place where the user keeps a secret did not give it."""

    code = "secret_unavailable"


class SessionRequired(Misuse):
    """The tool works on a page, and the call names no session that has one."""

    code = "session_required"


class StoppedByHuman(TabmuxError):
    """A person has stopped the call."""

    code = "stopped_by_human"


class TooManyFiles(SystemLimit):
    """The system lets tabmux open no more files and connections."""

    code = "too_many_files"


class ToolFailed(PageTrouble):
    """A page's own tool failed."""

    code = "tool_failed"


class UnknownHeapClass(Misuse):
    """The heap snapshot has no such class."""

    code = "unknown_heap_class"


class UnknownHeapObject(Misuse):
    """The heap snapshot has no such object."""

    code = "unknown_heap_object"


class UnknownSession(Misuse):
    """No open session has this handle."""

    code = "unknown_session"


class ValidationError(Misuse):
    """The page did not accept what was filled in."""

    code = "validation_error"


class WrongBrowser(Misuse):
    """The page is in another browser than the one named."""

    code = "wrong_browser"


class WrongPage(Misuse):
    """The arguments name several pages."""

    code = "wrong_page"


# The exception of each code.
BY_CODE: dict[str, type[TabmuxError]] = {
    "ambiguous": Ambiguous, "analysis_failed": AnalysisFailed, "bad_arguments": BadArguments,
    "bad_heap_snapshot": BadHeapSnapshot, "bad_request": Misuse, "browser_gone": BrowserGone,
    "browser_unreachable": BrowserTrouble, "budget_spent": BudgetSpent, "busy": Busy,
    "cancelled": Cancelled, "daemon_unreachable": DaemonTrouble, "deadline": DeadlineExceeded,
    "dialog_open": DialogOpen, "disk_full": SystemLimit, "download_failed": DownloadFailed,
    "element_covered": ElementCovered, "element_disabled": ElementDisabled,
    "element_hidden": ElementHidden, "element_no_such_option": ElementNoSuchOption,
    "element_not_changed": ElementNotChanged, "element_not_fillable": ElementNotFillable,
    "element_readonly": ElementReadonly, "element_trouble": ElementTrouble, "error": TabmuxError,
    "extension_failed": ExtensionFailed, "human_in_control": HumanInControl,
    "internal": InternalError, "item_moved": ItemMoved, "last_page": LastPage,
    "lighthouse_failed": LighthouseFailed, "login_failed": LoginFailed,
    "missing_extra": MissingExtra, "navigation_failed": NavigationFailed, "needs_human": NeedsHuman,
    "no_capacity": NoCapacity, "no_dialog": NoDialog, "no_such_browser": NoSuchBrowser,
    "no_such_element": NoSuchElement, "no_such_item": NoSuchItem, "no_such_message": NoSuchMessage,
    "no_such_page": NoSuchPage, "no_such_request": NoSuchRequest, "no_such_rule": NoSuchRule,
    "no_such_secret": NoSuchSecret, "no_such_session": NoSuchSession, "no_such_tab": NoSuchTab,
    "no_such_worker": NoSuchWorker, "not_attached": NotAttached, "not_found": NotFound,
    "not_in_this_browser": NotInThisBrowser, "outcome_unknown": OutcomeUnknown,
    "owned_by_other_session": NotOwned, "page_changed": PageChanged, "page_crashed": PageCrashed,
    "page_gone": PageGone, "page_navigated": PageNavigated, "page_trouble": PageTrouble,
    "profile_in_use": ProfileInUse, "protocol_fault": ProtocolFault, "refused_by_policy": Refused,
    "refused_by_user": RefusedByUser, "script_failed": ScriptFailed, "secret_in_page": SecretInPage,
    "secret_unavailable": SecretUnavailable, "session_required": SessionRequired,
    "stale_uid": StaleUid, "stopped_by_human": StoppedByHuman, "too_many_files": TooManyFiles,
    "tool_failed": ToolFailed, "unknown_heap_class": UnknownHeapClass,
    "unknown_heap_object": UnknownHeapObject, "unknown_session": UnknownSession,
    "unknown_tool": UnknownTool, "unknown_uid": UnknownUid, "validation_error": ValidationError,
    "wrong_browser": WrongBrowser, "wrong_page": WrongPage,
}
__all__ = [
    "Ambiguous", "AnalysisFailed", "BY_CODE", "BadArguments", "BadHeapSnapshot", "BrowserGone",
    "BrowserTrouble", "BudgetSpent", "Busy", "Cancelled", "DaemonTrouble", "DeadlineExceeded",
    "DialogOpen", "DownloadFailed", "ElementCovered", "ElementDisabled", "ElementHidden",
    "ElementNoSuchOption", "ElementNotChanged", "ElementNotFillable", "ElementReadonly",
    "ElementTrouble", "ExtensionFailed", "HumanInControl", "InternalError", "ItemMoved", "LastPage",
    "LighthouseFailed", "LoginFailed", "MissingExtra", "Misuse", "NavigationFailed", "NeedsHuman",
    "NoCapacity", "NoDialog", "NoSuchBrowser", "NoSuchElement", "NoSuchItem", "NoSuchMessage",
    "NoSuchPage", "NoSuchRequest", "NoSuchRule", "NoSuchSecret", "NoSuchSession", "NoSuchTab",
    "NoSuchWorker", "NotAttached", "NotFound", "NotInThisBrowser", "NotOwned", "OutcomeUnknown",
    "PageChanged", "PageCrashed", "PageGone", "PageNavigated", "PageTrouble", "ProfileInUse",
    "ProtocolFault", "Refused", "RefusedByUser", "ScriptFailed", "SecretInPage",
    "SecretUnavailable", "SessionRequired", "StaleUid", "StoppedByHuman", "SystemLimit",
    "TabmuxError", "TooManyFiles", "ToolFailed", "UnknownHeapClass", "UnknownHeapObject",
    "UnknownSession", "UnknownTool", "UnknownUid", "ValidationError", "WrongBrowser", "WrongPage",
]
