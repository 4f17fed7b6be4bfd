"""The whole harness: tries every fault, every attack and ten thousand inputs of each kind."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

from tests.hostile.attacks import ATTACKS
from tests.hostile.faults import FAULTS
from tests.hostile.row import Row

PARTS = ("faults", "attacks", "inputs")
INPUTS = "hostile/test_inputs.py"
# Generated messages that have a test of their own elsewhere, by how many it sends.
ELSEWHERE = {"bridge/test_fuzz.py::test_10_000_malformed_messages_leave_the_bridge_serving": 10_000}
# The longest single test is a download of two gigabytes.
TEST_SECONDS = 1500


def main() -> int:
    """Run what was asked for and print the counts; returns 0 if all is as promised."""
    parser = argparse.ArgumentParser(prog="scripts/hostile", description=__doc__)
    parser.add_argument(
        "part", nargs="*", default=PARTS,
        help=f"{', '.join(PARTS)}, or numbers of rows such as 83 or S-32; everything when absent",
    )  # fmt: skip
    wanted = set(parser.parse_args().part)
    faults, attacks = _chosen(FAULTS, "faults", wanted), _chosen(ATTACKS, "attacks", wanted)
    if unknown := wanted - {*PARTS, *(row.number for row in (*FAULTS, *ATTACKS))}:
        parser.error(f"there is no {', '.join(sorted(unknown))}")
    nodes = {node for row in (*faults, *attacks) for node in row.tests}
    if "inputs" in wanted:
        nodes |= {INPUTS, *ELSEWHERE}
    bad = 0
    if nodes:
        with tempfile.TemporaryDirectory(prefix="tabmux-hostile-") as folder:
            results = _run(sorted(nodes), Path(folder))
            bad += _inputs(Path(folder), results) if "inputs" in wanted else 0
        bad += _table("Faults as promised", faults, results)
        bad += _table("Attacks that got nowhere", attacks, results)
    return int(bool(bad))


def _chosen(rows: Iterable[Row], part: str, wanted: set[str]) -> list[Row]:
    return [row for row in rows if part in wanted or row.number in wanted]


def _run(nodes: list[str], folder: Path) -> dict[str, str]:
    """Run the tests; returns the worst outcome of each by node id."""
    report = folder / "report.xml"
    command = [
        sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "-p", "no:randomly",
        f"--junitxml={report}", f"--timeout={TEST_SECONDS}", "-o", "timeout_func_only=true",
        *(f"tests/{node}" for node in nodes),
    ]  # fmt: skip
    subprocess.run(command, env={**os.environ, "TABMUX_HOSTILE": str(folder)}, check=False)
    return _outcomes(report)


def _outcomes(report: Path) -> dict[str, str]:
    worst: dict[str, str] = {}
    order = ["passed", "skipped", "failed"]
    if not report.exists():
        return worst
    for case in ElementTree.parse(report).iter("testcase"):
        file = case.attrib["classname"].replace(".", "/").removeprefix("tests/") + ".py"
        node = f"{file}::{case.attrib['name'].partition('[')[0]}"
        kinds = {child.tag for child in case}
        found = "failed" if kinds & {"failure", "error"} else "skipped" if kinds else "passed"
        worst[node] = max(worst.get(node, "passed"), found, key=order.index)
    return worst


def _outcome(row: Row, results: dict[str, str]) -> str:
    found = {results.get(node, "not run") for node in row.tests}
    return "as promised" if found == {"passed"} else ", ".join(sorted(found - {"passed"}))


def _table(title: str, rows: list[Row], results: dict[str, str]) -> int:
    """Print one table and its count; returns how many rows are not as promised."""
    outcomes = {row: _outcome(row, results) for row in rows}
    for row, outcome in outcomes.items():
        _say(f"  {row.number:>5}  {outcome:<12} {row.done}: {row.promised}")
    good = Counter(outcomes.values())["as promised"]
    if rows:
        _say(f"{title}: {good} of {len(rows)}.")
    return len(rows) - good


def _inputs(folder: Path, results: dict[str, str]) -> int:
    total, harms = 0, 0
    for file in sorted(folder.glob("inputs-*.json")):
        found = json.loads(file.read_text())
        total, harms = total + found["inputs"], harms + len(found["harms"])
        _say(f"  {found['inputs']:>7,} {found['name']}: {len(found['harms'])} did harm")
        for harm in found["harms"][:10]:
            _say(f"          {harm}")
    for node, count in ELSEWHERE.items():
        if node in results:
            bad = results[node] != "passed"
            total, harms = total + count, harms + bad
            _say(f"  {count:>7,} messages of the bridge: {int(bad)} did harm")
    if total:
        _say(f"Inputs: {total:,}; ended in an internal error, a hang or a crash: {harms}.")
    return harms


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
