"""Playwright test: a run as a pytest on Playwright's own Python library."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tabmux.json_text import json_object
from tabmux.record.export.library_script import expression, text_code
from tabmux.record.export.playwright_locators import located
from tabmux.record.replay_plan import ReplayPlan, ReplayStep

_FILLING = frozenset({"fill", "fill_form", "call_page_tool"})
# What opens no page itself.
_OPENING_NONE = frozenset(
    {"close_page", "handle_dialog", "new_page", "resize_page", "select_page", "wait_for"}
)
_WISHES = ("text", "textGone", "url", "uid", "networkIdle", "function")
# What `wait_for` calls the states of elements, and what Playwright does.
_STATES = {"visible": "visible", "enabled": "enabled", "checked": "checked", "gone": "hidden"}
_FILL = '''
def fill(field, value):
    """Give a control its value, by what kind it is."""
    kind = field.evaluate("e => e.matches('select') ? 'select' : e.type || ''")
    if kind == "select":
        field.select_option(label=value)
    elif kind in ("checkbox", "radio"):
        field.set_checked(value == "true")
    else:
        field.fill(value)
'''
_OPENED_PAGE = '''
def opened_page(page, *known):
    """Return the page that was opened by what was done before."""
    found = [each for each in page.context.pages if each not in known]
    return found[-1] if found else page.context.wait_for_event("page")
'''


def playwright_test(plan: ReplayPlan, run: str) -> str:
    """Return the test; values that the run does not hold come from the environment."""
    return "\n".join(_Exporter(plan, run).lines()) + "\n"


class _Exporter:
    """Writes one test; keeps which variable is which page."""

    def __init__(self, plan: ReplayPlan, run: str) -> None:
        self._plan, self._run = plan, run
        self._pages: dict[int, str] = {}
        self._page = "page"

    def lines(self) -> Iterator[str]:
        hidden = [name for name, text in self._plan.parameters.items() if text is None]
        yield f'"""Made from the recorded run {self._run}."""'
        yield ""
        if hidden:
            yield from ("import os", "")
        yield "from playwright.sync_api import Page, expect"
        yield ""
        if any(step.tool in _FILLING for step in self._plan.steps):
            yield _FILL
        if self._plan.has_several_pages:
            yield _OPENED_PAGE
        yield from ("", "def test_run(page: Page):")
        for name, text in self._plan.parameters.items():
            value = f'os.environ["{name.upper()}"]' if text is None else repr(text)
            yield f"    {name} = {value}"
        for number, step in enumerate(self._plan.steps):
            following = self._plan.steps[number + 1] if number + 1 < len(self._plan.steps) else None
            yield from (f"    {line}" for line in self._step(step, following))
        if not self._plan.steps or self._plan.steps[-1].tool != "close_page":
            yield f"    expect({self._page}.locator('html')).to_be_attached()"

    def _step(self, step: ReplayStep, following: ReplayStep | None) -> Iterator[str]:
        yield from self._turn_to(step)
        actions = list(self._actions(step))
        if following is not None and following.tool == "handle_dialog":
            yield from _dialog(self._page, following)
        if actions and following is not None and self._opens(step, following):
            name = self._name(following.page)
            yield f"with {self._page}.expect_popup() as opened:"
            yield from (f"    {line}" for line in actions)
            yield f"{name} = opened.value"
        else:
            yield from actions

    def _turn_to(self, step: ReplayStep) -> Iterator[str]:
        """Use the variable of the step's page from here on."""
        if step.page is None:
            return
        if step.tool == "new_page":
            url = expression(step, "url", step.arguments["url"])
            name = self._name(step.page)
            if name != "page":
                yield f"{name} = page.context.new_page()"
            yield f"{name}.goto({url})"
        elif self._pages and step.page not in self._pages:
            known = ", ".join(self._pages.values())
            yield f"{self._name(step.page)} = opened_page(page, {known})"
        self._page = self._name(step.page)

    def _name(self, page: int | None) -> str:
        if page is None:
            return self._page
        if page not in self._pages:
            self._pages[page] = f"page_{len(self._pages) + 1}" if self._pages else "page"
        return self._pages[page]

    def _opens(self, step: ReplayStep, following: ReplayStep) -> bool:
        """Whether a step opens the page that the following one is about."""
        known = following.page is None or following.page in self._pages
        return not known and following.tool != "new_page" and step.tool not in _OPENING_NONE

    def _actions(self, step: ReplayStep) -> Iterator[str]:
        if step.tool in ("new_page", "select_page", "handle_dialog"):
            return
        written: Callable[[ReplayStep], list[str] | None]
        for written in (self._on_elements, self._with_keys, self._on_page, self._of_page_tool):
            if (lines := written(step)) is not None:
                yield from lines
                return
        # Whoever named the tool may have ended the line.
        yield f"# {step.tool!r} has no counterpart: {dict(step.arguments)!r}"

    def _on_elements(self, step: ReplayStep) -> list[str] | None:
        """Write what is done to elements."""
        given = step.arguments
        found = [located(self._page, each) for each in step.entry.elements]
        match step.tool:
            case "click":
                return [f"{found[0]}.{'dblclick' if given.get('dblClick') else 'click'}()"]
            case "hover":
                return [f"{found[0]}.hover()"]
            case "fill":
                return [f"fill({found[0]}, {expression(step, 'value', given['value'])})"]
            case "fill_form":
                return list(self._filled(step, found))
            case "drag":
                return [f"{found[0]}.drag_to({found[1]})"]
            case "upload_file":
                return [f"{found[0]}.set_input_files({list(given['filePaths'])!r})"]
        return None

    def _of_page_tool(self, step: ReplayStep) -> list[str] | None:
        """Write what a tool of the page did, element by element."""
        if step.tool != "call_page_tool" or not step.entry.steps:
            return None
        # The steps name what is hidden as the call did, not as the plan does.
        given = json_object(step.entry.arguments.get("arguments", {}))
        names = {str(given[path.partition(".")[2]]): name for path, name in step.parameters.items()}
        lines = []
        for each in step.entry.steps:
            found, value = (
                located(self._page, each.elements[0]),
                str(each.arguments.get("value", "")),
            )
            code = names.get(value, repr(value))
            lines.append(f"fill({found}, {code})" if each.tool == "fill" else f"{found}.click()")
        return lines

    def _filled(self, step: ReplayStep, found: list[str]) -> Iterator[str]:
        for number, each in enumerate(found):
            value = step.arguments["elements"][number]["value"]
            yield f"fill({each}, {expression(step, f'elements.{number}.value', value)})"

    def _with_keys(self, step: ReplayStep) -> list[str] | None:
        """Write what is done by keys, or by the mouse at a point."""
        given, page = step.arguments, self._page
        match step.tool:
            case "type_text":
                typed = f"{page}.keyboard.type({expression(step, 'text', given['text'])})"
                key = given.get("submitKey")
                return [typed, f"{page}.keyboard.press({key!r})"] if key else [typed]
            case "press_key":
                return [f"{page}.keyboard.press({text_code(step, given['key'])})"]
            case "click_at":
                return [f"{page}.mouse.click({given['x']!r}, {given['y']!r})"]
        return None

    def _on_page(self, step: ReplayStep) -> list[str] | None:
        """Write what is done to the page."""
        given, page = step.arguments, self._page
        match step.tool:
            case "navigate_page" | "navigate":
                return [self._navigation(step)]
            case "wait_for":
                return self._waits(step)
            case "evaluate_script" if not given.get("args"):
                return [f"{page}.evaluate({given['function']!r})"]
            case "resize_page":
                size = {"width": given["width"], "height": given["height"]}
                return [f"{page}.set_viewport_size({size!r})"]
            case "close_page":
                return [f"{page}.close()"]
        return None

    def _navigation(self, step: ReplayStep) -> str:
        kind = step.arguments.get("type")
        if kind in ("back", "forward"):
            return f"{self._page}.go_{kind}()"
        if kind == "reload":
            return f"{self._page}.reload()"
        return f"{self._page}.goto({expression(step, 'url', step.arguments.get('url', ''))})"

    def _waits(self, step: ReplayStep) -> list[str] | None:
        """Write what is waited for; that of several things any would do cannot be said."""
        page, given, elements = self._page, step.arguments, step.entry.elements
        wishes = {key: each for key in _WISHES if (each := given.get(key))}
        if len(wishes) > 1:
            return None
        match wishes:
            case {"text": texts}:
                found = [self._text(step, each) for each in _listed(texts)]
                others = "".join(f".or_({each})" for each in found[1:])
                return [f"expect({found[0]}{others}.first).to_be_visible()"]
            case {"textGone": texts} if len(_listed(texts)) == 1:
                shown = f"{self._text(step, _listed(texts)[0])}.filter(visible=True)"
                return [f"expect({shown}).to_have_count(0)"]
            case {"url": str(url)} if "*" not in url and not url.startswith("/"):
                return [f"{page}.wait_for_url(lambda url: {text_code(step, url)} in url)"]
            case {"uid": _} if elements:
                state = _STATES[given.get("state", "visible")]
                return [f"expect({located(self._page, elements[0])}).to_be_{state}()"]
            case {"networkIdle": _}:
                return [f'{page}.wait_for_load_state("networkidle")']
            case {"function": str(function)}:
                return [f"{page}.wait_for_function({text_code(step, function)})"]
        return None

    def _text(self, step: ReplayStep, text: str) -> str:
        return f"{self._page}.get_by_text({text_code(step, text)})"


def _listed(texts: str | list[str]) -> list[str]:
    return [texts] if isinstance(texts, str) else texts


def _dialog(page: str, step: ReplayStep) -> Iterator[str]:
    """Answer a dialog: Playwright wants to know how before it opens."""
    if step.arguments.get("action") == "accept":
        text = step.arguments.get("promptText")
        given = expression(step, "promptText", text) if text is not None else ""
        yield f'{page}.once("dialog", lambda dialog: dialog.accept({given}))'
    else:
        yield f'{page}.once("dialog", lambda dialog: dialog.dismiss())'
