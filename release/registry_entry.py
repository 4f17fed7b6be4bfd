"""Registry entry: `server.json`, by which the MCP registry lists tabmux."""

from __future__ import annotations

from typing import Any

from release.project import Project

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
TITLE = "tabmux: tmux for browsers"
# The registry takes no longer ones.
LONGEST_DESCRIPTION = 100


def registry_entry(project: Project) -> dict[str, Any]:
    """Return the entry; the package index must show the same name in the README (`mcp-name`)."""
    return {
        "$schema": SCHEMA,
        "name": project.registry_name,
        "title": TITLE,
        "description": project.description,
        "version": project.version,
        "repository": {"url": project.source, "source": "github"},
        "websiteUrl": project.documentation,
        "packages": [_package(project)],
    }


def _package(project: Project) -> dict[str, Any]:
    return {
        "registryType": "pypi",
        "registryBaseUrl": "https://pypi.org",
        "identifier": project.name,
        "version": project.version,
        "runtimeHint": "uvx",
        "transport": {"type": "stdio"},
        "packageArguments": [
            {
                "type": "named",
                "name": "--browser-url",
                "description": "A running browser, such as http://127.0.0.1:9222.",
                "format": "string",
                "isRequired": False,
                "isRepeated": True,
            },
            {
                "type": "named",
                "name": "--allow-path",
                "description": "A folder that tools may read and write.",
                "format": "filepath",
                "isRequired": False,
                "isRepeated": True,
            },
        ],
        "environmentVariables": [
            {
                "name": "TABMUX_HEADLESS",
                "description": "1 to start browsers without a window.",
                "format": "boolean",
                "isRequired": False,
            }
        ],
    }
