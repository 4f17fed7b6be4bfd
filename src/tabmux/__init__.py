"""tmux for browsers: one daemon, many browsers, many agents.

The library's names are imported when they are first used, so that the relay and the command line
start without them.
"""

from __future__ import annotations

import sys
from types import ModuleType

# Without the typing module, which takes longer to load than everything else here.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from tabmux import exceptions as exceptions
    from tabmux import sync as sync
    from tabmux.errors import TabmuxError as TabmuxError
    from tabmux.library.async_tab import Tab as Tab
    from tabmux.library.async_tab import session as session
    from tabmux.library.async_tab import sessions as sessions
    from tabmux.library.result_data import ReplyImage as ReplyImage
    from tabmux.library.result_data import ToolResult as ToolResult
    from tabmux.library.tool_results import Change as Change
    from tabmux.library.tool_results import ConsoleMessages as ConsoleMessages
    from tabmux.library.tool_results import NetworkRequests as NetworkRequests
    from tabmux.library.tool_results import PageSnapshot as PageSnapshot
    from tabmux.library.tool_results import ScriptResult as ScriptResult
    from tabmux.library.tool_results import TabEntry as TabEntry
    from tabmux.library.tool_results import TabList as TabList

__version__ = "1.0.0"

# The module of each name; a module stands for itself.
_NAMES = {
    "exceptions": "tabmux.exceptions",
    "sync": "tabmux.sync",
    "TabmuxError": "tabmux.errors",
    "Tab": "tabmux.library.async_tab",
    "session": "tabmux.library.async_tab",
    "sessions": "tabmux.library.async_tab",
    "ReplyImage": "tabmux.library.result_data",
    "ToolResult": "tabmux.library.result_data",
    "Change": "tabmux.library.tool_results",
    "ConsoleMessages": "tabmux.library.tool_results",
    "NetworkRequests": "tabmux.library.tool_results",
    "PageSnapshot": "tabmux.library.tool_results",
    "ScriptResult": "tabmux.library.tool_results",
    "TabEntry": "tabmux.library.tool_results",
    "TabList": "tabmux.library.tool_results",
}


def __getattr__(name: str) -> object:
    if name not in _NAMES:
        raise AttributeError(f"module 'tabmux' has no attribute {name!r}")
    from importlib import import_module

    module = import_module(_NAMES[name])
    return module if _NAMES[name] == f"tabmux.{name}" else getattr(module, name)


class _Package(ModuleType):
    """The package, whose `sessions` is the library's function also where the server is loaded.

    The import system would put the server's package of that name in its place.
    """

    @property
    def sessions(self) -> object:
        return __getattr__("sessions")

    @sessions.setter
    def sessions(self, package: ModuleType) -> None:
        """Leave it: `from tabmux.sessions import …` does not need it."""


sys.modules[__name__].__class__ = _Package


def __dir__() -> list[str]:
    return sorted({*globals(), *_NAMES})
