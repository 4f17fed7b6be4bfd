"""The form task: one page an agent, and the steps it takes there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice

from bench.verbs import Click, Element, Evaluate, Fill, Navigate, Snapshot, Verb, WaitFor

TOKEN = r"heron-\d{4}"

_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Order</title>
<link rel="icon" href="data:,"></head><body>
<h1>Order of {who}</h1>
<form onsubmit="return false">
  <p><label>Full name <input id="name"></label></p>
  <p><label>Email <input id="email" type="email"></label></p>
  <p><label>City <select id="city"><option>Berlin</option><option>Paris</option></select></label>
  </p>
  <p><label><input id="agree" type="checkbox"> I agree</label></p>
  <p><label>Notes <textarea id="notes"></textarea></label></p>
  <p><button id="add" type="button">Add item</button>
     <button id="check" type="button">Check later</button>
     <button id="send" type="button">Send</button></p>
</form>
<ul id="items"></ul>
<p role="status" id="status">No items yet</p>
<p id="ready"></p>
<p id="sent"></p>
<script>
  const part = (id) => document.getElementById(id);
  part("add").addEventListener("click", () => {{
    const item = document.createElement("li");
    part("items").append(item);
    item.textContent = "Item " + part("items").children.length + " of {who}";
    part("status").textContent = part("items").children.length + " added by {who}";
  }});
  part("check").addEventListener("click", () => setTimeout(() => {{
    part("ready").textContent = "Ready for " + part("name").value;
  }}, 50));
  part("send").addEventListener("click", () => {{
    const values = ["name", "email", "city", "notes"].map((id) => part(id).value);
    part("sent").textContent = "Sent: " + [...values, part("agree").checked].join(", ");
  }});
</script></body></html>
"""

NAME = Element("textbox", "Full name")
EMAIL = Element("textbox", "Email")
NOTES = Element("textbox", "Notes")
CITY = Element("combobox", "City")
AGREE = Element("checkbox", "I agree")
ADD = Click(Element("button", "Add item"))
CHECK = Click(Element("button", "Check later"))
SEND = Click(Element("button", "Send"))


@dataclass(frozen=True)
class Step:
    """One call, and the text that its reply must have: it names the agent."""

    verb: Verb
    shows: str = ""


def who(number: int) -> str:
    """The agent's name, which is in everything it writes and on everything it sees."""
    return f"heron-{number:04d}"


def path(number: int) -> str:
    """The address of the agent's page, which does not contain its name."""
    return f"/order/{number:04d}"


def pages(agents: int) -> dict[str, str]:
    """The pages of so many agents by path."""
    return {path(number): _PAGE.format(who=who(number)) for number in range(agents)}


def steps(number: int, count: int) -> list[Step]:
    """The first so many steps of the agent's task, which starts over when it is through."""
    return list(islice(cycle(_task(who(number), path(number))), count))


def _task(me: str, page: str) -> Sequence[Step]:
    sent = f"{me} renamed, {me}@example.org, Paris, Notes of {me}, true"
    return (
        Step(Navigate(page), page),
        Step(Snapshot(), f"Order of {me}"),
        Step(Fill(((NAME, f"{me} first"),))),
        Step(_value("name"), f"{me} first"),
        Step(Fill(((EMAIL, f"{me}@example.org"), (NOTES, f"Notes of {me}")))),
        Step(_value("email", "notes"), f"{me}@example.org, Notes of {me}"),
        Step(ADD),
        Step(_text("status"), f"1 added by {me}"),
        Step(ADD),
        Step(Snapshot(), f"2 added by {me}"),
        Step(Fill(((CITY, "Paris"),))),
        Step(Click(AGREE)),
        Step(_value("name", "city"), f"{me} first, Paris"),
        Step(CHECK),
        Step(WaitFor(f"Ready for {me} first"), f"Ready for {me} first"),
        Step(Fill(((NAME, f"{me} renamed"),))),
        Step(_value("name"), f"{me} renamed"),
        Step(SEND),
        Step(WaitFor(f"Sent: {me} renamed"), f"Sent: {me} renamed"),
        Step(_text("sent"), f"Sent: {sent}"),
    )


def _value(*fields: str) -> Evaluate:
    values = ", ".join(f"document.getElementById('{field}').value" for field in fields)
    return Evaluate(f"() => [{values}].join(', ')")


def _text(element: str) -> Evaluate:
    return Evaluate(f"() => document.getElementById('{element}').textContent")
