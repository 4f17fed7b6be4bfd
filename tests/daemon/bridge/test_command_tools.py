from __future__ import annotations

import re
from pathlib import Path

import pytest

from tabmux.daemon.bridge.command_tools import COMMAND_TOOLS, CommandTool

DOCUMENT = Path(__file__).parents[3] / "docs" / "bridge.md"


@pytest.mark.parametrize("tool", COMMAND_TOOLS.values(), ids=lambda tool: tool.command)
def test_the_document_has_what_each_command_carries(tool: CommandTool) -> None:
    rows = [line for line in DOCUMENT.read_text().splitlines() if line.startswith("| `")]
    mine = [row for row in rows if re.match(rf"\| `{re.escape(tool.command)}[`.]", row)]
    named = set(re.findall(r"`(\w+)\??`", "".join(row.split("|")[2] for row in mine)))

    assert named == set(tool.spec.schema["properties"]) - {"action"}
