from __future__ import annotations

from pathlib import Path

import pytest

from tabmux.browsers.downloads import MAX_KEPT, Downloads
from tabmux.cdp.cdp_connection import CdpConnection
from tests.cdp.peer import FakeBrowser


class Scene:
    """Downloads of a made-up browser whose only tab, 7, has the frame F."""

    def __init__(self) -> None:
        self.peer = FakeBrowser()
        self.downloads = Downloads(lambda frame: (7,) if frame == "F" else ())
        self.downloads.listen(CdpConnection(self.peer).browser)

    def begin(self, guid: str, name: str = "a.txt", frame: str = "F") -> None:
        self.peer.event(
            "Browser.downloadWillBegin",
            {"guid": guid, "url": "https://x/", "suggestedFilename": name, "frameId": frame},
        )

    def end(self, guid: str, state: str = "completed", path: str = "") -> None:
        numbers = {"receivedBytes": 3, "totalBytes": 3}
        self.peer.event(
            "Browser.downloadProgress", {"guid": guid, **numbers, "state": state, "filePath": path}
        )


@pytest.fixture
async def scene() -> Scene:
    return Scene()


async def test_browser_that_a_person_uses_keeps_its_folder(scene: Scene) -> None:
    (command,) = scene.peer.sent
    assert command["params"] == {"behavior": "default", "eventsEnabled": True}
    scene.begin("g")
    scene.end("g", path="/home/ada/Downloads/a (1).txt")
    (download,) = scene.downloads.of([7])
    assert download.path == Path("/home/ada/Downloads/a (1).txt")


async def test_browser_of_our_own_saves_into_a_private_folder_that_goes_with_it() -> None:
    downloads, peer = Downloads(lambda _: (7,)), FakeBrowser()
    async with downloads.received(in_own_folder=True):
        downloads.listen(CdpConnection(peer).browser)
        downloads.include("C")
        first, second = (command["params"] for command in peer.sent)
        assert (first["behavior"], second["browserContextId"]) == ("allowAndName", "C")
        folder = Path(first["downloadPath"])
        assert folder.stat().st_mode & 0o777 == 0o700
    assert not folder.exists()


async def test_download_of_an_unknown_tab_is_nobodys_until_it_is_claimed(scene: Scene) -> None:
    scene.begin("g", frame="later")
    assert scene.downloads.of([7, 8]) == []
    scene.downloads.claim("later", (8, 7))
    assert [each.guid for each in scene.downloads.of([7])] == ["g"]


async def test_each_download_is_told_of_once(scene: Scene) -> None:
    scene.begin("g")
    assert [each.guid for each in scene.downloads.news(7)] == ["g"]
    assert scene.downloads.news(7) == []


async def test_a_storm_of_downloads_is_bounded(scene: Scene) -> None:
    for number in range(MAX_KEPT + 50):
        scene.begin(f"g{number}")
    found = scene.downloads.of([7])
    assert len(found) == MAX_KEPT
    assert found[-1].id == MAX_KEPT + 50


@pytest.mark.parametrize(
    ("suggested", "name"),
    [
        ("report.csv", "report.csv"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("..", "download"),
        ("a\x00b\nc", "a_b_c"),
        ("C:\\x\\y.exe", "C__x_y.exe"),
        (".bashrc", "bashrc"),
        ('fdp\u202e".exe', "fdp_.exe"),
        ("x" * 300 + ".pdf", "x" * 116 + ".pdf"),
    ],
)
async def test_names_are_plain(scene: Scene, suggested: str, name: str) -> None:
    scene.begin("g", suggested)
    assert scene.downloads.of([7])[0].name == name
