"""Library script: a run as a Python program on the tabmux library."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from keyword import iskeyword
from typing import Any

from tabmux.record.parameter_names import placeholder
from tabmux.record.replay_plan import ReplayPlan, ReplayStep

# The arguments that need no name.
_FIRST = {
    "click": ("uid",), "hover": ("uid",), "fill": ("uid", "value"), "type_text": ("text",),
    "press_key": ("key",), "new_page": ("url",), "drag": ("from_uid", "to_uid"),
}  # fmt: skip
_CAPITAL = re.compile(r"(?<=[a-z])([A-Z])")


def library_script(plan: ReplayPlan, run: str) -> str:
    """Return the program; what was typed are its parameters."""
    return "\n".join(_lines(plan, run)) + "\n"


def parameters(plan: ReplayPlan) -> str:
    """Return the parameters of a function; those whose values are hidden come first."""
    hidden = [name for name, text in plan.parameters.items() if text is None]
    known = [f"{name}={text!r}" for name, text in plan.parameters.items() if text is not None]
    return ", ".join([*hidden, *known])


def expression(step: ReplayStep, path: str, value: Any) -> str:
    """Return a value as Python code, with parameters in their places."""
    if path in step.parameters:
        return step.parameters[path]
    if isinstance(value, Mapping):
        pairs = (f"{k!r}: {expression(step, f'{path}.{k}', v)}" for k, v in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return f"[{', '.join(expression(step, f'{path}.{n}', v) for n, v in enumerate(value))}]"
    return text_code(step, value) if isinstance(value, str) else repr(value)


def text_code(step: ReplayStep, text: str) -> str:
    """Return a text as Python code, with what is hidden in it as parameters."""
    found = [name for name in step.hidden if placeholder(name) in text]
    code = repr(text)
    if not found:
        return code
    code = code.replace("{", "{{").replace("}", "}}")
    for name in found:
        code = code.replace(placeholder(name), f"{{{name}}}")
    return f"f{code}"


def _lines(plan: ReplayPlan, run: str) -> Iterator[str]:
    hidden = [name for name, text in plan.parameters.items() if text is None]
    yield f'"""Made from the recorded run {run}."""'
    yield ""
    yield "import asyncio"
    yield "import sys" if hidden else ""
    if hidden:
        yield ""
    yield "import tabmux"
    yield from ("", "")
    yield f"async def main({parameters(plan)}):"
    yield "    async with tabmux.session() as tab:"
    pages = _Pages(len({step.page for step in plan.steps if step.page is not None}) > 1)
    for step in plan.steps:
        yield from (f"        {line}" for line in pages.step(step))
    if not plan.steps:
        yield "        pass"
    yield from ("", "")
    yield 'if __name__ == "__main__":'
    given = "*sys.argv[1:]" if hidden else ""
    yield f"    asyncio.run(main({given}))"


class _Pages:
    """Which variable holds the id of which page; a run on one page needs none."""

    def __init__(self, several: bool) -> None:
        self._several = several
        self._names: dict[int, str] = {}
        self._selected: int | None = None

    def step(self, step: ReplayStep) -> Iterator[str]:
        if not self._several or step.page is None:
            yield f"await {_call(step)}"
            return
        opens = step.tool == "new_page" or not self._names
        if not opens and step.page not in self._names:
            # The step before opened it.
            yield self._named(step.page)
        if not opens and step.page != self._selected:
            yield f"await tab.select_page({self._names[step.page]})"
        self._selected = step.page
        if step.tool != "select_page":
            yield f"await {_call(step)}"
        if opens:
            yield self._named(step.page)

    def _named(self, page: int) -> str:
        name = self._names[page] = f"page_{len(self._names) + 1}"
        return f"{name} = (await tab.pages())[-1].id"


def _call(step: ReplayStep) -> str:
    given = {name: value for name, value in step.arguments.items() if name != "pageId"}
    codes = {name: expression(step, name, value) for name, value in given.items()}
    if step.tool == "navigate_page" and set(codes) == {"url"}:
        return f"tab.goto({codes['url']})"
    if not all(each.isidentifier() and not iskeyword(each) for each in (step.tool, *codes)):
        # What pages call their own tools and arguments may be anything, also code.
        pairs = ", ".join(f"{name!r}: {code}" for name, code in codes.items())
        return f"tab.call({step.tool!r}, **{{{pairs}}})"
    first = [codes.pop(name) for name in _FIRST.get(step.tool, ()) if name in codes]
    rest = [f"{_snake_case(name)}={code}" for name, code in codes.items()]
    return f"tab.{step.tool}({', '.join([*first, *rest])})"


def _snake_case(name: str) -> str:
    return _CAPITAL.sub(r"_\1", name).lower()
