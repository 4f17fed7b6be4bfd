"""The rows of the table: what is measured, on which page, and how far tabmux should get."""

from __future__ import annotations

from bench.checks import Check, lists, page_says, reply_matches, shows_viewport
from bench.row import Against, Pace, Row, Sample
from bench.samples import (
    calls,
    characters,
    emulated,
    first_list,
    first_page,
    form_task,
    isolation,
    listed,
    memory,
    parallel,
    shared_tools_size,
    snapshot_size,
    start,
    timed,
    tools_size,
)
from bench.verbs import (
    Body,
    Click,
    Console,
    Element,
    Evaluate,
    Fill,
    Navigate,
    PressKey,
    Requests,
    Screenshot,
    Snapshot,
    WaitFor,
)

ADD = Click(Element("button", "Add item"))
IDLE = Click(Element("button", "Do nothing"))
HEARD = Click(Element("button", "Be heard"))
NEXT = Click(Element("link", "Next page"))
NAME = Element("textbox", "Full name")
EMAIL = Element("textbox", "Email")
FILLED = "Grace Brewster Murra"
FILL = Fill(((NAME, FILLED),))
FILLED_TWO = "Grace Hopper, grace@example.org"
FILL_TWO = Fill(((NAME, "Grace Hopper"), (EMAIL, "grace@example.org")))

ORDER = (
    (NAME, "Grace Hopper"),
    (EMAIL, "grace@example.org"),
    (Element("spinbutton", "Copies"), "3"),
    (Element("combobox", "City"), "Paris"),
    (Element("checkbox", "I agree to the terms"), "true"),
)
SEND = Element("button", "Send order")
ORDERED = "Thank you, Grace Hopper. Order 4711 (3) goes to Paris."

NAME_VALUE = "document.getElementById('name').value"
BOTH_VALUES = f"{NAME_VALUE} + ', ' + document.getElementById('email').value"
FOCUSED = "document.activeElement.id"
FOCUS = "document.getElementById('name').focus()"
STATUS = "document.getElementById('status').textContent"
PATH = "location.pathname"
PLACE = "location.pathname + ' ' + document.readyState"
FORM = lists(button=3, textbox=3, link=1, combobox=1, checkbox=1)
LIST_1K = lists(button=250, link=250)
LIST_10K = lists(button=2500, link=2500)
WITH_PAGE_IDS = ("tabmux", "cdm")


def _size(name: str, path: str, check: Check) -> Row:
    sample = snapshot_size(on=path, check=check)
    return Row(name, sample, 0.8, "chars", Pace.ONCE, Against.CDM, fresh=True)


def _extra(name: str, sample: Sample, limit: float, unit: str, pace: Pace) -> Row:
    return Row(name, sample, limit, unit, pace, Against.LIMIT, fresh=True, servers=WITH_PAGE_IDS)


TIMES = (
    Row("start", start, 0.60, pace=Pace.SLOW, fresh=True),
    Row("first list", first_list, pace=Pace.SLOW, fresh=True),
    Row("first page", first_page, pace=Pace.SLOW, fresh=True),
    Row("navigate", timed(Navigate("/form"), check=page_says(PLACE, "/form complete")), 0.60),
    Row("snapshot form", timed(Snapshot(), on="/form", check=FORM)),
    Row("snapshot 1k", timed(Snapshot(), on="/list/1000", check=LIST_1K), 0.25),
    Row(
        "snapshot 10k",
        timed(Snapshot(), on="/list/10000", check=LIST_10K),
        0.25,
        pace=Pace.SLOW,
    ),
    Row("click dom", timed(ADD, on="/form", check=page_says(STATUS, "1 added")), 0.15),
    Row("click idle", timed(IDLE, on="/form", check=page_says(FOCUSED, "idle")), 0.50),
    Row("click heard", timed(HEARD, on="/form", check=page_says("window.clicks", 1))),
    Row("click navigate", timed(NEXT, on="/form", check=page_says(PATH, "/next")), 0.50),
    Row("fill", timed(FILL, on="/form", check=page_says(NAME_VALUE, FILLED)), 0.40),
    Row("fill_form", timed(FILL_TWO, on="/form", check=page_says(BOTH_VALUES, FILLED_TWO)), 0.40),
    Row("evaluate", timed(Evaluate("() => 1 + 1"), on="/form", check=reply_matches(r"^2$")), 0.05),
    Row(
        "press_key",
        timed(PressKey("a"), on="/form", before=FOCUS, check=page_says(NAME_VALUE, "a")),
        2.0,
    ),
    Row("screenshot", timed(Screenshot(), on="/form", check=shows_viewport()), 1.0),
    Row("console", listed(Console(), on="/busy", check=reply_matches("message 40")), 1.0),
    Row("network", listed(Requests(), on="/busy", check=reply_matches("/api/40")), 1.0),
    Row(
        "request body",
        listed(
            Body("/api/7"),
            on="/busy",
            check=reply_matches("answer 7"),
            known=(Requests(), reply_matches("/api/40")),
        ),
        1.0,
    ),
    Row("emulate", emulated, 1.0, servers=WITH_PAGE_IDS),
    Row("wait_for", timed(WaitFor("Welcome"), on="/form", check=reply_matches("Welcome")), 0.7),
)

EXTRAS = (
    _extra("parallel", parallel, 1.5, "s", Pace.ONCE),
    _extra("isolation", isolation, 20.0, "ms", Pace.SLOW),
)

SIZES = (
    Row("tools/list", tools_size, None, "chars", Pace.ONCE, Against.CDM),
    Row(
        "tools/list shared",
        shared_tools_size,
        0.6,
        "chars",
        Pace.ONCE,
        Against.CDM,
        servers=WITH_PAGE_IDS,
    ),
    Row(
        "form task",
        form_task(ORDER, SEND, on="/order", outcome=ORDERED, count=characters),
        1 / 3,
        "chars",
        Pace.ONCE,
        fresh=True,
    ),
    Row(
        "form task calls",
        form_task(ORDER, SEND, on="/order", outcome=ORDERED, count=calls),
        4,
        "calls",
        Pace.ONCE,
        Against.LIMIT,
        fresh=True,
    ),
    _size("size form", "/form", FORM),
    _size("size 1k", "/list/1000", LIST_1K),
    _size("size 10k", "/list/10000", LIST_10K),
)

# Last, so that it is the memory of servers that have worked.
ROWS = (*TIMES, *EXTRAS, *SIZES, Row("memory", memory, 0.6, "MB", Pace.ONCE))
