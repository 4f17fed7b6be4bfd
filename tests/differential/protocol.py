"""What arguments are taken, and how wrong ones are refused."""

from __future__ import annotations

from tests.differential.behaviour import Facts, behaviour
from tests.differential.side import BOTH, Side, started

FORM = "<title>t</title><button>Go</button><input type=file aria-label=File>"


@behaviour(2)
async def an_unknown_argument_is_named(side: Side) -> Facts:
    answer = await side.call("press_key", key="a", bogus=1)
    return {"failed": answer.failed, **answer.says("bogus")}


@behaviour(3)
async def a_missing_uid_is_named(side: Side) -> Facts:
    answer = await side.call("click")
    return {"failed": answer.failed, **answer.says("uid", "invalid arguments")}


@behaviour(3, failed="page-id-optional")
async def a_page_id_may_be_left_out(side: Side) -> Facts:
    answer = await side.raw("take_snapshot", {})
    return {"failed": answer.failed}


@behaviour(4)
async def a_wrong_type_is_named(side: Side) -> Facts:
    key = await side.call("press_key", key=5)
    page = await side.call("take_snapshot", pageId="one")
    return {
        "key failed": key.failed,
        "page failed": page.failed,
        **key.says("key"),
        **page.says("pageId"),
    }


@behaviour(5)
async def empty_lists_are_refused(side: Side) -> Facts:
    await side.open(FORM)
    texts = await side.call("wait_for", text=[])
    files = await side.act("upload_file", 'button "File"', filePaths=[])
    return {
        "texts": texts.failed,
        "files": files.failed,
        **texts.says("text"),
        **files.says("filePaths"),
    }


@behaviour(6)
async def a_wrong_choice_is_answered_with_the_right_ones(side: Side) -> Facts:
    answer = await side.call("navigate_page", type="sideways")
    return {"failed": answer.failed, **answer.says("back", "forward", "reload")}


@behaviour(7)
async def a_tool_that_is_left_out_is_not_listed_and_refused(side: Side) -> Facts:
    server = next(each for each in BOTH if each.name == side.name)
    flags = {"tabmux": ("--tools", "-performance"), "cdm": ("--no-category-performance",)}
    async with started(server, side.folder / "fewer", *flags[side.name]) as client:
        other = Side(server, client, side.site, side.folder)
        await client.initialize()
        names = {tool["name"] for tool in await client.tools()}
        answer = await other.raw("performance_start_trace", {"pageId": 1})
    return {
        "listed": "performance_start_trace" in names,
        "others": {"click", "list_pages"} <= names,
        "failed": answer.failed,
        **answer.says("performance_start_trace"),
    }


@behaviour(84)
async def unknown_ids_are_refused(side: Side) -> Facts:
    await side.open(FORM)
    request = await side.call("get_network_request", reqid=987654)
    message = await side.call("get_console_message", msgid=987654)
    return {"request": request.failed, "message": message.failed}


@behaviour(99)
async def files_outside_the_allowed_folders_are_refused(side: Side) -> Facts:
    await side.open(FORM)
    outside = "/etc/tabmux-differential"
    shot = await side.call("take_screenshot", filePath=f"{outside}.png")
    snapshot = await side.call("take_snapshot", filePath=f"{outside}.txt")
    script = await side.call("evaluate_script", sourcePath="/etc/passwd")
    upload = await side.act("upload_file", 'button "File"', filePaths=["/etc/passwd"])
    up = "../" * len(side.folder.parts)
    climbing = await side.call("take_snapshot", filePath=f"{side.folder}/{up}etc/x.txt")
    return {
        "screenshot": shot.failed,
        "snapshot": snapshot.failed,
        "script": script.failed,
        "upload": upload.failed,
        "climbing": climbing.failed,
    }
