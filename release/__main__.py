"""Command: writes what is made from the tree for a release, one part at a time."""

from __future__ import annotations

import argparse
import datetime
import json
from pathlib import Path

from release import changelog
from release.desktop_bundle import write_bundle
from release.project import ROOT, read_project
from release.registry_entry import registry_entry

CHANGELOG = ROOT / "CHANGELOG.md"


def main() -> None:
    """Do one step of `scripts/release`."""
    parser = argparse.ArgumentParser(prog="python -m release", description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    for name in ("registry", "notes"):
        steps.add_parser(name).add_argument("file", type=Path)
    bundle = steps.add_parser("bundle")
    bundle.add_argument("wheel", type=Path)
    bundle.add_argument("folder", type=Path)
    steps.add_parser("changelog")
    given = parser.parse_args()
    project = read_project()
    if given.step == "registry":
        _write(given.file, json.dumps(registry_entry(project), indent=2) + "\n")
    elif given.step == "notes":
        _write(given.file, changelog.release_notes(_changelog(), project.version))
    elif given.step == "bundle":
        write_bundle(project, given.wheel, given.folder)
    else:
        day = datetime.date.today().isoformat()
        _write(CHANGELOG, changelog.with_release(_changelog(), project.version, day))


def _changelog() -> str:
    return CHANGELOG.read_text(encoding="utf-8")


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
