"""Rule source: where in the policy file a rule stands."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RuleSource:
    """The key of a section, and its line.

    Args:
        section: As the file writes it: `[session.work]`.
        key: The key, such as `urls`.
        file: The path of the file.
        line: The line of the key, from 1.
    """

    section: str
    key: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"`{self.key}` of {self.section} ({self.place})"

    @property
    def place(self) -> str:
        """The file's name and the line, as compilers write them."""
        return f"{self.file.rpartition('/')[2]}:{self.line}"

    @property
    def setter(self) -> str:
        """Say who has set the rule."""
        return f"the policy file says so, in {self}"
