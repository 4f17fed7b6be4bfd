"""Fills: fields and toggles, judged by what the element itself holds afterwards."""

from __future__ import annotations

import re
from typing import Any

from bench.truth.browser_tab import Answer, BrowserTab
from bench.truth.lines import Line
from bench.truth.tally import Tally
from bench.truth.touch import OUT_OF_TIME, Pages, chosen

FIELDS = frozenset({
    "textbox", "searchbox", "combobox", "spinbutton", "slider", "checkbox", "radio", "switch",
    "Date", "DateTime", "InputTime", "ColorWell",
})  # fmt: skip
WIDEST = 1e9
_PLAIN = "Filled the element."
_VALUES = {
    "email": "ann@example.org",
    "url": "https://example.org/",
    "tel": "5550100",
    "password": "Blue-42-kite",
    "date": "2027-03-14",
    "time": "13:45",
    "datetime-local": "2027-03-14T13:45",
    "month": "2027-03",
    "week": "2027-W11",
    "color": "#336699",
}


async def fill_all(tab: BrowserTab, url: str, page: str, most: int, tally: Tally) -> None:
    """Fill fields of a page, each on a fresh load."""
    pages = Pages(tab, url)
    await tab.load(url)
    fields = [line for line in await tab.lines() if line.role in FIELDS]
    fields = [line for line in fields if "readonly" not in line.details]
    for line in chosen(fields, page, most):
        again = await pages.watched(line)
        if again is None:
            tally.count("controls that could not be watched")
            continue
        about = await tab.witness.ask("truthField()")
        if about["readOnly"]:
            continue
        value = wanted(again, about)
        answer = await tab.call("fill", uid=again.uid, value=value)
        if offered := _offered(answer, value):
            # Before a list is opened, nobody knows what it takes.
            tally.count("values that are not offered")
            value = offered
            answer = await tab.call("fill", uid=again.uid, value=value)
        held = await tab.witness.ask("truthField().held ?? ''")
        tally.count("fills")
        judge(answer, again, value, str(held), page, tally)


def _offered(answer: Answer, value: str) -> str:
    """An option that a refusal names in place of one that there is not."""
    if not (answer.failed and "[element_no_such_option]" in answer.text):
        return ""
    _, _, named = answer.text.partition("Use one of ")
    options = [option for option in re.findall(r'"([^"]+)"', named) if option != value]
    return str(options[-1]) if options else ""


def wanted(line: Line, about: dict[str, Any]) -> str:
    """A value that the field can take."""
    if about["options"]:
        others = [option for option in about["options"] if option and option != about["held"]]
        return str(others[-1] if others else about["held"])
    if line.role in ("checkbox", "switch"):
        return "false" if about["held"] == "true" else "true"
    if line.role == "radio":
        return "true"
    if about["type"] in _VALUES:
        return _VALUES[about["type"]]
    if about["type"] in ("number", "range") or line.role in ("slider", "spinbutton"):
        return _number(about)
    text = "Blue kite"
    return text[: about["maxLength"]] if about["maxLength"] > 0 else text


def _number(about: dict[str, Any]) -> str:
    low, high, _ = about["range"]
    least, most = _float(about["min"] or low, 0.0), _float(about["max"] or high, 100.0)
    if most - least > WIDEST:  # as good as no limits
        least, most = max(least, 0.0), min(most, 100.0)
    step = _float(about["step"], 1.0) or 1.0
    number = least + step * max(1, int((most - least) / step / 3))
    return f"{number:g}"


def _float(text: str | None, otherwise: float) -> float:
    try:
        return float(text or "")
    except ValueError:
        return otherwise


def judge(answer: Answer, line: Line, value: str, held: str, page: str, tally: Tally) -> None:
    """Count what came of a fill."""
    said = f"{line.text[:120]}: {value!r}, holds {held[:80]!r}: {answer.text[:160]!r}"
    if answer.failed and OUT_OF_TIME.search(answer.text):
        tally.miss("out of time", page, said)
    elif answer.failed:
        tally.miss("fills refused", page, said)
    elif _is_same(held, value) or (line.role == "combobox" and value in held.split("\n")):
        # Beside what was chosen a component may write its label, or how many there are.
        tally.count("fills right")
    elif answer.first != _PLAIN or (held and held in answer.text):
        tally.miss("fills told to be otherwise", page, said)
    else:
        tally.miss("wrong Filled", page, said)


def _is_same(held: str, value: str) -> bool:
    if held.strip().lower() == value.strip().lower():
        return True
    try:
        return abs(float(held) - float(value)) < 1e-6
    except ValueError:
        return False
