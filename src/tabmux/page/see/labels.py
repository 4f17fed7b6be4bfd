"""Gives uids to elements that no snapshot has shown."""

from __future__ import annotations

from collections.abc import Sequence

from tabmux.errors import TabmuxError
from tabmux.page.frame_tree import Frame
from tabmux.page.library import source
from tabmux.page.see.snapshots import Labels


async def resolve_nodes(frame: Frame, nodes: Sequence[int]) -> dict[int, str]:
    """Find the nodes that Chrome's ids mean, as far as they are still there."""
    handles = dict[int, str]()
    for node in nodes:
        try:
            handles[node] = await frame.resolve(node)
        except TabmuxError:
            continue  # it has gone, or is in another frame
    return handles


async def label_elements(
    labels: Labels, frame: Frame, handles: Sequence[str] = ()
) -> list[str] | None:
    """Name elements of a frame; an element that has a uid keeps it.

    Args:
        labels: The session's labels of the page; the elements are added to them.
        frame: Whose document the elements are in.
        handles: Chrome's handles of them, in our world; those that a script left in
            `tabmux.found` when there are none.

    Returns:
        Their uids, "" where one is not in the document; None when the frame has loaded
        another document since the labels were given.
    """
    command = {
        "functionDeclaration": source("mark"),
        "executionContextId": frame.world,
        "arguments": [
            {"value": labels.epoch},
            {"value": not labels.known(frame)},
            *({"objectId": handle} for handle in handles),
        ],
        "returnByValue": True,
    }
    answer = (await frame.channel.call("Runtime.callFunctionOn", command))["result"].get("value")
    if answer is None:
        return None
    labels.add(frame, answer["last"])
    return [
        f"{labels.prefix}{labels.number(frame, label)}" if label else ""
        for label in answer["labels"]
    ]
