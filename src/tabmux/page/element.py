"""Element: a node that a session was shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabmux.errors import ElementTrouble, StaleUid
from tabmux.page.frame_tree import Frame, FrameGone

if TYPE_CHECKING:
    from tabmux.page.handle import PageHandle


@dataclass(frozen=True)
class Element:
    """A node of a snapshot: which frame's document it is in, and its label there."""

    page: PageHandle
    frame: Frame
    epoch: int
    label: int
    uid: str

    async def call(self, name: str, *args: Any, timeout: float = 30.0) -> dict[str, Any]:
        """Call a library function on the element; trouble in its answer becomes an error."""
        try:
            answer = await self.frame.call(name, self.epoch, self.label, *args, timeout=timeout)
        except FrameGone as error:
            raise self.gone() from error
        return self.checked(answer)

    async def object_id(self, *, page_world: bool = False) -> str:
        """Return Chrome's handle of the node, in our world or in the page's own."""
        handle = await self.frame.element("lookUp", self.epoch, self.label)
        if handle is None:
            raise self.gone()
        if not page_world:
            return handle
        node = await self.frame.channel.call("DOM.describeNode", {"objectId": handle})
        return await self.frame.resolve(node["node"]["backendNodeId"], page_world=True)

    def checked(self, answer: Any) -> dict[str, Any]:
        """Return the answer, or raise what it complains about."""
        if not isinstance(answer, dict):
            return {}
        trouble = answer.get("trouble")
        if trouble == "gone":
            raise self.gone()
        if trouble:
            raise ElementTrouble(
                f"{answer.get('name') or 'The element'} (uid {self.uid}) {answer['reason']}",
                hint=answer.get("hint", ""),
                code=f"element_{trouble}",
            )
        return answer

    def gone(self) -> StaleUid:
        """Make the error for an element that is no longer in the page."""
        return StaleUid(
            f"The element with uid {self.uid} is no longer on the page.",
            hint="Call take_snapshot to see what is there now.",
        )
