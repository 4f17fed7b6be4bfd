"""Bundles: pages of component libraries, installed from npm and put together by esbuild."""

from __future__ import annotations

import os
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

from bench.trouble import BenchError
from bench.truth.libraries import Library

ESBUILD = "esbuild@0.28.2"
SECONDS = 300.0
SOURCES = Path(__file__).with_name("components")
_FLAGS = (
    "--bundle", "--format=iife", "--jsx=automatic", "--log-level=error",
    "--main-fields=browser,module,main",
    '--define:process.env.NODE_ENV="production"', "--define:global=globalThis",
    "--loader:.woff=file", "--loader:.woff2=file", "--loader:.ttf=file", "--loader:.eot=file",
    "--loader:.svg=dataurl", "--loader:.jpg=file", "--loader:.png=dataurl", "--loader:.gif=dataurl",
    "--loader:.js=jsx",
    "--asset-names=[name]-[hash]",
)  # fmt: skip
_PAGE = """<!doctype html><html lang=en><meta charset=utf-8><title>{name}</title>{style}
<body><div id=app></div><script src=bundle.js></script>"""


def build(library: Library, folder: Path) -> None:
    """Make sure that the page of a library is in the folder, with what it needs.

    Raises:
        BenchError: npm or esbuild could not do it.
    """
    source = next(SOURCES.glob(f"{library.name}.*"))
    place = folder / library.name
    _install(folder / "esbuild", (ESBUILD,))
    _install(place, library.packages)
    mark, text = place / "built", source.read_text() + repr(_FLAGS)
    digest = sha256(text.encode()).hexdigest()
    if mark.exists() and mark.read_text() == digest:
        return
    entry = place / f"entry{source.suffix}"
    shutil.copy(source, entry)
    if source.suffix == ".ts":
        (place / "tsconfig.json").write_text(
            '{"compilerOptions": {"experimentalDecorators": true}}'
        )
    esbuild = folder / "esbuild/node_modules/esbuild/bin/esbuild"
    _run((str(esbuild), str(entry), f"--outfile={place / 'bundle.js'}", *_FLAGS), place)
    style = "<link rel=stylesheet href=bundle.css>" if (place / "bundle.css").exists() else ""
    (place / "page.html").write_text(_PAGE.format(name=library.name, style=style))
    mark.write_text(digest)


def document(library: Library, folder: Path) -> str:
    """The page of a library as one document, but for its fonts and pictures.

    Raises:
        BenchError: npm or esbuild could not do it.
    """
    build(library, folder)
    place = folder / library.name
    html = (place / "page.html").read_text()
    for link, tag in (
        ("<link rel=stylesheet href=bundle.css>", "style"),
        ("<script src=bundle.js></script>", "script"),
    ):
        if link in html:
            kind = "css" if tag == "style" else "js"
            text = (place / f"bundle.{kind}").read_text().replace(f"</{tag}", f"<\\/{tag}")
            html = html.replace(link, f"<{tag}>{text}</{tag}>")
    return html


def _install(place: Path, packages: tuple[str, ...]) -> None:
    mark, wanted = place / "installed", "\n".join(packages)
    if mark.exists() and mark.read_text() == wanted:
        return
    place.mkdir(exist_ok=True)
    (place / "package.json").write_text('{"private": true}')
    flags = (
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
        "--legacy-peer-deps",
        "--ignore-scripts",
    )
    _run(("npm", "install", "--prefix", str(place), *flags, *packages), place)
    mark.write_text(wanted)


def _run(command: tuple[str, ...], place: Path) -> None:
    try:
        done = subprocess.run(
            command, cwd=place, capture_output=True, text=True, timeout=SECONDS, check=False,
            env={**os.environ, "CI": "1"},
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BenchError(f"{command[0]}: {error}") from error
    if done.returncode:
        raise BenchError(f"{Path(command[0]).name}: {done.stderr[:300]}")
