"""The scripts that tabmux runs inside pages."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

WORLD = "tabmux"
# What a document calls with its title when it has loaded.
ARRIVED = "tabmuxArrived"

# In this order: a later file may use what an earlier one defines.
_MODULES = (
    "nodes", "labels", "visibility", "stylesheets", "roles", "names", "states", "details",
    "entries", "walker", "snapshot",
    "changes", "click_point", "fill", "find_text", "loaded",
)  # fmt: skip

_COMMENTS = ("//", "/**", "* ", "*/", "*\n")


@cache
def source(name: str) -> str:
    """Return the text of one script."""
    return (files("tabmux.page") / "js" / f"{name}.js").read_text(encoding="utf-8")


def _code(name: str) -> str:
    """Return a script without its comment lines: every document of every page reads it."""
    lines = source(name).split("\n")
    return "\n".join(line for line in lines if not line.lstrip().startswith(_COMMENTS))


@cache
def library() -> str:
    """Return the script that gives an isolated world its `tabmux` object."""
    bodies = "\n".join(f"((tabmux) => {{\n{_code(name)}\n}})(tabmux);" for name in _MODULES)
    return (
        "if (!globalThis.tabmux) { const tabmux = {};\n"
        f"{bodies}\nglobalThis.tabmux = tabmux; }}\n//# sourceURL=tabmux"
    )
