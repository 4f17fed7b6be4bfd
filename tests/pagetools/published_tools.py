"""The tools of a document, as the page is looked at by itself."""

from __future__ import annotations

from tabmux.page.page import Page
from tabmux.pagetools.collect.collector_scripts import collect
from tabmux.pagetools.collect.document_tree import DocumentTree
from tabmux.pagetools.derive.derivation import derive_tools
from tabmux.pagetools.model import PageTool
from tests.agent import Agent

Tools = dict[str, PageTool]


def page_of(agent: Agent) -> Page:
    """Return the agent's only page."""
    (page,) = agent.session.pages.values()
    return page.attached_page


async def reports(agent: Agent) -> list[DocumentTree]:
    """Collect every frame of the agent's page."""
    return [await collect(frame) for frame in page_of(agent).frames]


async def tools_now(agent: Agent) -> Tools:
    """Return the published tools of the agent's page by name, without those of every page."""
    found = [tool for tool in derive_tools(await reports(agent)) if tool.rank >= 0]
    own = [tool for tool in found if tool.source != "generic"]
    return {tool.name: tool for tool in own or found}


async def look(agent: Agent, html: str) -> Tools:
    """Load a document, and return its published tools by name."""
    await agent("navigate_page", url=agent.site.page(html))
    return await tools_now(agent)


def properties(tool: PageTool) -> dict[str, dict[str, object]]:
    """Return the parameters of a tool."""
    found: dict[str, dict[str, object]] = tool.schema["properties"]
    return found
