"""Claude Code: added and listed with its own commands, then run with the scripted model."""

from __future__ import annotations

from cli import run_command, work
from model_server import model_server
from steps import TOOLS, Call, Task, expect, report, run


async def drive(task: Task) -> None:
    """Add tabmux, see it connected, and take the steps."""
    http = ["--transport", "http", "tabmux", task.server]
    stdio = ["tabmux", "--", "tabmux"]
    await run_command("claude", "mcp", "add", *(stdio if task.way == "stdio" else http))
    listed = await run_command("claude", "mcp", "list")
    expect("✔ Connected" in listed or "✓ Connected" in listed, listed)
    report("connect")
    async with model_server("anthropic") as server:
        words = ["claude", "-p", "go", "--allowedTools", "mcp__tabmux"]
        account = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "none"}
        await work(task, server, words, search, **account)


async def search(call: Call, tools: list[str]) -> list[str]:
    """Have the tools shown that the steps need."""
    names = ",".join(f"mcp__tabmux__{name}" for name in TOOLS)
    await call("ToolSearch", query=f"select:{names}", max_results=len(TOOLS))
    return tools


run(drive)
