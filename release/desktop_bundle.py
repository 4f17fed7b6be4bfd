"""Desktop bundle: the folder that becomes the `.mcpb` file for Claude Desktop."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from release.project import ROOT, Project
from tabmux.tools.pipeline import catalog

# The first version of the manifest that lets uv install what the server needs.
MANIFEST_VERSION = "0.4"
ENTRY_POINT = "server.py"
_ENTRY = '''"""Entry point: MCP over standard input and output."""

import os

from tabmux.__main__ import main

# Where a question has no answer, some hosts leave its placeholder.
for name, value in [*os.environ.items()]:
    if value.startswith("${user_config."):
        del os.environ[name]
main()
'''


def write_bundle(project: Project, wheel: Path, folder: Path) -> None:
    """Fill an empty folder with the manifest, the wheel and how uv installs it."""
    folder.mkdir(parents=True)
    shutil.copy(wheel, folder)
    shutil.copy(ROOT / "extension" / "icons" / "128.png", folder / "icon.png")
    text = json.dumps(bundle_manifest(project), indent=2, ensure_ascii=False)
    (folder / "manifest.json").write_text(text + "\n", encoding="utf-8")
    (folder / "pyproject.toml").write_text(bundle_project(project, wheel.name), encoding="utf-8")
    (folder / ENTRY_POINT).write_text(_ENTRY, encoding="utf-8")


def bundle_manifest(project: Project) -> dict[str, Any]:
    """Return what Claude Desktop is told of tabmux."""
    return {
        "manifest_version": MANIFEST_VERSION,
        "name": project.name,
        "display_name": project.name,
        "version": project.version,
        "description": project.description,
        "author": {"name": "The tabmux authors", "url": project.source},
        "repository": {"type": "git", "url": project.source},
        "homepage": project.source,
        "documentation": project.documentation,
        "icon": "icon.png",
        "server": _server(),
        "tools": _tools(),
        # Pages offer tools of their own.
        "tools_generated": True,
        "keywords": list(project.keywords),
        "license": "MIT",
        "compatibility": {
            "platforms": ["darwin", "linux"],
            "runtimes": {"python": project.python},
        },
        "user_config": _questions(),
    }


def bundle_project(project: Project, wheel: str) -> str:
    """Return the project file by which uv installs the wheel that lies beside it."""
    return "\n".join(
        [
            "[project]",
            f'name = "{project.name}-bundle"',
            f'version = "{project.version}"',
            f'requires-python = "{project.python}"',
            f'dependencies = ["{project.name}[all]"]',
            "",
            "[tool.uv.sources]",
            f'{project.name} = {{ path = "{wheel}" }}',
            "",
        ]
    )


def _server() -> dict[str, Any]:
    run = ["run", "--directory", "${__dirname}", ENTRY_POINT]
    return {
        "type": "uv",
        "entry_point": ENTRY_POINT,
        "mcp_config": {
            "command": "uv",
            "args": run,
            "env": {
                "TABMUX_HEADLESS": "${user_config.headless}",
                "TABMUX_ALLOW_PATH": "${user_config.folder}",
            },
        },
    }


def _tools() -> list[dict[str, str]]:
    tools = catalog.tools(list(catalog.DEFAULT_GROUPS))
    return [{"name": each.name, "description": _first_line(each.description)} for each in tools]


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0]


def _questions() -> dict[str, Any]:
    return {
        "headless": {
            "type": "boolean",
            "title": "Work without a window",
            "description": "Start browsers so that they are not seen.",
            "default": False,
            "required": False,
        },
        "folder": {
            "type": "directory",
            "title": "Folder for files",
            # No default: a daemon that another client has started refuses a folder of its own.
            "description": "A folder that agents may read and write, if they need files.",
            "required": False,
        },
    }
