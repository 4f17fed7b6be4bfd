from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from release import changelog
from release.desktop_bundle import bundle_manifest, write_bundle
from release.project import ROOT, read_project
from release.registry_entry import LONGEST_DESCRIPTION, registry_entry
from tabmux import __version__
from tabmux.daemon_connection import environment_flags
from tabmux.errors import Misuse

TEXTS = {"", ".css", ".html", ".js", ".json", ".md", ".py", ".sh", ".ts", ".yaml", ".yml"}
CHANGES = (
    "# Changelog\n\n## Unreleased\n\n### Added\n\n- One.\n\n## 0.9.0 (2026-01-01)\n\n- Zero.\n"
)


def test_notes_are_the_section_of_the_version_or_what_is_unreleased() -> None:
    assert changelog.release_notes(CHANGES, "0.9.0") == "- Zero.\n"
    assert changelog.release_notes(CHANGES, "1.0.0") == "### Added\n\n- One.\n"
    with pytest.raises(Misuse):
        changelog.release_notes("# Changelog\n\n## Unreleased\n", "1.0.0")


def test_a_release_gets_a_section_of_its_own_once() -> None:
    released = changelog.with_release(CHANGES, "1.0.0", "2026-11-17")
    assert changelog.section(released, "1.0.0") == "### Added\n\n- One."
    assert changelog.section(released, "Unreleased") == ""
    with pytest.raises(Misuse):
        changelog.with_release(released, "1.0.0", "2026-11-18")


def test_the_registry_entry_names_the_package_of_this_version() -> None:
    entry = registry_entry(read_project())
    assert entry["version"] == entry["packages"][0]["version"] == __version__
    assert len(entry["description"]) <= LONGEST_DESCRIPTION
    assert f"mcp-name: {entry['name']}" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_bundle_holds_the_wheel_and_what_uv_needs(tmp_path: Path) -> None:
    wheel = tmp_path / "tabmux-1.0.0-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    folder = tmp_path / "bundle"
    write_bundle(read_project(), wheel, folder)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest == bundle_manifest(read_project())
    assert (folder / manifest["server"]["entry_point"]).is_file()
    assert (folder / manifest["icon"]).is_file()
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    assert (folder / project["tool"]["uv"]["sources"]["tabmux"]["path"]).read_bytes() == b"wheel"
    assert {"click", "navigate_page"} <= {each["name"] for each in manifest["tools"]}


def test_the_bundle_sends_no_setting_that_nobody_has_made(tmp_path: Path) -> None:
    wheel = tmp_path / "tabmux-1.0.0-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    folder = tmp_path / "bundle"
    write_bundle(read_project(), wheel, folder)
    (folder / "tabmux").mkdir()
    (folder / "tabmux" / "__init__.py").touch()
    told = "import os\ndef main(): print(*(n for n in os.environ if n.startswith('TABMUX_')))\n"
    (folder / "tabmux" / "__main__.py").write_text(told, encoding="utf-8")
    manifest = bundle_manifest(read_project())
    answers = {key: str(value.get("default", "")) for key, value in manifest["user_config"].items()}
    assert answers == {"headless": "False", "folder": ""}
    environment = {**manifest["server"]["mcp_config"]["env"], "TABMUX_HEADLESS": "false"}
    done = subprocess.run(
        [sys.executable, folder / manifest["server"]["entry_point"]],
        env=environment, capture_output=True, text=True, timeout=20, check=True,
    )  # fmt: skip
    assert done.stdout == "TABMUX_HEADLESS\n"
    # Others leave nothing.
    assert environment_flags({"TABMUX_HEADLESS": "false", "TABMUX_ALLOW_PATH": ""}) == []


def test_the_addresses_of_the_project_stand_in_its_metadata_alone() -> None:
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    source = read_project().source
    owner = source.split("/")[-2]
    written = re.compile(rf"https://[\w.]*{owner}\.github\.io|github\w*\.com/{owner}\b")
    folders = ("src", "docs", "scripts", "website", "extension", "examples", "deploy", "release")
    files = [file for folder in folders for file in (ROOT / folder).rglob("*") if file.is_file()]
    files += [ROOT / name for name in ("README.md", "mkdocs.yml", "SECURITY.md", "CONTRIBUTING.md")]
    texts = [file for file in files if file.suffix in TEXTS]
    assert [f for f in texts if written.search(f.read_text(encoding="utf-8"))] == []
    assert all(
        url.startswith(source)
        for name, url in table["project"]["urls"].items()
        if name != "Documentation"
    )
    hooks = table["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]
    assert all(source.removeprefix("https://github.com") in hook["replacement"] for hook in hooks)


def test_the_extension_has_the_version_of_the_package() -> None:
    manifest = json.loads((ROOT / "extension" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["version"] == __version__
