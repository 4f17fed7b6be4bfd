"""Browser kind: everything that differs between launched, addressed and lent browsers.

A further kind is a module like `launched.py`, with a spec and a browser that answers what it
answers differently, and a line in the table of `registry.py`.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from tabmux.browsers.url_filter import UrlFilter
from tabmux.cdp.channel import Channel, Params
from tabmux.cdp.transports import Transport
from tabmux.page.handle import PageHandle
from tabmux.policy.url_policy import UrlPolicy
from tabmux.timings import Timings


@dataclass(frozen=True, kw_only=True)
class BrowserSpec(ABC):
    """A browser as the user named it; each kind adds how it is reached."""

    name: str = ""
    tags: tuple[str, ...] = ()
    allow_url: tuple[str, ...] = ()
    deny_url: tuple[str, ...] = ()
    # Nobody named it: it is there so that there is one, and gives way to one that comes by itself.
    stand_in: bool = False

    @property
    @abstractmethod
    def label(self) -> str:
        """What lists and errors call it."""

    @property
    @abstractmethod
    def identity(self) -> Hashable | None:
        """What two specs of one kind share when they mean one browser; None is like no other."""

    def same_as(self, other: BrowserSpec) -> bool:
        """Whether both mean one browser: the same address or profile is the same browser."""
        same = type(self) is type(other) and self.identity == other.identity
        return same and self.identity is not None

    def browser_class(self) -> type[Any] | None:
        """Return its kind, where that is not loaded before somebody names it."""
        return None

    def differences(self, other: BrowserSpec) -> list[str]:
        """Name what another spec of the same browser wants otherwise, in the words of flags."""
        return []


class BrowserKind(ABC):
    """What a kind of browser is asked; what is not abstract is the usual answer."""

    urls: UrlPolicy
    # Whether tabmux started it, so that it may close it, too; its last tab is replaced rather than
    # left open when a session ends.
    is_owned = False
    # Whether it ends when tabmux does.
    ends_with_server = False
    # Whether it does not run before somebody needs it.
    starts_on_demand = False
    # Whether an attempt to connect is cancelled when nobody wants the browser any more; otherwise
    # `open_transport` looks at `stop` while it waits, or comes to an end by itself.
    cancels_attempts = False
    # Whether calls are refused for a while after an attempt that failed, or a connection that was
    # lost: of use only where something else retries in the background (`retry_delays`).
    cools_down = False
    # Whether tabs are known again after a lost connection.
    keeps_pages = False
    # Whether it takes its pages along when it is connected anew, as another browser.
    moves_pages = False
    # Whether sessions are in contexts that were made for them, and never in the browser's own.
    makes_contexts = False
    # Whether Chrome lets us install web apps.
    manages_web_apps = False

    @abstractmethod
    def open_transport(
        self, stop: asyncio.Event, *, run_start_command: bool
    ) -> AbstractAsyncContextManager[Transport]:
        """Reach the browser for the length of the block; what was started ends with it.

        Nobody else limits how long that takes: every wait in it has a deadline of its own.

        Args:
            stop: Set when nobody wants it any more; see `cancels_attempts`.
            run_start_command: Start it by the user's command when it is unreachable.
        """

    def placement(self) -> dict[str, Any] | None:
        """Return what the next server needs to take it up, where its spec is not enough."""
        return None

    @property
    def reopens_pages(self) -> bool:
        """Whether pages that end with it are opened again in the next one, with their storage."""
        return self.ends_with_server

    @property
    def attempt_note(self) -> str:
        """What an attempt to connect waits for, where that may take long."""
        return ""

    @property
    def queue_seconds(self) -> float:
        """How long such a wait may take, beside what a call may."""
        return 0.0

    def facts(self) -> Iterable[str]:
        """Return what else lists say of it."""
        return ()

    def remark(self) -> str:
        """Return what the next reply should say of it, once."""
        return ""

    @property
    def is_away(self) -> bool:
        """Whether it has left by itself, so that nobody should be sent to it."""
        return False

    def retry_delays(self) -> Iterable[float]:
        """Return the pauses before attempts to connect again after a loss.

        There are none for a browser that is started again when it is needed.
        """
        return ()

    def longest_silence(self, timings: Timings) -> float:
        """Return after how many seconds without an answer it counts as lost."""
        return timings.heartbeat_deadline

    def make_url_filter(self, channel: Channel) -> UrlFilter:
        """Return what holds its pages to a policy that restricts them."""
        return UrlFilter(channel, self.urls, self)

    @abstractmethod
    def urls_of(self, target: str) -> UrlPolicy | None:
        """Return where a tab may go; None for one that belongs to nobody, or is not known yet."""

    @abstractmethod
    def session_urls(self) -> Iterable[UrlPolicy]:
        """Return where the tabs of sessions may go."""

    async def after_discovery(self, channel: Channel) -> None:  # noqa: B027  # may do nothing
        """Do what is to be done once its tabs are known."""

    def new_tab_options(self, session: str) -> Params:
        """Return further parameters for opening a tab for a session."""
        return {}

    def show_session(self, page: PageHandle, session: str) -> None:  # noqa: B027  # most are ours
        """Have the user see which session uses a tab, where it is the user's browser."""

    def show_request(self, page: PageHandle, reason: str) -> None:  # noqa: B027  # most are ours
        """Have the user see that an agent asks for help with a tab; nothing when it is empty."""

    def refuse_isolated_contexts(self) -> None:  # noqa: B027  # most have them
        """Raise why there are no isolated contexts, where there are none."""

    @property
    def has_download_folder(self) -> bool:
        """Whether downloads go to a folder of ours, because no person uses the browser."""
        return False

    @property
    def manages_extensions(self) -> bool:
        """Whether its extensions are ours: those of a user's own browser are left alone."""
        return False

    @property
    def http_address(self) -> str:
        """Where it serves its debugging protocol over HTTP; empty where it does not."""
        return ""

    @property
    def executable_path(self) -> str | None:
        """The program, where the user named it."""
        return None
