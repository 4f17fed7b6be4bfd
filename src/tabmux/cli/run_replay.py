"""Run replay: does a recorded run again in a new session of the daemon."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping

import click

from tabmux.cli.control_lines import send_line
from tabmux.cli.daemon_client import DaemonClient, connect_or_start
from tabmux.record.replay import Divergence, Replay
from tabmux.record.replay_plan import ReplayPlan


def replay_run(
    plan: ReplayPlan, given: Mapping[str, str], replaced: Mapping[str, str], session: str
) -> int:
    """Replay, and say how it went; returns the exit code.

    Args:
        plan: What to do.
        given: Values for parameters.
        replaced: Texts that stand for others.
        session: What to call the new session; one without a name ends with the replay.
    """
    values = plan.values(given)
    name = session or f"replay-{secrets.token_hex(3)}"
    with connect_or_start(for_client=True) as connection:
        client = DaemonClient(connection)
        client.hello(name, create=True)
        try:
            divergence = _steps(Replay(plan, client, values, replaced))
        finally:
            if not session:
                send_line(f"session_close session={name}", required=False)
    if divergence is not None:
        click.echo(str(divergence))
        return 1
    other = f", but for {', '.join(given)}" if given else ""
    click.echo(f"{len(plan.steps)} steps, as they were recorded{other}.")
    return 0


def _steps(replay: Replay) -> Divergence | None:
    for step, divergence in replay.run():
        if divergence is not None:
            return divergence
        # What the run hides, whoever reads along should not see now.
        told = [name for name, text in replay.plan.parameters.items() if text is not None]
        values = {name: replay.values[name] for name in told}
        arguments = json.dumps(step.given(values), ensure_ascii=False)
        click.echo(f"{step.number} {step.tool} {arguments} ok")
    return None
