from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from hypothesis import HealthCheck, settings

from tabmux.concurrency import TaskOwner
from tabmux.daemon.app import App
from tabmux.settings import Settings
from tabmux.tools.pipeline import catalog
from tests.agent import Agent
from tests.serving import running
from tests.site import Site

pytest_plugins = ["tests.runner"]

# How long an example takes says something about the machine, not about the code.
settings.register_profile("tabmux", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tabmux")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def tasks(anyio_backend: str) -> AsyncIterator[TaskOwner]:
    """What runs beside a test, and ends with it."""
    async with TaskOwner() as owner:
        yield owner


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    with Site() as site:
        yield site


@pytest.fixture(scope="session")
async def app(anyio_backend: str) -> AsyncIterator[App]:
    """One headless browser for the whole run; every test has a session of its own in it."""
    async with running(Settings(launch=True, headless=True, isolated=True)) as app:
        yield app


@pytest.fixture
async def agent(app: App, site: Site) -> AsyncIterator[Agent]:
    """An agent with a session of its own."""
    async with Agent.joined(app, site) as agent:
        yield agent


@pytest.fixture(scope="session")
async def whole_app(anyio_backend: str) -> AsyncIterator[App]:
    """A headless browser, started for tests that need every group of tools."""
    tools = ",".join(f"+{group}" for group in catalog.GROUPS)
    settings = Settings(launch=True, headless=True, isolated=True, tools=tools, no_fence=True)
    async with running(settings) as app:
        yield app


@pytest.fixture
async def whole(whole_app: App, site: Site) -> AsyncIterator[Agent]:
    """An agent that has every tool."""
    async with Agent.joined(whole_app, site) as agent:
        yield agent
