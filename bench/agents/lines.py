"""The results as lines of a table: numbers, ratios, targets."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from bench import table
from bench.agents.crowd import Weight
from bench.agents.idle_tabs import IdleTabs
from bench.agents.race import Score

# The columns of two versions of tabmux that take turns, and of nothing but Chromium.
THIS, BEFORE, BARE = "this", "before", "bare CDP"
# By how much idle tabs may keep Chromium busier beside tabmux: a hundredth of a core.
IDLE_WORK = 10


@dataclass(frozen=True)
class Target:
    """How far tabmux should get: at most the limit, or at least it.

    Args:
        strict: The limit itself is too much.
    """

    limit: float
    least: bool = False
    strict: bool = False

    def __str__(self) -> str:
        sign = "≥" if self.least else "<" if self.strict else "≤"
        return f"{sign} {self.limit:g}"

    def met_by(self, value: float) -> bool:
        """Whether a value reaches it."""
        if self.least:
            return value >= self.limit
        return value < self.limit or (value == self.limit and not self.strict)


@dataclass(frozen=True)
class Line:
    """One line of the table.

    Args:
        cells: Numbers by column.
        judged: The ratio or the number that the target is about.
        ratio: Whether it is a ratio.
    """

    name: str
    unit: str
    cells: Mapping[str, float | None]
    target: Target | None = None
    judged: float | None = None
    ratio: bool = False

    def meets_target(self) -> bool | None:
        """Whether the target was reached, if there is one and it could be measured."""
        if self.target is None or self.judged is None:
            return None
        return self.target.met_by(self.judged)


@dataclass
class Results:
    """What was measured, as far as it could be."""

    clients: int
    scores: dict[str, Score] = field(default_factory=dict)
    versions: dict[str, Score] = field(default_factory=dict)
    latencies: dict[str, list[float]] = field(default_factory=dict)
    idle: tuple[int, Weight] | None = None
    residue: tuple[int, Weight] | None = None
    tabs: tuple[int, IdleTabs] | None = None
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def columns(self) -> tuple[str, str, str, str]:
        """The teams by name: one tabmux client, many, one cdm for all, one cdm each."""
        return "tabmux 1", f"tabmux {self.clients}", "cdm shared", f"cdm {self.clients}"

    def lines(self) -> list[Line]:
        """All lines."""
        return [*self._race(), *self._versions(), *self._waits(), *self._crowd()]

    def complaints(self) -> list[str]:
        """What went wrong, a few examples of each kind."""
        found = [f"{name}: {error}" for name, error in self.errors.items()]
        for name, score in (*self.scores.items(), *self.versions.items()):
            found += [f"{name}: {text}" for text in (*score.errors[:3], *score.strays[:3])]
        return found

    def _race(self) -> list[Line]:
        if not self.scores:
            return []
        one, many, shared, separate = self.columns
        rates = {name: score.rate() for name, score in self.scores.items()}
        memory = {name: score.resident_mb for name, score in self.scores.items()}
        shares = {name: score.proportional_mb for name, score in self.scores.items()}
        added = self.scores[many].added_ms() if many in self.scores else None
        return [
            _compared(f"steps, beside {one}", "1/s", rates, (many, one), Target(1.5, True)),
            _compared(f"steps, beside {shared}", "1/s", rates, (many, shared), Target(5, True)),
            _compared(
                f"steps, beside {separate}", "1/s", rates, (many, separate), Target(1.5, True)
            ),
            _compared("memory", "MB", memory, (many, separate), Target(0.1)),
            _compared("memory, proportional", "MB", shares, (many, separate), None),
            Line("call, median", "ms", self._each(lambda score: _median_ms(score.seconds))),
            self._slowest(many),
            Line("call beside a wait_for", "ms", self._each(lambda score: _median_ms(score.held))),
            Line("calls", "", self._each(lambda score: len(score.seconds) + len(score.held))),
            self._strays(),
            _limited("added by a wait_for", "ms", many, added, Target(20, strict=True)),
        ]

    def _slowest(self, many: str) -> Line:
        """The calls that take longest, beside the usual one."""
        slow = self._each(lambda score: _slow_ms(score.seconds))
        median = _median_ms(self.scores[many].seconds) if many in self.scores else None
        ratio = (slow.get(many) or 0) / median if median else None
        return Line("call, p95", "ms", slow, Target(3), ratio, ratio=True)

    def _versions(self) -> list[Line]:
        """This version beside another one and bare CDP, which took turns."""
        rates = {name: score.rate() for name, score in self.versions.items()}
        median = {name: _median_ms(score.seconds) for name, score in self.versions.items()}
        slow = {name: _slow_ms(score.seconds) for name, score in self.versions.items()}
        time = {name: _median(score.chromium) for name, score in self.versions.items()}
        others = [name for name in (BEFORE, BARE) if name in self.versions]
        return [
            line
            for other in others
            for line in (
                _compared(f"steps, beside {other}", "1/s", rates, (THIS, other), None),
                _compared(f"call, median, beside {other}", "ms", median, (THIS, other), None),
                _compared(f"call, p95, beside {other}", "ms", slow, (THIS, other), None),
                _compared(f"Chromium's time, beside {other}", "ms", time, (THIS, other), None),
            )
        ]

    def _strays(self) -> Line:
        strays = self._each(lambda score: len(score.strays))
        ours = [strays[name] or 0 for name in self.columns[:2] if name in strays]
        return Line("cross-talk", "replies", strays, Target(0), sum(ours))

    def _each(self, number: Callable[[Score], float | None]) -> dict[str, float | None]:
        return {name: number(score) for name, score in self.scores.items()}

    def _waits(self) -> list[Line]:
        names = {"call": ("tabmux call list_pages", 150), "initialize": ("relay initialize", 250)}
        return [
            _limited(name, "ms", "tabmux 1", statistics.median(self.latencies[key]), Target(limit))
            for key, (name, limit) in names.items()
            if key in self.latencies
        ]

    def _crowd(self) -> list[Line]:
        lines = []
        if self.idle is not None:
            count, cost = self.idle
            name = f"{count:,} idle sessions"
            lines.append(_limited(name, "MB", "tabmux 1", cost.resident_mb, Target(30)))
        if self.residue is not None:
            count, left = self.residue
            for kind, value in asdict(left).items():
                name, unit = f"{count:,} sessions leave", kind.replace("resident_mb", "MB")
                target = None if unit == "MB" else Target(0)
                lines.append(_limited(name, unit, "tabmux 1", value, target))
        if self.tabs is not None:
            count, work = self.tabs
            cells = {"tabmux 1": work.beside_tabmux, BARE: work.without}
            added = work.beside_tabmux - work.without
            lines.append(Line(f"{count:,} idle tabs", "ms/s", cells, Target(IDLE_WORK), added))
        return lines


def render(results: Results) -> str:
    """The table, then what went wrong."""
    bare = (BARE,) if results.tabs and BARE not in results.versions else ()
    columns = (*results.columns, *results.versions, *bare)
    lines = [["row", "unit", *columns, "ratio", "target", ""]]
    lines += [_cells(line, columns) for line in results.lines()]
    text = table.grid(lines)
    if complaints := results.complaints():
        text += ["", "What went wrong:", *complaints]
    return "\n".join(text) + "\n"


def _cells(line: Line, columns: Sequence[str]) -> list[str]:
    numbers = [_number(line.cells.get(column)) for column in columns]
    ratio = _number(line.judged if line.ratio else None)
    met = line.meets_target()
    verdict = "" if met is None else "ok" if met else "miss"
    target = table.NOTHING if line.target is None else str(line.target)
    return [line.name, line.unit, *numbers, ratio, target, verdict]


def _number(value: float | None) -> str:
    return table.NOTHING if value is None else table.number(value)


def _compared(
    name: str,
    unit: str,
    values: Mapping[str, float | None],
    pair: tuple[str, str],
    target: Target | None,
) -> Line:
    ours, theirs = (values.get(column) for column in pair)
    ratio = ours / theirs if ours is not None and theirs else None
    return Line(name, unit, {pair[0]: ours, pair[1]: theirs}, target, ratio, ratio=True)


def _limited(name: str, unit: str, column: str, value: float | None, target: Target | None) -> Line:
    return Line(name, unit, {column: value}, target, value)


def _slow_ms(seconds: Sequence[float]) -> float | None:
    return statistics.quantiles(seconds, n=20)[-1] * 1000 if len(seconds) > 1 else None


def _median(values: Sequence[float]) -> float | None:
    return statistics.median(values) if values else None


def _median_ms(seconds: Sequence[float]) -> float | None:
    return statistics.median(seconds) * 1000 if seconds else None
