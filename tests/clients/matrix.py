"""The table of clients in docs/clients.md."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from tests.clients.catalog import ClientProgram
from tests.clients.running import ROOT, Outcome

DOCUMENT = ROOT / "docs" / "clients.md"
BEGIN, END = "<!-- written by scripts/clients -->", "<!-- end -->"
ERROR_CHARACTERS = 300
NOTE_CHARACTERS = 100


@dataclass
class Row:
    """What came of one client."""

    client: ClientProgram
    version: str
    outcomes: dict[str, Outcome] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether every step succeeded, every way."""
        return all(outcome.complete for outcome in self.outcomes.values())

    def line(self, way: str) -> str:
        """Say what came of one way, with what went wrong."""
        outcome = self.outcomes[way]
        notes = f" ({'; '.join(outcome.notes)})" if outcome.notes else ""
        end = "" if outcome.complete else f": {outcome.error[:ERROR_CHARACTERS]}"
        return f"{self.client.name} {self.version}, {way}: {_cell(outcome)}{notes}{end}"

    def cells(self) -> list[str]:
        """Return the row of the table."""
        ways = [_cell(self.outcomes[way]) for way in ("stdio", "http")]
        notes: list[str] = []
        for way, outcome in self.outcomes.items():
            notes += [note for note in outcome.notes if note not in notes]
            if not outcome.complete:
                notes.append(f"{way}: {_one_line(outcome.error)}")
        return [self.client.title, self.version, *ways, "; ".join(notes)]


def write_table(rows: list[Row]) -> None:
    """Write the table between its marks."""
    text = DOCUMENT.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    head = ["client", "version", "stdio", "HTTP", "notes"]
    lines = [head, ["---"] * len(head), *(row.cells() for row in rows)]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    table += f"\n\nLast run: {date.today()}."
    DOCUMENT.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}", encoding="utf-8")


def _cell(outcome: Outcome) -> str:
    if not outcome.complete:
        return f"fails at {outcome.failed_step}"
    return f"only with `{outcome.needed}`" if outcome.needed else "all"


def _one_line(text: str) -> str:
    return " ".join(text.replace("|", " ").split())[:NOTE_CHARACTERS]
