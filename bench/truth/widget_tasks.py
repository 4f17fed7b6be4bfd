"""Widget tasks: what a task on a page of a component library is made of."""

from __future__ import annotations

from dataclasses import dataclass, field

from bench.truth.libraries import Library


@dataclass(frozen=True)
class WidgetTask:
    """One control, the value it is to be given, and how the page itself tells that it has it.

    Args:
        target: A locator, as the tools take it.
        value: What `fill` is given.
        holds: An expression of the page's own state that is true afterwards, and not before.
    """

    target: str
    value: str
    holds: str


@dataclass(frozen=True)
class WidgetPage:
    """A page made of npm packages: its body, and a module that esbuild bundles.

    Args:
        library: One whose page in `components/` is used instead of all that.
    """

    name: str
    packages: dict[str, str] = field(default_factory=dict)
    html: str = ""
    script: str = ""
    tasks: list[WidgetTask] = field(default_factory=list)
    library: Library | None = None


REACT = {"react": "18.3.1", "react-dom": "18.3.1"}
