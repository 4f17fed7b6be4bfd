"""Witness: a bare CDP connection that sees what really happened in a tab."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.probe import Probe, ProbeTab

WATCH = Path(__file__).with_name("watch.js").read_text()
BINDING = "truthReport"


@dataclass(frozen=True)
class Received:
    """A trusted event: its kind, whether the target was on its path, and who got it."""

    kind: str
    hit: bool
    who: str
    time: float


@dataclass
class Witness:
    """What a tab received since it was last asked, also from documents that are gone."""

    tab: ProbeTab
    received: list[Received] = field(default_factory=list)

    @classmethod
    async def of(cls, probe: Probe, url: str) -> Witness:
        """Watch the tab that shows this address, from its next document on."""
        tab = await probe.tab(url)
        witness = cls(tab)
        probe.heard = witness._hear
        for domain in ("Page", "Runtime"):
            await probe.call(f"{domain}.enable", tab.session)
        await probe.call("Runtime.addBinding", tab.session, name=BINDING)
        await probe.call("Page.addScriptToEvaluateOnNewDocument", tab.session, source=WATCH)
        return witness

    async def ask(self, expression: str) -> Any:
        """The value of an expression in the main frame."""
        return await self.tab.evaluate(expression)

    async def backend_ids(self, expression: str) -> list[int]:
        """Which nodes the elements of an array are, by their number in the browser."""
        probe, session = self.tab.probe, self.tab.session
        found = await probe.call("Runtime.evaluate", session, expression=expression)
        asked = {"objectId": found["result"]["objectId"], "ownProperties": True}
        items = (await probe.call("Runtime.getProperties", session, **asked))["result"]
        objects = [each["value"]["objectId"] for each in items if each["name"].isdigit()]
        described = [probe.call("DOM.describeNode", session, objectId=each) for each in objects]
        return [each["node"]["backendNodeId"] for each in await asyncio.gather(*described)]

    async def accessibility(self) -> list[dict[str, Any]]:
        """Chrome's accessibility nodes of all frames of the tab's process."""
        call, session = self.tab.probe.call, self.tab.session
        tree = (await call("Page.getFrameTree", session))["frameTree"]
        nodes: list[dict[str, Any]] = []
        for frame in _frames(tree):
            answer = await call("Accessibility.getFullAXTree", session, frameId=frame)
            nodes += answer["nodes"]
        return nodes

    async def on_node(self, backend_id: int, function: str) -> Any:
        """What a function says with a node as `this`."""
        call, session = self.tab.probe.call, self.tab.session
        node = await call("DOM.resolveNode", session, backendNodeId=backend_id)
        asked = {"objectId": node["object"]["objectId"], "returnByValue": True}
        answer = await call(
            "Runtime.callFunctionOn", session, functionDeclaration=function, **asked
        )
        return answer["result"].get("value")

    async def close_others(self) -> None:
        """Close the tabs that a page opened."""
        for target in (await self.tab.probe.call("Target.getTargets"))["targetInfos"]:
            if target["type"] == "page" and target.get("openerId"):
                await self.tab.probe.call("Target.closeTarget", targetId=target["targetId"])

    def _hear(self, message: dict[str, Any]) -> None:
        about = message.get("params", {})
        if message.get("method") == "Runtime.bindingCalled" and about["name"] == BINDING:
            self.received.append(Received(**json.loads(about["payload"])))


def _frames(tree: dict[str, Any]) -> list[str]:
    below = [ident for child in tree.get("childFrames", ()) for ident in _frames(child)]
    return [tree["frame"]["id"], *below]
