"""Library script: a run as a Python program on the tabmux library."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from keyword import iskeyword
from typing import Any

from tabmux.record.parameter_names import placeholder
from tabmux.record.replay import PATIENCE_SECONDS, PAUSE_SECONDS
from tabmux.record.replay_plan import ReplayPlan, ReplayStep

# The arguments that need no name.
_FIRST = {
    "click": ("uid",), "hover": ("uid",), "fill": ("uid", "value"), "type_text": ("text",),
    "press_key": ("key",), "new_page": ("url",), "drag": ("from_uid", "to_uid"),
}  # fmt: skip
_CAPITAL = re.compile(r"(?<=[a-z])([A-Z])")
_FIND_PAGES = f'''

async def selected_page(tab):
    """Return the page that is acted on where none is named."""
    return next(each.id for each in (await tab.pages()).pages if each.selected)


async def opened_page(tab, *known):
    """Wait for a page that was opened by what was done before."""
    for _ in range({PATIENCE_SECONDS / PAUSE_SECONDS:.0f}):
        for each in reversed((await tab.pages()).pages):
            if each.attached and each.id not in known:
                return each.id
        await asyncio.sleep({PAUSE_SECONDS})
    raise TimeoutError("No page was opened; look whether the step before still opens one.")'''


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
    if plan.has_several_pages:
        yield _FIND_PAGES
    yield from ("", "")
    yield f"async def main({parameters(plan)}):"
    yield "    async with tabmux.session() as tab:"
    pages = _Pages(plan.has_several_pages)
    lines = [line for step in plan.steps for line in pages.step(step)]
    yield from (f"        {line}" for line in lines or ["pass"])
    yield from ("", "")
    yield 'if __name__ == "__main__":'
    given = "*sys.argv[1:]" if hidden else ""
    yield f"    asyncio.run(main({given}))"


class _Pages:
    """Which variable holds the id of which page; a run on one page needs none."""

    def __init__(self, several: bool) -> None:
        self._several = several
        self._names: dict[int, str] = {}

    def step(self, step: ReplayStep) -> Iterator[str]:
        if not self._several or step.page is None:
            # The only page is selected.
            if step.tool != "select_page":
                yield f"await {_call(step)}"
        elif step.tool == "new_page" or not self._names:
            if step.tool != "select_page":
                yield f"await {_call(step)}"
                yield f"{self._named(step.page)} = await selected_page(tab)"
        else:
            if step.page not in self._names:
                known = ", ".join(["tab", *self._names.values()])
                yield f"{self._named(step.page)} = await opened_page({known})"
            yield f"await {_call(step, self._names[step.page])}"

    def _named(self, page: int) -> str:
        name = self._names[page] = f"page_{len(self._names) + 1}"
        return name


def _call(step: ReplayStep, page: str = "") -> str:
    given = {name: value for name, value in step.arguments.items() if name != "pageId"}
    codes = {name: expression(step, name, value) for name, value in given.items()}
    if page:
        codes["pageId"] = page
    if step.tool == "navigate_page" and codes.keys() - {"pageId"} == {"url"}:
        return f"tab.goto({_words(codes, ('url',))})"
    if not all(each.isidentifier() and not iskeyword(each) for each in (step.tool, *codes)):
        # What pages call their own tools and arguments may be anything, also code.
        pairs = ", ".join(f"{name!r}: {code}" for name, code in codes.items())
        return f"tab.call({step.tool!r}, **{{{pairs}}})"
    return f"tab.{step.tool}({_words(codes, _FIRST.get(step.tool, ()))})"


def _words(codes: Mapping[str, str], first: Sequence[str]) -> str:
    """Return the arguments of a call; the first need no names."""
    rest = [f"{_snake_case(name)}={codes[name]}" for name in codes if name not in first]
    return ", ".join([*(codes[name] for name in first if name in codes), *rest])


def _snake_case(name: str) -> str:
    return _CAPITAL.sub(r"_\1", name).lower()
