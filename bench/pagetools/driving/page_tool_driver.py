"""Page tool driver: does tasks with the published tools of pages, chosen by rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bench.client import Client
from bench.pagetools.driving.driver import Driver, Field, NoTool, Value, cell
from bench.pagetools.driving.published import Listing, PublishedTool, has_words, read_listing
from bench.pagetools.driving.tool_choice import (
    Arguments,
    Call,
    confirming,
    examples_of,
    generic,
    options_of,
    pressing,
    submitting,
)
from bench.trouble import BenchError

# What tabmux says when a text fits several elements.
AMBIGUOUS = "say which by number"
# The tool that is there while a dialog is open.
ACCEPTS = "accept_dialog"
# How the description of a parameter begins whose text is too long to be its default.
SHORTENED = "Holds: "


class PageToolDriver(Driver):
    """Chooses among what `list_page_tools` publishes; a task never names a tool.

    Attributes:
        generic: How many calls were of tools that every page could have.
        used: What was called, in order.
    """

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self.generic = 0
        self.lists = 0
        self.used: list[str] = []

    async def press(self, text: str, within: str = "") -> None:
        """See `Driver`."""
        listing = await self.listing()
        for one in text.split("|"):
            if (found := pressing(listing, one, within)) is not None:
                await self._use(*found)
                return
        calls = [] if within else [generic(listing, one) for one in text.split("|")]
        if not calls or None in calls:
            raise NoTool(f"no published tool presses {text!r}{within and f' in {within!r}'}")
        await self._press_anything([call for call in calls if call is not None])

    async def _press_anything(self, calls: Sequence[Call]) -> None:
        """Press by text alone; fails with the last, if none is there."""
        for call in calls[:-1]:
            try:
                await self._use(*call)
            except BenchError:
                continue
            return
        await self._use(*calls[-1])

    async def submit(self, values: Mapping[Field, Value], button: str = "") -> None:
        """See `Driver`."""
        listing = await self.listing()
        found = submitting(listing, values, button)
        if found is None:
            raise NoTool(f"no published tool takes {list(values)} for {button!r}")
        await self._use(*found)

    async def offers(self, values: Mapping[Field, Value], button: str, opener: str) -> bool:
        """Whether a tool takes the values already that is called by what would open its form."""
        found = submitting(await self.listing(), values, button)
        return found is not None and has_words(opener, (found[0].name, found[0].label))

    async def read(self) -> str:
        """See `Driver`."""
        return await self._call("call_page_tool", {"name": "get_page_content", "arguments": {}})

    async def texts(self) -> list[str]:
        """See `Driver`."""
        properties = [
            each for tool in (await self.listing()).tools for each in tool.parameters.values()
        ]
        told = [str(each.get("description", "")) for each in properties]
        shortened = [each for each in told if each.startswith(SHORTENED)]
        # What is told of a long text is its beginning; an agent reads the page for the rest.
        lines = (await self.read()).splitlines() if shortened else []
        return [
            whole_text(lines, about) or str(each.get("default", ""))
            for each, about in zip(properties, told, strict=True)
            if isinstance(each.get("default"), str) or about in shortened
        ]

    async def choices(self) -> list[str]:
        """See `Driver`."""
        listing = await self.listing()
        options = [option for tool in listing.tools for option in options_of(tool)]
        plain = [tool.label for tool in listing.tools if not tool.parameters]
        examples = [text for tool in listing.tools for text in examples_of(tool)]
        return [*options, *listing.entries.values(), *plain, *examples]

    async def listing(self) -> Listing:
        """Look at the tools of the page; in a client these come without a call."""
        self.lists += 1
        return read_listing(await self._ask("list_page_tools", {}))

    async def _use(self, tool: PublishedTool, arguments: Arguments) -> None:
        self.generic += tool.is_generic
        self.used.append(tool.name)
        try:
            self.said = await self._page_tool(tool, arguments)
        except BenchError as error:
            if "number" not in tool.parameters or AMBIGUOUS not in str(error):
                raise
            # The reply lists several; an agent takes the first of them.
            self.said = await self._page_tool(tool, {**arguments, "number": 1})
        if ACCEPTS in self.said:
            # The page asks whether it is meant; whoever has the task means it.
            self.used.append(ACCEPTS)
            self.said = await self._call("call_page_tool", {"name": ACCEPTS, "arguments": {}})
        elif tool.destructive and (again := confirming(self.said, tool)) is not None:
            # So does a dialog of the page itself, which offers the same once more and a way out.
            self.used.append(again)
            self.said = await self._call("call_page_tool", {"name": again, "arguments": {}})

    async def _page_tool(self, tool: PublishedTool, arguments: Arguments) -> str:
        return await self._call("call_page_tool", {"name": tool.name, "arguments": arguments})


def whole_text(lines: Sequence[str], told: str) -> str:
    """Return the text on a page that begins as a parameter says that its field does."""
    start = cell(told.removeprefix(SHORTENED).rstrip("…")) if told.startswith(SHORTENED) else ""
    held = (line.partition(": ")[2] for line in lines)
    return next((text for text in held if start and cell(text).startswith(start)), "")
