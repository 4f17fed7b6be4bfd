"""How scripts come into pages: each as it was written, in a scope of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tabmux
from tabmux.page.library import joined, library, source
from tabmux.pagetools.collect.collector_scripts import PACKAGE, scripts_source

# What looks like a comment line by line and is none, and what is one and does not look like it.
ODD = """\
/**
 *
 * A bare star above, and a slash at the end. /
 */
const text = `first
// second
 * third ${`inner
/** fourth */`}
*/ fifth`;
const product = 6
  * 7;
const pattern = /\\/\\*[/*]"`/g; // a quote in a pattern: "
tabmux.Odd = class {
  *each() { yield text; }
  * spaced() { yield /* here */ product; }
};
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / "oddscripts" / "js"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    (folder / "odd.js").write_text(ODD, encoding="utf-8")
    (folder / "plain.js").write_text("tabmux.plain = 1; // no line end", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return "oddscripts"


def test_nothing_is_taken_out_of_a_script(package: str) -> None:
    assert source("odd", package) == ODD
    assert ODD in joined(["odd"], package)


def test_scripts_follow_each_other_in_scopes_of_their_own(package: str) -> None:
    assert joined(["plain", "odd"], package) == (
        "((tabmux) => {\ntabmux.plain = 1; // no line end\n})(tabmux);\n"
        f"((tabmux) => {{\n{ODD}\n}})(tabmux);"
    )


def test_the_library_and_the_page_tools_are_made_of_whole_files() -> None:
    assert source("walker") in library()
    assert source("collect", PACKAGE) in scripts_source()


def test_every_script_is_asked_for_by_its_name() -> None:
    package = Path(tabmux.__file__).parent
    code = "\n".join(each.read_text(encoding="utf-8") for each in package.rglob("*.py"))
    names = {each.stem for each in package.glob("*/js/*.js")}
    assert {name for name in names if not re.search(rf"""["']{name}["']""", code)} == set()
