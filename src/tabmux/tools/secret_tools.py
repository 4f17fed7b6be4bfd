"""Secret tools: log_in, register_passkey and list_secrets."""

from __future__ import annotations

from tabmux.content import Reply
from tabmux.errors import Refused
from tabmux.page.page import Page
from tabmux.page.secrets.secret_login import ANSWER_SECONDS, Login
from tabmux.page.secrets.secret_passkey import kept_passkey, passkey_in
from tabmux.policy.policy import Policy
from tabmux.secrets.usable_secrets import UsableSecrets
from tabmux.sessions.session import Session
from tabmux.tools.core.outcome import Report, acting, outcome
from tabmux.tools.pipeline.argument_types import Target
from tabmux.tools.pipeline.tool import tool

LOGIN_SECONDS = 120.0


@tool(seconds=LOGIN_SECONDS)
async def log_in(
    page: Page,
    session: Session,
    secrets: UsableSecrets,
    secret: str,
    report: Report = "diff",
) -> Reply:
    """Log in on the current page with a secret of the user's; no value is shown.

    Args:
        secret: Name from list_secrets.
        report: What to show afterwards: what changed, the whole page or nothing.
    """
    known = secrets.named(secret)
    parts = {part: secrets.part(known, part) for part in known.sources}
    async with acting(session, page, report=report) as effects:
        done = await Login(page, parts).run()
    reply = await outcome(session, page, done.text, effects, report=report)
    reply.code = done.code
    return reply


@tool(seconds=LOGIN_SECONDS)
async def register_passkey(
    page: Page,
    session: Session,
    secrets: UsableSecrets,
    secret: str,
    uid: Target,
    report: Report = "diff",
) -> Reply:
    """Click what makes the page register a passkey, and keep it with a secret of the user's.

    Args:
        secret: Name from list_secrets.
        uid: What to click.
        report: What to show afterwards: what changed, the whole page or nothing.
    """
    text = secrets.part(secrets.named(secret), "passkey")
    if await kept_passkey(page, text) is not None:
        raise Refused(f"The secret {secret} has a passkey already.", hint="Call log_in.")
    async with (
        acting(session, page, uid.frame, report=report) as effects,
        passkey_in(page, text, None) as authenticator,
    ):
        await page.input.click(uid)
        signal = authenticator.signal
        await signal.until(lambda: authenticator.used is not None, ANSWER_SECONDS)
    registered = authenticator.used is not None
    done = "Registered and kept a passkey." if registered else "The page registered no passkey."
    reply = await outcome(session, page, done, effects, report=report)
    reply.code = None if registered else "login_failed"
    return reply


@tool(reads=True)
async def list_secrets(secrets: UsableSecrets, policy: Policy) -> Reply:
    """List the names of the user's secrets, and the origins that log_in can use them on.

    Fields take $secret:NAME.username, .password or .totp as their value.
    """
    usable = (each for each in secrets.secrets if policy.lets_use(each.name))
    lines = (f"{each.name}: {', '.join(sorted(each.origins))}" for each in usable)
    return Reply.lines(sorted(lines), empty="There are no secrets.")
