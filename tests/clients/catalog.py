"""The clients that are tried: what is installed for each, and which driver drives it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ClientProgram:
    """A client with its default settings."""

    name: str
    title: str
    driver: str
    # The first one is the client; its version is shown.
    packages: tuple[str, ...]
    # How it is driven where one driver knows several ways.
    manner: str = ""
    # Whether every call has a connection of its own.
    connects_anew: bool = False

    @property
    def from_npm(self) -> bool:
        """Whether its packages come from npm, not from PyPI."""
        return self.packages[0].startswith("@")

    @property
    def folder(self) -> str:
        """Where its packages are, in the cache."""
        return self.driver.partition(".")[0].removeprefix("drive_")


CLIENTS = (
    ClientProgram("python-1", "Python SDK 1", "drive_python_1.py", ("mcp<2",)),
    ClientProgram("python-2", "Python SDK 2", "drive_python_2.py", ("mcp>=2",)),
    ClientProgram(
        "typescript-1", "TypeScript SDK 1", "drive_typescript_1.mjs", ("@modelcontextprotocol/sdk",)
    ),
    ClientProgram(
        "typescript-2",
        "TypeScript SDK 2",
        "drive_typescript_2.mjs",
        ("@modelcontextprotocol/client",),
    ),
    ClientProgram("fastmcp", "fastmcp", "drive_fastmcp.py", ("fastmcp",)),
    ClientProgram(
        "openai-agents", "OpenAI Agents SDK", "drive_openai_agents.py", ("openai-agents",)
    ),
    ClientProgram("pydantic-ai", "Pydantic AI", "drive_pydantic_ai.py", ("pydantic-ai-slim[mcp]",)),
    ClientProgram(
        "langchain",
        "LangChain, `session()`",
        "drive_langchain.py",
        ("langchain-mcp-adapters",),
        "session",
    ),
    ClientProgram(
        "langchain-tools",
        "LangChain, `get_tools()`",
        "drive_langchain.py",
        ("langchain-mcp-adapters",),
        "tools",
        connects_anew=True,
    ),
    ClientProgram("ai-sdk", "Vercel AI SDK", "drive_ai_sdk.mjs", ("@ai-sdk/mcp", "ai")),
    ClientProgram(
        "google-genai", "Google Gen AI SDK", "drive_google_genai.py", ("google-genai", "mcp")
    ),
    ClientProgram(
        "inspector",
        "MCP Inspector `--cli`",
        "drive_inspector.py",
        ("@modelcontextprotocol/inspector",),
        connects_anew=True,
    ),
    ClientProgram(
        "claude-code", "Claude Code", "drive_claude_code.py", ("@anthropic-ai/claude-code",)
    ),
    ClientProgram("codex", "Codex", "drive_codex.py", ("@openai/codex",)),
    ClientProgram("gemini", "Gemini CLI", "drive_gemini.py", ("@google/gemini-cli",)),
)
# Ten of different kinds, each of which keeps a connection. Claude Code and Gemini CLI hand their
# whole environment down, the others little of it.
TOGETHER = (
    "python-2", "claude-code", "gemini", "codex", "typescript-2",
    "fastmcp", "openai-agents", "pydantic-ai", "langchain", "ai-sdk",
)  # fmt: skip


def chosen(names: list[str]) -> list[ClientProgram]:
    """Return the named clients, or all of them."""
    known = {client.name: client for client in CLIENTS}
    if unknown := [name for name in names if name not in known]:
        raise SystemExit(f"No client {', '.join(unknown)}; there are {', '.join(known)}.")
    return [known[name] for name in names] or list(CLIENTS)
