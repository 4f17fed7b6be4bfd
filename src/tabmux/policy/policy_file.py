"""Policy file: what agents may do, by client and session, read and checked whole."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tabmux.errors import Misuse
from tabmux.policy import section_check
from tabmux.policy.policy_section import KINDS, PolicySection, SectionKind
from tabmux.policy.rule_source import RuleSource
from tabmux.policy.section_values import READERS, ValueContext
from tabmux.policy.toml_lines import TomlLines

LONGEST_FILE = 1_000_000
_SHOWN_PROBLEMS = 5

ToolGroups = Mapping[str, Collection[str]]


@dataclass(frozen=True)
class PolicyProblem:
    """Something that is wrong in a policy file."""

    line: int
    text: str
    hint: str = ""

    def __str__(self) -> str:
        return f"line {self.line}: {self.text} {self.hint}".rstrip()


@dataclass
class PolicyFile:
    """A file that has been read, with all that is wrong in it.

    Args:
        path: Where it is.
        sections: Those that could be read, the least specific first.
        problems: What is wrong, by line.
    """

    path: str
    sections: list[PolicySection] = field(default_factory=list)
    problems: list[PolicyProblem] = field(default_factory=list)

    @property
    def widening(self) -> list[PolicySection]:
        """The sections that allow more than less specific ones."""
        return [section for section in self.sections if section.widens]

    def checked(self) -> PolicyFile:
        """Return the file, or raise what is wrong in it."""
        if self.problems:
            shown = "; ".join(map(str, self.problems[:_SHOWN_PROBLEMS]))
            raise Misuse(
                f"The policy file {self.path} is not valid: {shown}",
                hint=f"`tabmux policy check {self.path}` says all that is wrong.",
            )
        return self


def read_policy_file(path: str, groups: ToolGroups) -> PolicyFile:
    """Read a policy file; what is wrong in it is noted, and only a file that is not there raises.

    Args:
        path: Where it is.
        groups: The names of all tools, by group.
    """
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(LONGEST_FILE + 1)
    except (OSError, UnicodeDecodeError) as error:
        raise Misuse(f"Could not read the policy file {path}: {error}") from error
    if len(text) > LONGEST_FILE:
        raise Misuse(f"The policy file {path} has more than {LONGEST_FILE} characters.")
    return parse_policy(text, path, groups)


def parse_policy(text: str, path: str, groups: ToolGroups) -> PolicyFile:
    """Read the text of a policy file."""
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        lines = TomlLines(text)
        return PolicyFile(path, problems=[PolicyProblem(lines.of_error(str(error)), f"{error}.")])
    found = PolicyFile(path)
    _Reader(found, TomlLines(text), groups).read(table)
    found.sections.sort(key=lambda section: (KINDS.index(section.kind), section.line))
    for line, wrong, hint in section_check.problems(found.sections):
        found.problems.append(PolicyProblem(line, wrong, hint))
    found.problems.sort(key=lambda problem: problem.line)
    return found


class _Reader:
    """Reads the tables of one file."""

    def __init__(self, file: PolicyFile, lines: TomlLines, groups: ToolGroups) -> None:
        self._file, self._lines = file, lines
        self._values = ValueContext(Path(file.path).parent, groups)

    def read(self, table: Mapping[str, Any]) -> None:
        for kind, name, content in self._tables(table):
            if section := self._section(kind, name, content):
                self._file.sections.append(section)

    def _tables(self, table: Mapping[str, Any]) -> Iterator[tuple[SectionKind, str, Any]]:
        for key, value in table.items():
            kind = next((each for each in KINDS if each == key), None)
            if kind is None:
                meant = (
                    _nearest(key, KINDS) or "Sections are [default], [client.NAME], [session.NAME]."
                )
                what = (
                    f"unknown section [{key}]"
                    if isinstance(value, dict)
                    else f"{key!r} is in no section"
                )
                self._note((key,), f"{what}.", meant)
            elif kind == "default":
                yield kind, "", value
            elif not isinstance(value, dict):
                self._note((key,), f"{key!r} is not a section.", f"Write [{key}.NAME].")
            else:
                for name, content in value.items():
                    if isinstance(content, dict):
                        yield kind, name, content
                    else:
                        self._note((key, name), f"[{key}] names nobody.", f"Write [{key}.NAME].")

    def _section(self, kind: SectionKind, name: str, table: Any) -> PolicySection | None:
        path = (kind,) if kind == "default" else (kind, name)
        title = _title(kind, name)
        if not isinstance(table, dict) or not table:
            self._note(path, f"{title} has no rules.", "Give it some, or leave it out.")
            return None
        line = self._lines.of(path)
        values: dict[str, Any] = {}
        sources: dict[str, RuleSource] = {}
        for key, value in table.items():
            if (reader := READERS.get(key)) is None:
                meant = _nearest(key, READERS) or f"Keys are {', '.join(READERS)}."
                self._note((*path, key), f"{title} has an unknown key {key!r}.", meant)
                continue
            source = RuleSource(title, key, self._file.path, self._lines.of((*path, key)))
            read = self._value(reader, value, source)
            if read is not None:
                values[key], sources[key] = read, source
        return PolicySection(kind, name, title, line, sources, **values)

    def _value(
        self, reader: Callable[[Any, RuleSource, ValueContext], Any], value: Any, source: RuleSource
    ) -> Any:
        try:
            return reader(value, source, self._values)
        except Misuse as error:
            line = self._lines.of_item(source.line, value, error.message)
            where = f"{source.section} {source.key}:"
            self._file.problems.append(PolicyProblem(line, f"{where} {error.message}", error.hint))
            return None

    def _note(self, path: tuple[str, ...], text: str, hint: str) -> None:
        self._file.problems.append(PolicyProblem(self._lines.of(path), text, hint))


def _title(kind: str, name: str) -> str:
    if kind == "default":
        return "[default]"
    plain = name.replace("-", "").replace("_", "").isalnum() and name.isascii()
    return f"[{kind}.{name}]" if plain else f'[{kind}."{name}"]'


def _nearest(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name.replace("-", "_"), list(known), 1)
    return f"Did you mean {close[0]}?" if close else ""
