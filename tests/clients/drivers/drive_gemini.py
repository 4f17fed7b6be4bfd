"""Gemini CLI: added and listed with its own commands, then run with the scripted model."""

from __future__ import annotations

import json
from pathlib import Path

from cli import run_command, work
from model_server import model_server
from steps import Task, expect, report, run


async def drive(task: Task) -> None:
    """Add tabmux, see it connected, and take the steps."""
    answer_first_questions()
    http = ["--transport", "http", "tabmux", task.server]
    stdio = ["tabmux", "tabmux"]
    await run_command("gemini", "mcp", "add", *(stdio if task.way == "stdio" else http))
    listed = await run_command("gemini", "mcp", "list")
    expect("Connected" in listed and "Disconnected" not in listed, listed)
    report("connect")
    async with model_server("gemini") as server:
        # Without a model's name another model would be asked which one to take.
        words = ["gemini", "-p", "go", "--approval-mode", "yolo", "--model", "gemini-2.5-flash"]
        account = {"GOOGLE_GEMINI_BASE_URL": server.url, "GEMINI_API_KEY": "none"}
        await work(task, server, words, **account)


def answer_first_questions() -> None:
    """Say that this folder is trusted, without which no server is started, and how to sign in."""
    folder = Path.home() / ".gemini"
    folder.mkdir(exist_ok=True)
    (folder / "trustedFolders.json").write_text(json.dumps({str(Path.cwd()): "TRUST_FOLDER"}))
    settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    (folder / "settings.json").write_text(json.dumps(settings))


run(drive)
