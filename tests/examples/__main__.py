"""Runs the examples with frameworks, each framework in an environment of its own in the cache.

Arguments: names of examples, such as langchain; all of them when there are none.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from tests.examples.shop import Shop
from tests.homes import home_in
from tests.site import Site

ROOT = Path(__file__).parents[2]
DRIVERS = Path(__file__).parent / "frameworks"
CACHE = Path(os.environ.get("TABMUX_EXAMPLES_CACHE", Path.home() / ".cache" / "tabmux-examples"))
PACKAGES = {
    "claude_agent_sdk": ("claude-agent-sdk",),
    "fastapi": ("fastapi", "uvicorn", "websockets"),
    "google_genai": ("google-genai", "mcp"),
    "langchain": ("langchain", "langchain-mcp-adapters"),
    "openai_agents": ("openai-agents",),
    "playwright": ("playwright",),
    "puppeteer": (),
    "pydantic_ai": ("pydantic-ai-slim[mcp]",),
}
NODE_PACKAGES = {"puppeteer": ("puppeteer-core",)}
SECONDS = 150


def is_installed(name: str) -> bool:
    """Whether a framework has been installed here, beside the tabmux of this checkout.

    Clients start `tabmux` with few variables, so that it cannot be told where to look.
    """
    mark = CACHE / name / "installed"
    return mark.exists() and mark.read_text(encoding="utf-8") == str(ROOT)


def python(name: str) -> Path:
    """Return the interpreter of a framework, which is installed first if need be."""
    folder = CACHE / name
    found = folder / "bin" / "python"
    if not is_installed(name):
        sys.stderr.write(f"Installing {name} …\n")
        venv.create(folder, with_pip=True)
        words = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        install = [str(found), *words, *PACKAGES[name], "--editable", str(ROOT)]
        subprocess.run(install, check=True)
        if packages := NODE_PACKAGES.get(name):
            npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", "."]
            subprocess.run([*npm, *packages], cwd=folder, check=True)
        (folder / "installed").write_text(str(ROOT), encoding="utf-8")
    return found


def environment(interpreter: Path, home: str) -> dict[str, str]:
    """Return what a driver is run with.

    The frameworks are installed once for all checkouts; tabmux is that of this one.
    """
    paths = [str(folder) for folder in (ROOT / "src", ROOT / "examples", DRIVERS)]
    variables = {**home_in(home), "PYTHONPATH": os.pathsep.join(paths)}
    variables["PATH"] = f"{interpreter.parent}{os.pathsep}{os.environ['PATH']}"
    return variables


def run(name: str, url: str) -> str:
    """Run the driver of an example in a home of its own; returns what went wrong."""
    interpreter = python(name)
    home = tempfile.mkdtemp(prefix="tm-", dir="/tmp")
    variables = environment(interpreter, home)
    try:
        result = subprocess.run(
            [str(interpreter), str(DRIVERS / f"drive_{name}.py"), url],
            env=variables,
            cwd=home,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        return "" if result.returncode == 0 else result.stdout + result.stderr
    except subprocess.TimeoutExpired as error:
        return f"It did not end within {SECONDS} s.\n{error.stderr!r}"
    finally:
        stop = [str(interpreter), "-m", "tabmux", "daemon", "stop"]
        subprocess.run(stop, env=variables, check=False, timeout=40, capture_output=True)
        shutil.rmtree(home, ignore_errors=True)


def main() -> int:
    """Run the chosen examples; returns how many failed."""
    failed = 0
    with Site() as site:
        shop = Shop(site)
        for name in sys.argv[1:] or PACKAGES:
            problem = run(name, f"{shop.url}/message")
            failed += bool(problem)
            sys.stdout.write(f"{name}: {'failed' if problem else 'ok'}\n{problem}")
            sys.stdout.flush()
    return failed


if __name__ == "__main__":
    sys.exit(main())
