"""Everything that can go wrong, grouped by who can act on it.

TabmuxError                    code
├── Misuse                     bad_request           the caller asked for something impossible
│   ├── BadArguments           bad_arguments
│   ├── UnknownTool            unknown_tool
│   ├── UnknownUid             unknown_uid
│   ├── StaleUid               stale_uid
│   ├── NoSuchPage             no_such_page
│   ├── NotOwned               owned_by_other_session
│   ├── Busy                   busy
│   └── ElementTrouble         element_…             covered, disabled, detached, not_fillable, …
├── Refused                    refused_by_policy     tabmux will not do it
├── BrowserTrouble             browser_unreachable   the browser is not there
│   └── BrowserGone            browser_gone
├── PageTrouble                page_trouble          the tab cannot do it now
│   ├── PageGone               page_gone
│   ├── PageCrashed            page_crashed
│   ├── DialogOpen             dialog_open
│   ├── NavigationFailed       navigation_failed
│   └── ScriptFailed           script_failed
├── DeadlineExceeded           deadline              it took too long
└── ProtocolFault              protocol_fault        Chrome refused a command
"""

from __future__ import annotations


class TabmuxError(Exception):
    """An error whose text is written for the agent who will read it.

    Args:
        message: What happened, and to which thing.
        hint: What to do next.
        code: A stable name, when it is finer than the class's own.
    """

    code = "error"

    def __init__(self, message: str, *, hint: str = "", code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if code is not None:
            self.code = code


class Misuse(TabmuxError):
    """The caller asked for something that cannot be done as asked."""

    code = "bad_request"


class BadArguments(Misuse):
    """The arguments do not fit the tool's schema."""

    code = "bad_arguments"


class UnknownTool(Misuse):
    """No tool of that name is switched on."""

    code = "unknown_tool"


class UnknownUid(Misuse):
    """The session was never shown this uid."""

    code = "unknown_uid"


class StaleUid(Misuse):
    """The uid belongs to an older snapshot of its page."""

    code = "stale_uid"


class NoSuchPage(Misuse):
    """No page has this id."""

    code = "no_such_page"


class NotOwned(Misuse):
    """The page or uid belongs to another session."""

    code = "owned_by_other_session"


class Busy(Misuse):
    """Too much is already queued."""

    code = "busy"


class ElementTrouble(Misuse):
    """The element cannot take the action; the code says which way."""

    code = "element_trouble"


class Refused(TabmuxError):
    """The policy forbids it."""

    code = "refused_by_policy"


class BrowserTrouble(TabmuxError):
    """The browser cannot be reached."""

    code = "browser_unreachable"


class BrowserGone(BrowserTrouble):
    """The browser was there and has gone away."""

    code = "browser_gone"


class PageTrouble(TabmuxError):
    """The tab cannot do it now."""

    code = "page_trouble"


class PageGone(PageTrouble):
    """The tab is closed."""

    code = "page_gone"


class PageCrashed(PageTrouble):
    """The tab's renderer has crashed."""

    code = "page_crashed"


class DialogOpen(PageTrouble):
    """A JavaScript dialog blocks the page."""

    code = "dialog_open"


class NavigationFailed(PageTrouble):
    """The page could not be loaded."""

    code = "navigation_failed"


class ScriptFailed(PageTrouble):
    """A script threw, or could not be run."""

    code = "script_failed"


class DeadlineExceeded(TabmuxError):
    """The call did not finish in its time."""

    code = "deadline"


class ProtocolFault(TabmuxError):
    """Chrome refused a command."""

    code = "protocol_fault"
