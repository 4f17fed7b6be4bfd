"""Writes the Python library's methods, results and exceptions from the tools and the errors.

Without arguments the files are written; with --check they are compared.
"""

from __future__ import annotations

import inspect
import re
import sys
import textwrap
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from tabmux import errors
from tabmux.page.element import Element
from tabmux.sessions.locators import Locator
from tabmux.tools.pipeline import catalog, results
from tabmux.tools.pipeline.results import Result
from tabmux.tools.pipeline.tool import Tool

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "tabmux"
MADE = "\n\nWritten by scripts/library.py from the tools themselves; do not edit.\n"
WIDTH = 100


@dataclass(frozen=True)
class Short:
    """A short name of a tool.

    Args:
        tool: The tool.
        positional: Arguments that need no name; those that the tool can do without are required.
        fixed: Arguments with a value that the name stands for.
        takes: The part of the result that is returned instead of all of it, and its type.
    """

    tool: str
    positional: tuple[str, ...] = ()
    fixed: tuple[tuple[str, str], ...] = ()
    takes: tuple[str, str] | None = None


SHORTS = {
    "goto": Short("navigate_page", ("url",), (("type", "url"),)),
    "back": Short("navigate_page", fixed=(("type", "back"), ("url", ""))),
    "forward": Short("navigate_page", fixed=(("type", "forward"), ("url", ""))),
    "reload": Short("navigate_page", fixed=(("type", "reload"), ("url", ""))),
    "open": Short("new_page"),
    "pages": Short("list_pages"),
    "snapshot": Short("take_snapshot"),
    "screenshot": Short("take_screenshot"),
    "read": Short("read_page"),
    "evaluate": Short("evaluate_script", ("function",), takes=("result", "Any")),
    "type": Short("type_text"),
    "press": Short("press_key"),
    "upload": Short("upload_file"),
    "wait": Short("wait_for"),
    "dialog": Short("handle_dialog"),
    "resize": Short("resize_page"),
    "console": Short("list_console_messages"),
    "requests": Short("list_network_requests"),
    "cookies": Short("list_cookies"),
    "pdf": Short("print_pdf"),
    "save_state": Short("save_storage_state"),
    "restore_state": Short("restore_storage_state"),
}

# What results are called in the library, where classes of the server have other names.
RESULT_NAMES = {
    "PageEntry": "TabEntry",
    "PageListResult": "TabList",
    "ConsoleEntry": "LoggedMessage",
    "ConsoleResult": "ConsoleMessages",
    "RequestEntry": "RequestSummary",
    "RequestsResult": "NetworkRequests",
    "SnapshotResult": "PageSnapshot",
    "DialogEntry": "PageDialog",
    "ActionResult": "Change",
    "EvaluationResult": "ScriptResult",
    "CookieEntry": "CookieSummary",
    "CookiesResult": "CookieList",
    "PageToolEntry": "PageToolSummary",
    "PageToolsResult": "PageToolList",
}
FIELD_NAMES = {"navigated_to": "navigated", "opened_pages": "opened", "changes": "diff"}
# Texts that are empty rather than None.
TEXTS = frozenset({"diff"})


# Methods


@dataclass(frozen=True)
class Argument:
    """An argument of a method."""

    name: str
    wire: str
    kind: str
    note: str
    # The source of its default; None for one that is required.
    default: str | None

    @property
    def source(self) -> str:
        """The argument as it stands in a signature."""
        ending = "" if self.default is None else f" = {self.default}"
        return f"{self.name}: {self.kind}{ending}"


def tools() -> list[tuple[str, Tool]]:
    """Return every tool and its group."""
    return [
        (group, tool)
        for group, modules in catalog.GROUPS.items()
        for module in modules
        for tool in catalog.tools_of(module)
    ]


def arguments(tool: Tool) -> list[Argument]:
    """Return the arguments of a tool's method, routing included."""
    hints = get_type_hints(tool.function, include_extras=True)
    found = []
    for name, parameter in inspect.signature(tool.function).parameters.items():
        if name in tool.subjects:
            continue
        field = tool.model.model_fields[name]
        required = parameter.default is inspect.Parameter.empty
        default = None if required else repr(parameter.default)
        wire, note = str(field.alias), str(field.description)
        found.append(Argument(name, wire, kind_of(hints[name]), note, default))
    known = {each.wire for each in found}
    if tool.on_page and "pageId" not in known:
        about = "The page, if another than the selected one."
        found.append(Argument("page_id", "pageId", "int | None", about, "None"))
    if "browserIndex" not in known:
        about = "Number or name of the browser, where there are several."
        found.append(Argument("browser_index", "browserIndex", "int | str | None", about, "None"))
    return found


def kind_of(hint: Any) -> str:
    """Write the type that callers see, for one that carries checks."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return kind_of(inner[0])
    if origin in (Union, types.UnionType):
        kinds = dict.fromkeys(map(kind_of, inner))
        return " | ".join(kinds)
    if origin is Literal:
        return f"Literal[{', '.join(map(quoted, inner))}]"
    if origin in (Sequence, list):
        return f"Sequence[{kind_of(inner[0])}]"
    if origin is dict:
        return f"Mapping[{', '.join(map(kind_of, inner))}]"
    return _named_kind(hint)


def _named_kind(hint: Any) -> str:
    if hint is Any:
        return "Any"
    if hint in (Element, Locator):
        return "str"
    if hint is Path:
        return "FilePath"
    if hint is types.NoneType:
        return "None"
    if issubclass(hint, BaseModel):
        return "Mapping[str, Any]"
    return str(hint.__name__)


def short_arguments(short: Short, known: Sequence[Argument]) -> list[Argument]:
    """Return the arguments of a short name: those it stands for are left out."""
    fixed = dict(short.fixed)
    kept = [each for each in known if each.name not in fixed]
    return [
        Argument(e.name, e.wire, e.kind.removesuffix(" | None"), e.note, None)
        if e.name in short.positional
        else e
        for e in kept
    ]


def methods(*, waits: bool) -> Iterator[str]:
    """Return the lines of the module with the methods; `waits` makes them async."""
    twin = "AsyncToolMethods" if waits else "SyncToolMethods"
    base = "AsyncCaller" if waits else "SyncCaller"
    kind = "awaited" if waits else "blocking"
    yield f'"""Methods: every tool as a typed, {kind} method.{MADE}"""\n'
    yield "# fmt: off\nfrom __future__ import annotations\n"
    yield "from collections.abc import Mapping, Sequence\nfrom typing import Any, Literal\n"
    yield "from tabmux.library import tool_table as table"
    yield f"from tabmux.library.tool_call import {base}, FilePath"
    names = sorted({result_of(tool) for _, tool in tools()})
    yield from wrapped("from tabmux.library.tool_results import (", names, ")", "")
    yield f"\n\nclass {twin}({base}):"
    yield f'    """Every tool as a method, {kind}."""'
    for _, tool in tools():
        yield from method(tool.name, tool, arguments(tool), (), None, waits=waits)
    by_name = {tool.name: tool for _, tool in tools()}
    for name, short in SHORTS.items():
        tool = by_name[short.tool]
        given = short_arguments(short, arguments(tool))
        fixed = [(key, value) for key, value in short.fixed if value]
        yield from method(name, tool, given, fixed, short.takes, waits=waits)


def method(
    name: str,
    tool: Tool,
    given: Sequence[Argument],
    fixed: Sequence[tuple[str, str]],
    takes: tuple[str, str] | None,
    *,
    waits: bool,
) -> Iterator[str]:
    """Return the lines of one method."""
    needed = [each.source for each in given if each.default is None]
    optional = [each.source for each in given if each.default is not None]
    signature = ["self", *needed, *(["*"] if optional else []), *optional]
    start = "async def" if waits else "def"
    answer = takes[1] if takes else result_of(tool)
    yield ""
    yield from wrapped(f"{start} {name}(", signature, f") -> {answer}:", "    ")
    yield from docstring(tool, given)
    values = [f'"{key}": {quoted(value)}' for key, value in fixed]
    values += [f'"{each.wire}": {each.name}' for each in given]
    constant = f"table.{tool.name.upper()}"
    wait = "await " if waits else ""
    opening = f"return ({wait}self._call({constant}, {{" if takes else ""
    opening = opening or f"return {wait}self._call({constant}, {{"
    ending = f"}})).{takes[0]}" if takes else "})"
    yield from wrapped(opening, values, ending, "        ")


# What is otherwise in the synchronous tab, which is written from the asynchronous one.
TWIN_WORDS = {
    r"Asynchronous tab: .*opened\.": "Synchronous tab: for programs without an event loop.",
    r"scripts/library.py writes .* file": "Written by scripts/library.py; do not edit",
    r"\basync (def|with)\b": r"\1",
    r"await asyncio\.to_thread\((\S+), ": r"\1(",
    r"\bawait ": "",
    r"\bAwaitable\[(\w+)\]": r"\1",
    r"\bAwaitable, ": "",
    r"\bAsync(ExitStack|Iterator)\b": r"\1",
    r"\basynccontextmanager\b": "contextmanager",
    r"\benter_async_context\b": "enter_context",
    r"\bAsync(?=[A-Z])": "Sync",
    r"\b(Tab|PageTools)\b": r"Sync\1",
    r"\basync_": "sync_",
    r"\basyncio\b": "threading",
}


def sync_tab() -> Iterator[str]:
    """Return the lines of the synchronous tab."""
    text = (SOURCE / "library" / "async_tab.py").read_text(encoding="utf-8")
    for pattern, replacement in TWIN_WORDS.items():
        text = re.sub(pattern, replacement, text)
    yield text.replace("\nfrom __future__", "\n# fmt: off\nfrom __future__", 1)


def docstring(tool: Tool, given: Sequence[Argument]) -> Iterator[str]:
    """Return the lines of a method's docstring."""
    text = tool.description.replace("\\", "\\\\")
    first, *rest = text.split("\n\n")
    lines = textwrap.wrap(f'"""{first}', WIDTH - 8)
    for paragraph in rest:
        lines += ["", *textwrap.wrap(paragraph, WIDTH - 8)]
    if given:
        lines += ["", "Args:"]
        for each in given:
            note = each.note.replace("\\", "\\\\")
            lines += textwrap.wrap(
                f"{each.name}: {note}", WIDTH - 12, initial_indent="    ", subsequent_indent=" " * 8
            )
        lines.append('"""')
    else:
        lines[-1] += '"""'
    for line in lines:
        yield f"        {line}" if line else ""


def result_of(tool: Tool) -> str:
    """Return the name of what a tool's method returns."""
    return result_name(tool.result) if tool.result is not None else "ToolResult"


def table() -> Iterator[str]:
    """Return the lines of the table of tools."""
    yield f'"""Tool table: what a call of each tool needs.{MADE}"""\n'
    yield "# fmt: off\nfrom __future__ import annotations\n"
    yield "from tabmux.library.tool_call import ToolMethod"
    names = sorted({result_of(tool) for _, tool in tools()})
    yield from wrapped("from tabmux.library.tool_results import (", names, ")", "")
    yield ""
    for group, tool in tools():
        known = arguments(tool)
        defaults = [f'"{each.wire}": {each.default}' for each in known if each.default]
        files = sorted(tool.file_arguments)
        start = [quoted(tool.name), quoted(group), result_of(tool)]
        start += [f"files=({', '.join(map(quoted, files))},)"] if files else []
        values = [*start, f"defaults={{{', '.join(defaults)}}}"]
        yield from wrapped(f"{tool.name.upper()} = ToolMethod(", values, ")", "")


# Results


def result_classes() -> list[type[Result]]:
    """Return the classes of results, those that others contain or extend first."""
    found = [
        value
        for value in vars(results).values()
        if isinstance(value, type) and issubclass(value, Result) and value is not Result
    ]
    used = {tool.result for _, tool in tools()}
    shared = {inner for each in found for inner in parts(each).values()}
    return [each for each in found if each in used or each in shared]


def parts(result: type[Result]) -> dict[str, type[Result]]:
    """Return the fields of a result that hold results."""
    found = {}
    for name, field in result.model_fields.items():
        inner = re.search(r"\b(\w+)\b(?=\]|$| \|)", str(_bare(field.annotation)))
        kind = vars(results).get(inner[1]) if inner else None
        if isinstance(kind, type) and issubclass(kind, Result):
            found[name] = kind
    return found


def _bare(annotation: Any) -> str:
    for each in (annotation, *get_args(annotation)):
        inner = get_args(each)[0] if get_origin(each) is list else each
        if isinstance(inner, type) and issubclass(inner, Result):
            return inner.__name__
    return ""


def result_name(result: type[Result]) -> str:
    """Return what a result is called in the library."""
    usual = result.__name__.replace("Result", "Outcome").replace("Entry", "Item")
    return RESULT_NAMES.get(result.__name__, usual)


def result_module() -> Iterator[str]:
    """Return the lines of the module of results."""
    yield f'"""Results: what tools return, as dataclasses.{MADE}"""\n'
    yield "# fmt: off\nfrom __future__ import annotations\n"
    yield "from collections.abc import Mapping\nfrom dataclasses import dataclass"
    yield "from typing import Any, ClassVar, Literal\n"
    yield "from tabmux.library.result_data import DataPart, ToolResult\n"
    yield '__all__ = ["ToolResult"]'
    for result in result_classes():
        yield from result_class(result)


def result_class(result: type[Result]) -> Iterator[str]:
    """Return the lines of one class of results."""
    used = {tool.result for _, tool in tools()}
    parent = next((base for base in result.__mro__[1:] if base in used), None)
    base = "DataPart" if result not in used else "ToolResult"
    base = result_name(parent) if isinstance(parent, type) and parent in used else base
    inherited = set(parent.model_fields) if parent is not None else set()
    yield "\n\n@dataclass(frozen=True, kw_only=True)"
    yield f"class {result_name(result)}({base}):"
    yield f'    """{result.__doc__}"""\n'
    inner, keys = parts(result), {}
    for name, field in result.model_fields.items():
        shown = FIELD_NAMES.get(name, name)
        keys[str(field.alias or name)] = shown
        if name not in inherited:
            yield f"    {shown}: {field_kind(shown, field.annotation, field.is_required())}"
    made = {FIELD_NAMES.get(name, name): result_name(kind) for name, kind in inner.items()}
    pairs = [f'"{key}": "{value}"' for key, value in keys.items()]
    yield from wrapped("KEYS: ClassVar[Mapping[str, str]] = {", pairs, "}", "    ")
    if made:
        kinds = [f'"{key}": {value}' for key, value in made.items()]
        start = "PARTS: ClassVar[Mapping[str, type[DataPart]]] = {"
        yield from wrapped(start, kinds, "}", "    ")


def field_kind(name: str, annotation: Any, required: bool) -> str:
    """Return the type of a field and its default."""
    optional = [each for each in get_args(annotation) if each is not types.NoneType]
    is_union = get_origin(annotation) in (Union, types.UnionType)
    kind = optional[0] if is_union and len(optional) == 1 else annotation
    if get_origin(kind) is list:
        inner = get_args(kind)[0]
        is_result = isinstance(inner, type) and issubclass(inner, Result)
        return f"tuple[{result_name(inner) if is_result else inner.__name__}, ...] = ()"
    if isinstance(kind, type) and issubclass(kind, Result):
        return f"{result_name(kind)} | None = None"
    if name in TEXTS:
        return 'str = ""'
    if kind is bool and not required:
        return "bool = False"
    if kind is Any:
        return "Any = None"
    if get_origin(kind) is dict:
        return "Mapping[str, Any]"
    if get_origin(kind) is Literal:
        return kind_of(kind) if required else f"{kind_of(kind)} | None = None"
    return str(kind.__name__) if required else f"{kind.__name__} | None = None"


# Exceptions

# The class of errors.py that an error of a code is, where the code's own name does not say it.
PARENTS = {
    "ambiguous": "Misuse",
    "not_found": "Misuse",
    "not_attached": "Misuse",
    "last_page": "Misuse",
    "session_required": "Misuse",
    "validation_error": "Misuse",
    "wrong_browser": "Misuse",
    "wrong_page": "Misuse",
    "item_moved": "Misuse",
    "too_many_files": "SystemLimit",
    "refused_by_user": "Refused",
    "needs_human": "Refused",
    "secret_in_page": "Refused",
    "login_failed": "PageTrouble",
    "tool_failed": "PageTrouble",
}
PREFIXES = {
    "element_": "ElementTrouble",
    "no_such_": "Misuse",
    "unknown_": "Misuse",
    "no_": "Misuse",
    "page_": "PageTrouble",
    "profile_": "BrowserTrouble",
}


def exception_module() -> Iterator[str]:
    """Return the lines of the module of exceptions."""
    own = {
        value.code: value.__name__
        for value in reversed(list(vars(errors).values()))
        if isinstance(value, type) and issubclass(value, errors.TabmuxError)
    }
    yield '"""Exceptions: a class for every error code, with `code`, `message` and `hint`.\n'
    yield 'Written by scripts/library.py from errors.py; do not edit.\n"""\n'
    yield "# fmt: off\nfrom __future__ import annotations\n"
    yield from wrapped("from tabmux.errors import (", sorted(set(own.values())), ")", "")
    made: dict[str, str] = {}
    for code, about in sorted(errors.CODES.items()):
        made[code] = own.get(code) or "".join(word.capitalize() for word in code.split("_"))
        if code not in own:
            yield f"\n\nclass {made[code]}({parent_of(code)}):"
            yield f'    """{about.meaning}"""\n\n    code = "{code}"'
    pairs = [f'"{code}": {name}' for code, name in made.items()]
    yield "\n\n# The exception of each code."
    yield from wrapped("BY_CODE: dict[str, type[TabmuxError]] = {", pairs, "}", "")
    names = sorted({"BY_CODE", *own.values(), *made.values()})
    yield from wrapped("__all__ = [", [f'"{name}"' for name in names], "]", "")


def parent_of(code: str) -> str:
    """Return the class that an error of a code is, too."""
    for prefix, parent in PREFIXES.items():
        if code.startswith(prefix):
            return PARENTS.get(code, parent)
    return PARENTS.get(code, "TabmuxError")


# The reference


def reference() -> Iterator[str]:
    """Return the lines of the reference of the library."""
    yield "# Library reference\n"
    yield "This page is written by `scripts/library.py` from the tools themselves."
    yield "[The guide](library.md) explains how to use the library; [tools](tools.md) has each"
    yield "argument. `tabmux.sync` has the same methods without `await`."
    yield "Tools on a page also take `page_id`, and every tool takes `browser_index`.\n"
    yield "## Short names\n"
    yield "| method | tool | returns |\n| --- | --- | --- |"
    by_name = {tool.name: tool for _, tool in tools()}
    for name, short in SHORTS.items():
        tool = by_name[short.tool]
        call = signature_text(name, short_arguments(short, arguments(tool)))
        answer = short.takes[1] if short.takes else result_of(tool)
        yield f"| `{call}` | `{short.tool}` | `{answer}` |"
    groups: dict[str, list[Tool]] = {}
    for group, tool in tools():
        groups.setdefault(group, []).append(tool)
    for group, members in groups.items():
        yield f"\n## {group}\n\n| method | returns | what it does |\n| --- | --- | --- |"
        for tool in members:
            first = tool.description.split("\n\n")[0].split(". ")[0].rstrip(".:")
            call = signature_text(tool.name, arguments(tool))
            yield f"| `{call}` | `{result_of(tool)}` | {first} |".replace("||", "|")
    yield from result_reference()
    yield from exception_reference()


def signature_text(name: str, given: Sequence[Argument]) -> str:
    """Write a call as a reader wants it: without types and routing."""
    own = [each for each in given if each.name not in ("page_id", "browser_index")]
    words = [e.name for e in own if e.default is None]
    words += [f"{e.name}={e.default}" for e in own if e.default is not None]
    return f"{name}({', '.join(words)})"


def result_reference() -> Iterator[str]:
    """Return the lines about results."""
    yield "\n## Results\n"
    yield "Every result has `text` (what an agent would read), `images` and `data`.\n"
    yield "| class | fields | what it is |\n| --- | --- | --- |"
    for result in result_classes():
        fields = [f"`{FIELD_NAMES.get(name, name)}`" for name in result.model_fields]
        yield f"| `{result_name(result)}` | {', '.join(fields)} | {result.__doc__} |"


def exception_reference() -> Iterator[str]:
    """Return the lines about exceptions."""
    from importlib import import_module

    known: Mapping[str, type] = import_module("tabmux.exceptions").BY_CODE
    yield "\n## Exceptions\n"
    yield "All are in `tabmux.exceptions`, and have `code`, `message` and `hint`.\n"
    yield "| exception | code | what it means |\n| --- | --- | --- |"
    for code, about in sorted(errors.CODES.items()):
        yield f"| `{known[code].__name__}` | `{code}` | {about.meaning} |"


# Text


def quoted(value: object) -> str:
    """Write a value as source, with double quotes."""
    text = repr(value)
    return f'"{value}"' if isinstance(value, str) and '"' not in text else text


def wrapped(start: str, items: Sequence[str], end: str, indent: str) -> Iterator[str]:
    """Write a list between brackets: on one line, or filled lines."""
    line = f"{indent}{start}{', '.join(items)}{end}"
    if len(line) <= WIDTH:
        yield line
        return
    yield f"{indent}{start}"
    row = f"{indent}   "
    for item in items:
        if len(row) + len(item) + 2 > WIDTH and row.strip():
            yield row
            row = f"{indent}   "
        if len(item) > WIDTH - len(indent) - 6:
            yield from split_item(item, f"{indent}    ")
        else:
            row += f" {item},"
    if row.strip():
        yield row
    yield f"{indent}{end}"


def split_item(item: str, indent: str) -> Iterator[str]:
    """Write an item that is longer than a line: it is cut at its commas."""
    row = indent
    for piece in re.split(r"(?<=,) ", f"{item},"):
        if len(row) + len(piece) > WIDTH and row.strip():
            yield row.rstrip()
            row = f"{indent}    "
        row += f"{piece} "
    yield row.rstrip()


FILES = {
    SOURCE / "exceptions.py": exception_module,
    SOURCE / "library" / "tool_results.py": result_module,
    SOURCE / "library" / "tool_table.py": table,
    SOURCE / "library" / "async_methods.py": lambda: methods(waits=True),
    SOURCE / "library" / "sync_methods.py": lambda: methods(waits=False),
    SOURCE / "library" / "sync_tab.py": sync_tab,
    ROOT / "docs" / "library-reference.md": reference,
}


def main() -> int:
    """Write the files, or with --check compare them."""
    stale = []
    for file, lines in FILES.items():
        text = "\n".join(lines()).rstrip() + "\n"
        if "--check" not in sys.argv:
            file.write_text(text, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != text:
            stale.append(str(file.relative_to(ROOT)))
    if stale:
        sys.stderr.write(f"{', '.join(stale)}: stale; run .venv/bin/python scripts/library.py\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
