"""Errors: the exceptions of tabmux, and every error code with its meaning.

TabmuxError
├── Misuse                     the caller asked for something impossible
│   ├── BadArguments, UnknownTool, UnknownUid, StaleUid, NoSuchPage, NotOwned, Busy
│   └── ElementTrouble         the element cannot take the action
├── Refused                    tabmux will not do it
│   └── BudgetSpent
├── BrowserTrouble             the browser is not there
│   └── BrowserGone, NoCapacity
├── DaemonTrouble              the daemon does not start or answer
├── PageTrouble                the tab cannot do it now
│   └── PageGone, PageCrashed, DialogOpen, NavigationFailed, ScriptFailed
├── DeadlineExceeded           it took too long
├── HumanInControl             a person holds the page, or has paused or stopped the session
├── SystemLimit                the machine has no room for it
├── InternalError              a defect of tabmux
└── ProtocolFault              Chrome refused a command

A code is declared in `CODES` and nowhere else; `docs/errors.md` is written from it.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass


@dataclass(frozen=True)
class ErrorCode:
    """What a code means, and what to do when it comes."""

    meaning: str
    next_step: str


_SNAPSHOT = "Call take_snapshot and use the new uids."
_LIST = "Call {} to see what there is."

CODES: dict[str, ErrorCode] = {
    "ambiguous": ErrorCode(
        "A locator means several elements.", "Use one of the uids that the error lists."
    ),
    "analysis_failed": ErrorCode(
        "The process that analyses traces and heap snapshots ended.", "Try a smaller file."
    ),
    "bad_arguments": ErrorCode(
        "The arguments do not fit the tool's schema.", "Correct what the error names."
    ),
    "bad_heap_snapshot": ErrorCode(
        "The file is not a heap snapshot, or is damaged.", "Take a new one."
    ),
    "bad_request": ErrorCode("It cannot be done as asked.", "Read the error; it says why."),
    "browser_gone": ErrorCode(
        "The browser was there and has gone away.", "Call again: it is reconnected or restarted."
    ),
    "browser_unreachable": ErrorCode(
        "The browser cannot be reached.", "Call list_browsers; reconnect_browser tries at once."
    ),
    "budget_spent": ErrorCode(
        "The session has used up the calls or minutes that the user's policy gives it.",
        "Tell the user what is done and what is left.",
    ),
    "busy": ErrorCode("Too much is queued already.", "Wait for some calls to end."),
    "cancelled": ErrorCode("The client cancelled the call.", "Nothing is to be done."),
    "daemon_unreachable": ErrorCode(
        "The daemon does not start, or runs and does not answer.",
        "See tabmux logs and tabmux doctor; tabmux daemon restart ends it, by force if need be.",
    ),
    "deadline": ErrorCode(
        "The call did not finish in its time.", "Take a snapshot to see where the page stands."
    ),
    "disk_full": ErrorCode(
        "The disk has no room for it.", "Free some room, or name a file on another disk."
    ),
    "dialog_open": ErrorCode("A JavaScript dialog blocks the page.", "Call handle_dialog."),
    "download_failed": ErrorCode("A file could not be downloaded.", "Start the download again."),
    "element_covered": ErrorCode(
        "Something else would take the click.", "Close or move what covers the element."
    ),
    "element_disabled": ErrorCode(
        "The control is disabled.", "Do first what the page wants before it."
    ),
    "element_hidden": ErrorCode("The element is not visible.", _SNAPSHOT),
    "element_not_changed": ErrorCode(
        "The control did not take the value.", "Click it, then use type_text."
    ),
    "element_not_fillable": ErrorCode("The element takes no value.", "Name the field itself."),
    "element_no_such_option": ErrorCode(
        "The list has no such option.", "Use one that the error names."
    ),
    "element_readonly": ErrorCode("The field is read-only.", "Find what sets it on the page."),
    "element_trouble": ErrorCode("The element cannot take the action.", _SNAPSHOT),
    "error": ErrorCode("A failure without a finer code.", "Read the error; it says why."),
    "extension_failed": ErrorCode(
        "The browser extension could not carry out a command.", "Read what it said."
    ),
    "human_in_control": ErrorCode(
        "A person works on the page, or has paused the session.",
        "Wait, then call again; or tell the user that you wait.",
    ),
    "internal": ErrorCode(
        "tabmux has failed; this is a defect.", "Try again, and report it with tabmux's log."
    ),
    "item_moved": ErrorCode(
        "The entry of a list is no longer where it was.", "List the page's tools again."
    ),
    "last_page": ErrorCode("The last page of a browser is not closed.", "Open another one first."),
    "lighthouse_failed": ErrorCode("Lighthouse could not audit the page.", "Read what it said."),
    "login_failed": ErrorCode(
        "The page did not take the login.", "Take a snapshot to see what it says; tell the user."
    ),
    "missing_extra": ErrorCode(
        "A part of tabmux is not installed.", "Install what the error names."
    ),
    "navigation_failed": ErrorCode("The page could not be loaded.", "Check the URL."),
    "needs_human": ErrorCode(
        "Only a person can do this or agree to it, and nobody could be asked.",
        "Tell the user what is wanted.",
    ),
    "no_capacity": ErrorCode(
        "The grid has no room for another session, and none became free in time; or the daemons of "
        "a cluster cannot agree who answers for the session.",
        "Try again when the error says.",
    ),
    "no_dialog": ErrorCode("No dialog is open.", "Go on without handle_dialog."),
    "no_such_browser": ErrorCode(
        "No browser has this index or name.", _LIST.format("list_browsers")
    ),
    "no_such_element": ErrorCode("The page has no such element.", _SNAPSHOT),
    "no_such_item": ErrorCode("The list has no such entry.", "List the page's tools again."),
    "no_such_message": ErrorCode(
        "No console message has this id.", _LIST.format("list_console_messages")
    ),
    "no_such_page": ErrorCode("No page has this id.", _LIST.format("list_pages")),
    "no_such_request": ErrorCode("No request has this id.", _LIST.format("list_network_requests")),
    "no_such_rule": ErrorCode("No interception rule has this id.", _LIST.format("list_routes")),
    "no_such_secret": ErrorCode(
        "No secret has this name, or this part.", "Call list_secrets to see which there are."
    ),
    "no_such_session": ErrorCode("No session has this name.", "See tabmux session list."),
    "no_such_tab": ErrorCode("No tab has this id.", _LIST.format("list_tabs")),
    "no_such_worker": ErrorCode("No service worker has this name.", _LIST.format("list_pages")),
    "not_attached": ErrorCode(
        "The page belongs to nobody yet.", "Call select_page to work with it."
    ),
    "not_found": ErrorCode("No element is what a locator says.", _SNAPSHOT),
    "not_in_this_browser": ErrorCode(
        "This kind of browser cannot do it.", "Use a browser that tabmux starts."
    ),
    "outcome_unknown": ErrorCode(
        "The server ended during the call, so how far it came is unknown; it was not repeated.",
        "Take a snapshot to see what came of it, then go on.",
    ),
    "owned_by_other_session": ErrorCode(
        "The page or uid belongs to another session.", "Open a page of your own with new_page."
    ),
    "page_changed": ErrorCode(
        "The page is another one than when its tools were listed.", "List its tools again."
    ),
    "page_crashed": ErrorCode("The page's renderer has crashed.", "Call navigate_page."),
    "page_gone": ErrorCode("The page is closed.", "Call list_pages, or new_page."),
    "page_navigated": ErrorCode("The page navigated during the call.", "Try again."),
    "page_trouble": ErrorCode("The page cannot do it now.", "Try again."),
    "profile_in_use": ErrorCode(
        "Another browser uses the profile.", "Close it, or use --isolated or another --profile."
    ),
    "protocol_fault": ErrorCode("Chrome refused a command.", "Read what it said."),
    "refused_by_policy": ErrorCode(
        "The user's settings forbid it.", "Tell the user, if it is needed."
    ),
    "refused_by_user": ErrorCode("The user was asked and said no.", "Do something else."),
    "script_failed": ErrorCode("A script threw, or could not be run.", "Correct the script."),
    "secret_in_page": ErrorCode(
        "A secret stands in the page, or would be seen there by what the agent set up.",
        "Do what the error says first.",
    ),
    "secret_unavailable": ErrorCode(
        "The place where the user keeps a secret did not give it.", "Tell the user."
    ),
    "session_required": ErrorCode(
        "The tool works on a page, and the call names no session that has one.",
        "Pass the session of an earlier reply, or add ?session=NAME to the URL.",
    ),
    "stale_uid": ErrorCode(
        "The uid is from an older snapshot, or its element has gone.", _SNAPSHOT
    ),
    "stopped_by_human": ErrorCode(
        "A person has stopped the call.", "Do not repeat it; ask the user what to do."
    ),
    "too_many_files": ErrorCode(
        "The system lets tabmux open no more files and connections.",
        "Close pages and browsers; raise `ulimit -n` where tabmux is started.",
    ),
    "tool_failed": ErrorCode("A page's own tool failed.", "Read what it said."),
    "unknown_heap_class": ErrorCode(
        "The heap snapshot has no such class.", _LIST.format("get_heapsnapshot_details")
    ),
    "unknown_heap_object": ErrorCode(
        "The heap snapshot has no such object.", _LIST.format("get_heapsnapshot_class_nodes")
    ),
    "unknown_session": ErrorCode(
        "No open session has this handle.", "Call without `session` to open a new one."
    ),
    "unknown_tool": ErrorCode("No tool of that name is switched on.", "See tools/list."),
    "unknown_uid": ErrorCode("The session was never shown this uid.", _SNAPSHOT),
    "validation_error": ErrorCode(
        "The page did not accept what was filled in.", "Correct the fields that the reply names."
    ),
    "wrong_browser": ErrorCode(
        "The page is in another browser than the one named.", "Leave browserIndex out."
    ),
    "wrong_page": ErrorCode(
        "The arguments name several pages.", "Use uids of one page, and its pageId or none."
    ),
}


_DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_TOO_MANY_FILES = (errno.EMFILE, errno.ENFILE)


class TabmuxError(Exception):
    """An error whose text is written for the agent who will read it.

    Args:
        message: What happened, and to which thing.
        hint: What to do next.
        code: One of `CODES`, when it is finer than the class's own.
    """

    code = "error"
    # More is cut out of the middle: the beginning says what, and the end often why. So an error
    # repeats only a little of what was given.
    longest = 600

    def __init__(self, message: str, *, hint: str = "", code: str | None = None) -> None:
        self.message = _shortened(message, self.longest)
        self.hint = _shortened(hint, 2_000)
        super().__init__(self.message)
        if code is not None:
            self.code = code

    @property
    def text(self) -> str:
        """What happened and what to do next, in one line."""
        return f"{self.message} {self.hint}".rstrip()

    @property
    def labelled(self) -> str:
        """The text with its code, as replies and terminals show it."""
        return f"Error [{self.code}]: {self.text}"


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
    """The policy forbids it.

    Args:
        message: What is not done.
        hint: What to do next.
        code: One of `CODES`, when it is finer than the class's own.
        rule: The rule of the policy file that is against it, if one is.
    """

    code = "refused_by_policy"

    def __init__(
        self, message: str, *, hint: str = "", code: str | None = None, rule: object = None
    ) -> None:
        super().__init__(message, hint=hint, code=code)
        self.rule = rule


class BudgetSpent(Refused):
    """The session has no calls or minutes left."""

    code = "budget_spent"


class BrowserTrouble(TabmuxError):
    """The browser cannot be reached."""

    code = "browser_unreachable"
    # May hold what a browser said that did not start.
    longest = 2_000


class BrowserGone(BrowserTrouble):
    """The browser was there and has gone away."""

    code = "browser_gone"


class NoCapacity(BrowserTrouble):
    """There are browsers, and all of them are full."""

    code = "no_capacity"


class DaemonTrouble(TabmuxError):
    """The daemon does not start, or does not answer."""

    code = "daemon_unreachable"


class OutcomeUnknown(TabmuxError):
    """The server ended during the call, and nobody can say how far it came."""

    code = "outcome_unknown"


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
    # Holds the stack of what was thrown.
    longest = 2_000


class DeadlineExceeded(TabmuxError):
    """The call did not finish in its time."""

    code = "deadline"


class HumanInControl(TabmuxError):
    """A person works on the page now, or has paused or stopped the session."""

    code = "human_in_control"


class SystemLimit(TabmuxError):
    """The machine has no room left: on its disk, or for open files."""

    code = "disk_full"

    @classmethod
    def of(cls, error: OSError, what: str) -> SystemLimit | None:
        """Return the limit that an error of the system tells of, if it is one.

        Args:
            error: What the system said.
            what: What could not be done.
        """
        if error.errno not in (*_DISK_FULL, *_TOO_MANY_FILES):
            return None
        code = "disk_full" if error.errno in _DISK_FULL else "too_many_files"
        return cls(f"{what}: {error.strerror}.", hint=CODES[code].next_step, code=code)


class InternalError(TabmuxError):
    """tabmux itself has failed; nothing of its inside is told."""

    code = "internal"

    def __init__(self, message: str) -> None:
        super().__init__(f"{message}; its log says why.")


class ProtocolFault(TabmuxError):
    """Chrome refused a command."""

    code = "protocol_fault"


class NotInThisBrowser(ProtocolFault):
    """The browser does not know the command, or keeps it from whoever relays it."""

    code = "not_in_this_browser"

    def __init__(self, message: str) -> None:
        super().__init__(message, hint="Use a browser that tabmux starts.")


def unexpected(error: Exception, what: str) -> TabmuxError:
    """Make the error for what nobody expected: a limit of the machine, or a fault of tabmux.

    Args:
        error: What was raised.
        what: What could not be done.
    """
    limit = SystemLimit.of(error, what) if isinstance(error, OSError) else None
    return limit or InternalError(what)


def closed(page_id: int) -> PageGone:
    """Make the error for a page that is closed, perhaps while a call needs it."""
    return PageGone(f"Page {page_id} was closed.", hint="Call list_pages to see what is open.")


def _shortened(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]} … {text[-half:]}"
