"""MiniWoB oracles: rules that solve a page's task by its instruction, through any driver."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from bench.pagetools.driving.driver import Driver, Field, NoTool, Value
from bench.trouble import BenchError

MOST_TRIES = 14


@dataclass(frozen=True)
class Episode:
    """One instruction, and what it is carried out with.

    Attributes:
        source: The page's own source, for words that only its author knows.
        shared: What the pages share, for words that everybody knows.
    """

    utterance: str
    driver: Driver
    source: str = ""
    shared: str = ""

    @property
    def quoted(self) -> list[str]:
        """What stands in quotation marks."""
        return re.findall(r'"([^"]*)"', self.utterance)

    def found(self, pattern: str) -> tuple[str, ...]:
        """Return the groups of a pattern in the instruction."""
        match = re.search(pattern, self.utterance)
        if match is None:
            raise BenchError(f"{self.utterance!r} is not like {pattern}")
        return match.groups()


Oracle = Callable[[Episode], Awaitable[None]]


async def press_quoted(episode: Episode) -> None:
    """Press what is quoted."""
    await episode.driver.press(episode.quoted[-1])


async def press_in_pie(episode: Episode) -> None:
    """Open a round menu, and press what is quoted in it."""
    await episode.driver.press("+")
    await press_quoted(episode)


async def press_in_order(episode: Episode) -> None:
    """Press the buttons that are named in capital letters."""
    for name in re.findall(r"\b(ONE|TWO)\b", episode.utterance):
        await episode.driver.press(name)


async def press_the_button(episode: Episode) -> None:
    """Press the only button."""
    await episode.driver.press("Click Me!")


async def press_ascending(episode: Episode) -> None:
    """Press numbers in their order."""
    numbers = {int(each) for each in await episode.driver.choices() if each.isdecimal()}
    for number in sorted(numbers or range(1, 6)):
        await episode.driver.press(str(number))


async def press_tab(episode: Episode) -> None:
    """Press the tab that is named."""
    await episode.driver.press(episode.found(r"Click on (Tab #\d+)")[0])


async def close_dialog(episode: Episode) -> None:
    """Press a button of the dialog; the cross says "Close"."""
    name = episode.quoted[-1]
    await episode.driver.press("Close" if name == "x" else name)


async def find_behind(episode: Episode, closed: str = r"Tab #\d+|Section #\d+|\d+") -> None:
    """Press something that may be in a closed tab, section, menu or folder."""
    wanted, tried = episode.quoted[-1], set[str]()
    for _ in range(MOST_TRIES):
        if await _is_there(episode.driver, wanted):
            break
        choices = await episode.driver.choices()
        opening = next((c for c in choices if c not in tried and re.fullmatch(closed, c)), None)
        if opening is None:
            break
        tried.add(opening)
        with suppress(BenchError):
            await episode.driver.press(opening)
    await episode.driver.press(wanted)


async def find_in_menu(episode: Episode) -> None:
    """Press an item of a menu."""
    await find_behind(episode, r"Menu|Playback|.*Menu")


async def find_in_tree(episode: Episode) -> None:
    """Press a file or a folder that may be in a folder."""
    await find_behind(episode, r"[A-Z][\w-]+")


async def _is_there(driver: Driver, wanted: str) -> bool:
    said = (await driver.read()).splitlines()
    return any(wanted in line and "lick on" not in line for line in said)


async def walk_menu(episode: Episode) -> None:
    """Press the items of a path one after the other, or the last at once where that is offered."""
    path = episode.found(r"Select (.*)")[0].split(">")
    try:
        await episode.driver.press(path[-1])
    except NoTool:
        for item in path:
            await episode.driver.press(item)


async def tick(episode: Episode) -> None:
    """Tick what is named."""
    names = episode.found(r"Select (.*) and click Submit")[0]
    wanted = [] if names == "nothing" else names.split(", ")
    await _submit(episode, dict.fromkeys(wanted, True))


async def tick_similar(episode: Episode) -> None:
    """Tick words that mean the same; the page's author knows which do."""
    words = episode.found(r"similar to (.*) and click")[0].split(", ")
    lists = re.findall(r"\[([^\[\]]+)\]", episode.source)
    groups = [re.findall(r"[\"']([^\"']+)[\"']", each) for each in lists]
    # One of the boxes may say the very word that the instruction says.
    shown = (await episode.driver.read()).replace(episode.utterance, "")
    same = {each for group in groups if {*group} & {*words} for each in group}
    lines = {*re.findall(r"[\w-]+", shown)}
    await _submit(episode, dict.fromkeys(sorted(same & lines), True))


async def select_one(episode: Episode) -> None:
    """Choose one of a list."""
    await _submit(episode, {"": episode.found(r"Select (.*) from the list")[0]})


async def select_several(episode: Episode) -> None:
    """Choose several of a list."""
    names = episode.found(r"Select (.*) from the scroll list")[0].split(", ")
    await _submit(episode, {"": names})


async def choose_and_press(episode: Episode) -> None:
    """Choose from a drawn list, then press a button."""
    choice = episode.found(r"Choose (.*) from the dropdown")[0]
    await episode.driver.submit({"": choice}, episode.quoted[-1])


async def log_in(episode: Episode) -> None:
    """Fill in name and password."""
    name, password = episode.quoted[:2]
    values: dict[Field, Value] = {"Username": name, "Password": password}
    try:
        await _send(episode, values, ("Login", "OK"))
    except NoTool:
        raise
    except BenchError:
        # A question came up while the form was filled.
        await episode.driver.press("Cancel")
        await _send(episode, values, ("Login", "OK"))


async def enter_twice(episode: Episode) -> None:
    """Fill in a password twice."""
    await _submit(episode, {1: episode.quoted[0], 2: episode.quoted[0]})


async def enter_quoted(episode: Episode) -> None:
    """Type what is quoted, in the letters that are asked for."""
    text = episode.quoted[0]
    text = text.upper() if "upper case" in episode.utterance else text
    text = text.lower() if "lower case" in episode.utterance else text
    await _submit(episode, {1: text})


async def enter_date(episode: Episode) -> None:
    """Type a date."""
    month, day, year = episode.found(r"(\d+)/(\d+)/(\d+)")
    await _submit(episode, {1: f"{year}-{month}-{day}"})


async def enter_time(episode: Episode) -> None:
    """Type a time."""
    hour, minute, half = episode.found(r"(\d+):(\d+) (AM|PM)")
    await _submit(episode, {1: f"{int(hour) % 12 + 12 * (half == 'PM'):02d}:{minute}"})


async def pick_date(episode: Episode) -> None:
    """Give a date to a picker, or leaf through its months."""
    month, day, year = episode.found(r"(\d+)/(\d+)/(\d+)")
    try:
        await _submit(episode, {"Date": f"{month}/{day}/{year}"})
    except BenchError:
        await _leaf_to(episode.driver, int(month), int(day))
        await _submit(episode, {})


async def _leaf_to(driver: Driver, month: int, day: int) -> None:
    await driver.press("Date")
    for _ in range(12 - month):
        await driver.press("Prev")
    await driver.press(str(day))


async def copy_text(episode: Episode) -> None:
    """Copy the text of one text area into the last field."""
    texts = await episode.driver.texts()
    which = re.search(r"(\d)\w\w text area", episode.utterance)
    number = int(which[1]) if which else 1
    if number > len(texts):
        raise NoTool("the text of the text area is not shown")
    await _submit(episode, {4 if which else 2: texts[number - 1]})


async def type_last_word(episode: Episode) -> None:
    """Type the last word of a long text."""
    texts = await episode.driver.texts()
    if not texts:
        raise NoTool("the text of the text area is not shown")
    await _submit(episode, {2: texts[0].split()[-1]})


async def type_word(episode: Episode) -> None:
    """Type the word at a place of the paragraph."""
    number = int(episode.found(r"the (\d+)\w\w word")[0])
    lines = (await episode.driver.read()).splitlines()
    at = _line_with(lines, "word in the paragraph")
    word = " ".join(lines[at + 1 :]).split()[number - 1]
    await _submit(episode, {1: re.sub(r"[.,]", "", word)})


async def calculate(episode: Episode) -> None:
    """Solve a sum, or an equation for x."""
    shown = (await episode.driver.read()).replace("\u00d7", "x")
    if found := re.search(r"(-?\d+) ([+x-]) (-?\d+) =", shown):
        return await _submit(episode, {1: str(_result(int(found[1]), found[2], int(found[3])))})
    if found := re.search(r"x ([+-]) (\d+) = (-?\d+)", shown):
        sign = 1 if found[1] == "-" else -1
        return await _submit(episode, {1: str(int(found[3]) + sign * int(found[2]))})
    if found := re.search(r"(\d+) ([+-]) x = (-?\d+)", shown):
        rest = int(found[3]) - int(found[1])
        return await _submit(episode, {1: str(rest if found[2] == "+" else -rest)})
    raise BenchError(f"no sum in {shown[:80]!r}")


def _result(left: int, sign: str, right: int) -> int:
    return {"+": left + right, "-": left - right, "x": left * right}[sign]


async def search_films(episode: Episode) -> None:
    """Fill in three fields, however they are laid out."""
    genre, director, year = episode.found(r"for (.*) movies directed by (.*) from year (\d+)")
    for named in (("Genre", "Director", "Year"), ("Genre", "Director", "Released Date")):
        values: dict[Field, Value] = dict(zip(named, (genre, director, year), strict=True))
        with suppress(NoTool):
            await _send(episode, values, ("Search", "Submit", "Go!"))
            return
    raise NoTool("nothing takes a genre, a director and a year")


async def read_table(episode: Episode) -> None:
    """Type what a table says."""
    shown = await episode.driver.read()
    if asked := re.search(r"the value of (.*) into", episode.utterance):
        await _submit(episode, {1: _in_table(shown, asked[1])})
        return
    labels = re.findall(r"^([A-Z][\w ]+):\s*$", shown, re.MULTILINE)[:2]
    await _submit(episode, {label: _in_table(shown, label) for label in labels})


def _in_table(shown: str, label: str) -> str:
    found = re.search(rf"^{re.escape(label)}(?: \| |\s+)(\S.*?)\s*$", shown, re.MULTILINE)
    return found[1] if found else ""


def _line_with(lines: Sequence[str], text: str) -> int:
    return next((at for at, line in enumerate(lines) if text in line), 0)


async def transform(episode: Episode) -> None:
    """Type letters that are drawn askew."""
    lines = (await episode.driver.read()).splitlines()
    at = _line_with(lines, "into the text field")
    letters = [line.strip() for line in lines[at + 1 :] if line.strip()]
    drawn = "".join("".join(letters).partition("Submit")[0].partition("Last reward")[0].split())
    await _submit(episode, {1: drawn})


async def complete(episode: Episode) -> None:
    """Type an item of which beginning and end are known."""
    countries = re.findall(r"[\"']([^\"']+)[\"']", episode.shared)
    start, end = episode.quoted[0], episode.quoted[1] if len(episode.quoted) > 1 else ""
    fits = [each for each in countries if each.startswith(start) and each.endswith(end)]
    item = max(fits, key=len, default=start)
    await _submit(episode, {"Tags": item})


async def spin(episode: Episode) -> None:
    """Give a number to a spinner."""
    await _submit(episode, {1: episode.found(r"Select (-?\d+) with")[0]})


async def guess(episode: Episode) -> None:
    """Find a number by halving."""
    low, high = 0, 9
    while low <= high:
        middle = (low + high) // 2
        await _submit(episode, {1: str(middle)})
        shown = await episode.driver.read()
        if "lower than" in shown:
            high = middle - 1
        elif "higher than" in shown:
            low = middle + 1
        else:
            return


async def generate(episode: Episode) -> None:
    """Generate numbers until one fits."""
    kind, limit = re.findall(r"(greater|less|even|odd)(?: than (\d+))?", episode.utterance)[0]
    for _ in range(MOST_TRIES):
        await episode.driver.press("Generate")
        number = re.search(r"^(\d+)$", await episode.driver.read(), re.MULTILINE)
        if number and _fits(int(number[1]), kind, int(limit or 0)):
            break
    await _submit(episode, {})


def _fits(number: int, kind: str, limit: int) -> bool:
    return {
        "greater": number > limit,
        "less": number < limit,
        "even": number % 2 == 0,
        "odd": number % 2 == 1,
    }[kind]


async def mark_parity(episode: Episode) -> None:
    """Mark numbers as odd or even."""
    for number in re.findall(r"^\s*(-?\d+)\s*$", await episode.driver.read(), re.MULTILINE):
        await episode.driver.press("Odd" if int(number) % 2 else "Even", within=number)
    await _submit(episode, {})


async def leaf_through(episode: Episode) -> None:
    """Leaf through contacts to one, and press what is asked for."""
    name, what = episode.found(r"Find (.*) in the contact book and click on their (.*)\.")
    label = {"phone number": "Phone", "email": "Email", "address": "Address"}.get(what, what)
    for _ in range(MOST_TRIES):
        shown = await episode.driver.read()
        if re.search(rf"^{re.escape(name)}$", shown, re.MULTILINE):
            found = re.search(rf"{label}:\s*(\S.*)", shown, re.IGNORECASE)
            return await episode.driver.press(found[1].strip() if found else label)
        await episode.driver.press(">")
    raise BenchError(f"{name} was not found")


async def agree(episode: Episode) -> None:
    """Press cancel; to agree, one has to scroll and to sign."""
    if "cancel" in episode.utterance.lower():
        await episode.driver.press("Cancel")
        return
    await episode.driver.submit({"Name": episode.quoted[0] if episode.quoted else "Ada"}, "Agree")


async def expand(episode: Episode) -> None:
    """Open the section, then press submit."""
    sections = [each for each in await episode.driver.choices() if each.startswith("Section")]
    await episode.driver.press(sections[0] if sections else "Section")
    await _submit(episode, {})


async def _send(episode: Episode, values: Mapping[Field, Value], buttons: Sequence[str]) -> None:
    """Fill and send, whichever of some buttons there is."""
    for button in buttons[:-1]:
        with suppress(NoTool):
            await episode.driver.submit(values, button)
            return
    await episode.driver.submit(values, buttons[-1])


async def _submit(episode: Episode, values: Mapping[Field, Value]) -> None:
    if values:
        await episode.driver.submit(values, "Submit")
    else:
        await episode.driver.press("Submit")


ORACLES: Mapping[str, Oracle] = {
    "ascending-numbers": press_ascending,
    **dict.fromkeys(
        ("choose-date", "choose-date-easy", "choose-date-medium", "choose-date-nodelay"), pick_date
    ),
    "choose-list": select_one,
    "click-button": press_quoted,
    "click-button-sequence": press_in_order,
    **dict.fromkeys(
        ("click-checkboxes", "click-checkboxes-large", "click-checkboxes-transfer"), tick
    ),
    "click-checkboxes-soft": tick_similar,
    **dict.fromkeys(("click-collapsible", "click-collapsible-nodelay"), expand),
    **dict.fromkeys(("click-collapsible-2", "click-collapsible-2-nodelay"), find_behind),
    **dict.fromkeys(("click-dialog", "click-dialog-2"), close_dialog),
    "click-link": press_quoted,
    "click-menu": walk_menu,
    "click-menu-2": find_in_menu,
    "click-option": tick,
    **dict.fromkeys(("click-pie", "click-pie-nodelay"), press_in_pie),
    "click-scroll-list": select_several,
    "click-tab": press_tab,
    **dict.fromkeys(
        ("click-tab-2", "click-tab-2-easy", "click-tab-2-medium", "click-tab-2-hard"), find_behind
    ),
    "click-test": press_the_button,
    **dict.fromkeys(("click-test-2", "click-test-transfer"), press_in_order),
    **dict.fromkeys(("copy-paste", "copy-paste-2"), copy_text),
    "enter-date": enter_date,
    "enter-password": enter_twice,
    **dict.fromkeys(("enter-text", "enter-text-2", "enter-text-dynamic"), enter_quoted),
    "enter-time": enter_time,
    "find-word": type_word,
    "form-sequence-3": choose_and_press,
    "generate-number": generate,
    "guess-number": guess,
    **dict.fromkeys(("login-user", "login-user-popup"), log_in),
    **dict.fromkeys(("multi-layouts", "multi-orderings"), search_films),
    "navigate-tree": find_in_tree,
    "odd-or-even": mark_parity,
    "phone-book": leaf_through,
    **dict.fromkeys(("read-table", "read-table-2"), read_table),
    "scroll-text": type_last_word,
    "sign-agreement": agree,
    **dict.fromkeys(("simple-algebra", "simple-arithmetic"), calculate),
    "text-transform": transform,
    "unicode-test": press_quoted,
    **dict.fromkeys(("use-autocomplete", "use-autocomplete-nodelay"), complete),
    "use-spinner": spin,
}
