"""Every command of the bench still runs: quickly, and without the peers."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import bench
import bench.pagetools
from bench import commands, packages
from bench.__main__ import COMMANDS
from bench.pagetools import webmcp_polyfill
from bench.pagetools.__main__ import COMMANDS as PAGETOOLS
from bench.pagetools.applications.application import applications
from bench.pagetools.applications.command import QUICK as QUICK_APPLICATION
from bench.servers import CHROME_DEVTOOLS
from bench.trace import RECORDED
from tests.site import Site

ROOT = Path(__file__).parents[2]
ALL = {f"bench {name}".strip(): place for name, place in COMMANDS.items()}
ALL |= {f"bench.pagetools {name}": place for name, place in PAGETOOLS.items()}
QUICK = {
    "bench": ("--quick", "--servers", "tabmux", "--rows", "click dom,evaluate"),
    "bench agents": ("--quick", "--clients", "2", "--parts", "latency,sessions,versions"),
    "bench extension": ("--quick",),
    "bench floor": ("--quick",),
    "bench flood": ("--quick",),
    "bench http": ("--quick",),
    "bench install": ("--quick",),
    "bench library": ("--quick",),
    "bench live-view": ("--quick",),
    "bench neighbours": ("--quick", "--only", "brackets"),
    "bench tabbench": ("--quick", "--own", "--servers", "tabmux", "--agents", "2"),
    "bench trace": ("--quick",),
    "bench truth": ("--quick",),
    "bench.pagetools cost": ("--quick",),
    "bench.pagetools probe": ("--quick",),
    "bench.pagetools stability": ("--quick",),
}
# Whose material has to be downloaded, or served by the test itself; each has a test below.
WITH_MATERIAL = (
    "formasaurus",
    "gold",
    "todomvc",
    "execution",
    "task",
    "webmcp",
    "miniwob",
    "autopager",
    "applications",
)
# The exit code says whether limits were kept, which a busy machine may not.
EXCEEDED = (1, 2)


def run(command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    words = command.split()
    return subprocess.run(
        [sys.executable, "-m", words[0], *words[1:], *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT)))},
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )


def test_every_module_can_be_imported() -> None:
    for module in pkgutil.walk_packages(bench.__path__, "bench."):
        importlib.import_module(module.name)


def test_every_command_is_run_quickly_by_some_test() -> None:
    assert {*QUICK, *(f"bench.pagetools {name}" for name in WITH_MATERIAL)} == {*ALL}


@pytest.mark.parametrize("command", ALL)
def test_every_command_has_a_quick_option(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        commands.run_command(ALL[command], ["--help"])
    assert ended.value.code == 0
    assert "--quick" in capsys.readouterr().out


@pytest.mark.timeout(120)
@pytest.mark.parametrize("command", QUICK)
def test_command_runs(command: str) -> None:
    done = run(command, *QUICK[command])
    assert "Traceback" not in done.stderr, done.stderr
    assert not done.stderr.startswith("bench: "), done.stderr
    assert done.returncode == 0 or done.returncode in EXCEEDED
    assert done.stdout


@pytest.mark.timeout(120)
def test_what_chromium_takes_beside_a_heavy_tab_is_measured_without_a_server() -> None:
    done = run("bench neighbours", "--bare", "--quick", "--only", "nodes|6 MB")
    assert done.returncode == 0, done.stderr
    names = ["quiet", "200,000 nodes", "results of 6 MB"]
    assert all(
        line.startswith(name) for line, name in zip(done.stdout.splitlines(), names, strict=True)
    )


@pytest.mark.timeout(120)
def test_labelled_forms_are_scored() -> None:
    folder = packages.cache() / "pagetools"
    if not any(folder.glob("formasaurus-*.whl")):
        pytest.skip(f"the package with the forms is not in {folder}")
    done = run("bench.pagetools formasaurus", "--quick")
    assert done.returncode == 0, done.stderr
    assert "published tools\n" in done.stdout
    assert done.stdout.count("macro-F1") == 3


@pytest.mark.timeout(120)
def test_small_tasks_are_done_in_both_ways() -> None:
    folder = packages.cache() / "pagetools"
    if not any(folder.glob("miniwob-*")):
        pytest.skip(f"the package with the tasks is not in {folder}")
    done = run("bench.pagetools miniwob", "--quick")
    assert "page tools: 3 of 3 pages always" in done.stdout, done.stdout + done.stderr
    assert "ordinary: 3 of 3 pages always" in done.stdout, done.stdout + done.stderr


@pytest.mark.timeout(120)
def test_labelled_pagers_are_scored(tmp_path: Path) -> None:
    (tmp_path / "html").mkdir()
    page = "<div class=pager><a href=?page=1>1</a> <b>2</b> <a href=?page=3>3</a> <a href=?page=3 id=on>Next</a></div>"
    (tmp_path / "html" / "made-up.html").write_text(page)
    columns = "File Name,Page URL,Encoding,PREV,PAGE,NEXT,LAST,FIRST,failed,comment"
    row = 'made-up,http://x.example/?page=2,utf-8,,"a:nth-of-type(1), a:nth-of-type(2)",#on,,,,'
    (tmp_path / "data.csv").write_text(f"{columns}\n{row}\n")
    done = run("bench.pagetools autopager", str(tmp_path), "--quick")
    for name in ("next_page", "go_to_page"):
        said = f"{name}: precision 1.000, recall 1.000, F1 1.000 (1 right)"
        assert said in done.stdout, done.stdout + done.stderr


@pytest.mark.timeout(120)
def test_pages_of_an_application_are_scored() -> None:
    if not any(each.is_installed and each.name == QUICK_APPLICATION for each in applications()):
        pytest.skip(f"{QUICK_APPLICATION} is not installed in {packages.cache()}")
    done = run("bench.pagetools applications", "--quick")
    assert "gold: precision " in done.stdout, done.stdout + done.stderr


FORM = "<form><label>Title <input name=title></label><button>Add book</button></form>"


@pytest.mark.timeout(120)
def test_ideal_tools_are_scored(site: Site, tmp_path: Path) -> None:
    ideal = {
        "name": "add_book",
        "anchor": "form",
        "priority": "must",
        "params": [{"key": "title", "field": "title", "type": "string", "required": False}],
    }
    gold = {"pages": [{"id": "made-up", "source": {"url": site.page(FORM)}, "tools": [ideal]}]}
    (tmp_path / "gold.json").write_text(json.dumps(gold))
    done = run("bench.pagetools gold", str(tmp_path / "gold.json"), "--quick")
    assert "all: must 1/1" in done.stdout, done.stdout + done.stderr


UNREACHABLE: Sequence[tuple[str, Sequence[str]]] = (
    ("gold", ("gold.json", "--base", "app=http://127.0.0.1:1")),
    ("execution", ("gold.json", "--base", "app=http://127.0.0.1:1")),
    ("task", ("--shop", "http://127.0.0.1:1")),
    ("todomvc", ("--folder", "todomvc", "--base", "http://127.0.0.1:1")),
)


@pytest.mark.parametrize(("name", "arguments"), UNREACHABLE)
def test_application_that_does_not_run_is_named(
    name: str, arguments: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    page = {"id": "app.page", "source": {"url": "x.html"}, "tools": [{"name": "a"}]}
    Path("gold.json").write_text(json.dumps({"pages": [page]}))
    version = Path("todomvc/examples/one")
    version.mkdir(parents=True)
    (version / "index.html").touch()
    assert commands.run_command(PAGETOOLS[name], [*arguments, "--quick"]) == commands.FAILED
    said = capsys.readouterr().err
    assert said.startswith("bench: Nobody answers at http://127.0.0.1:1")
    assert "--base" in said or "--shop" in said


@pytest.mark.timeout(120)
def test_webmcp_is_scored_with_its_polyfill() -> None:
    name, pin = webmcp_polyfill.PACKAGE
    if packages.version(name, packages.cache()) != pin:
        pytest.skip(f"{name} {pin} is not in {packages.cache()}")
    done = run("bench.pagetools webmcp", "--quick", "--only", "add")
    assert "polyfill: 1 of 1 pages right" in done.stdout, done.stdout + done.stderr


def test_peer_computes_its_insights() -> None:
    name, pin = CHROME_DEVTOOLS.package or ("", "")
    if shutil.which("node") is None or packages.version(name, packages.cache()) != pin:
        pytest.skip(f"{name} {pin} is not in {packages.cache()}, or node is missing")
    script, folder = ROOT / "bench" / "peer_trace.mjs", packages.cache() / "node_modules" / name
    done = subprocess.run(
        ["node", str(script), str(folder), str(RECORDED)],
        capture_output=True, text=True, timeout=50, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["characters"] > 0


def test_missing_package_is_said_with_what_to_do(tmp_path: Path) -> None:
    """With the Python that happens to be there instead of the one of the repository."""
    (tmp_path / "psutil.py").write_text(
        "raise ModuleNotFoundError(\"No module named 'psutil'\", name='psutil')"
    )
    done = subprocess.run(
        [sys.executable, "-m", "bench", "--quick"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT / "src")))},
        capture_output=True, text=True, timeout=50, check=False,
    )  # fmt: skip
    assert done.returncode == commands.FAILED
    assert done.stderr == f"bench: psutil is not installed. {commands.HOW}\n"


def test_unknown_command_is_answered_with_the_known_ones() -> None:
    done = run("bench", "flod")
    assert done.returncode == 2
    assert "flood" in done.stderr
