"""Secret use: which secrets a call names, whether the user agrees, and what they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from weakref import WeakKeyDictionary

from tabmux.errors import Refused
from tabmux.page.handle import PageHandle
from tabmux.secrets.secret import PREFIX, Secret, Secrets
from tabmux.secrets.usable_secrets import NeedsHuman, UsableSecrets
from tabmux.sessions.human_requests import HumanRequests
from tabmux.sessions.session import Session
from tabmux.tools.pipeline import consent
from tabmux.tools.pipeline.call import Call, ToolRun

# Tools that take down what a page holds or shows.
_RECORDING = frozenset(
    {"take_heapsnapshot", "performance_start_trace", "screencast_start", "lighthouse_audit"}
)
# A reference that stands in arguments which came as JSON text.
_IN_JSON = re.compile(r'"\s*\$secret:([\w-]+)')
_agreed: WeakKeyDictionary[Session, set[str]] = WeakKeyDictionary()


async def permitted(call: Call, secrets: Secrets, people: HumanRequests) -> UsableSecrets:
    """Return the secrets that a call may use; the user is asked before anything is done."""
    named = [secrets.known[each] for each in _names_in(call) if each in secrets.known]
    _refuse_unlisted(call, named)
    agreed = _agreed.setdefault(call.session, set())
    open_ones = [
        each
        for each in named
        if each.approve == "ask" or (each.approve == "session" and each.name not in agreed)
    ]
    if open_ones:
        await _ask(call, open_ones, people)
        agreed |= {each.name for each in open_ones if each.approve == "session"}
    session = call.session
    names = frozenset(each.name for each in named)
    return UsableSecrets(secrets, names, session.lives)


def _refuse_unlisted(call: Call, secrets: list[Secret]) -> None:
    """Refuse what the policy file does not name for this session."""
    policy = call.session.policy
    for secret in secrets:
        if not policy.lets_use(secret.name):
            rule = policy.sources.get("secrets")
            raise Refused(
                f"The secret {secret.name!r} may not be used here: {rule} does not name it.",
                hint="Tell the user if it is needed.",
                rule=rule,
            )


async def _ask(call: Call, secrets: list[Secret], people: HumanRequests) -> None:
    each = [f"“{secret.name}” on {', '.join(sorted(secret.origins))}" for secret in secrets]
    question = f"Let the agent log in with your secret {' and '.join(each)}? It sees no value."
    allowed = await consent.asked(call, question, people, about="secrets")
    if allowed is None:
        names = ", ".join(secret.name for secret in secrets)
        raise NeedsHuman(
            f"The user must agree to the use of the secret {names}, and this client cannot ask.",
            hint='Tell the user; approve = "always" in its [[secret]] table lets you use it.',
        )
    if not allowed:
        raise Refused("The user was asked and did not allow it.", code="refused_by_user")


def _names_in(call: Call) -> list[str]:
    """Return the names of all secrets that a call names, each once."""
    whole = call.toolset.named_secrets(call.name, call.given)
    names = (each.removeprefix(PREFIX).partition(".")[0] for each in whole)
    return list(dict.fromkeys([*names, *references(call.given)]))


def references(given: Any) -> Iterator[str]:
    """Return the names of secrets that arguments refer to, also inside of steps and JSON text."""
    if isinstance(given, Mapping):
        for value in given.values():
            yield from references(value)
    elif isinstance(given, list | tuple):
        for value in given:
            yield from references(value)
    elif isinstance(given, str):
        if given.startswith(PREFIX):
            yield given.removeprefix(PREFIX).strip().partition(".")[0]
        elif given.lstrip().startswith(("{", "[")):
            yield from (found[1] for found in _IN_JSON.finditer(given))


def refuse_references(tool: str, given: Any) -> None:
    """Refuse to give secrets to what an extension does."""
    if any(references(given)):
        raise Refused(
            f"{tool} is given no secrets: the extension would have to be told them.",
            hint="Use fill with a uid, or log_in, on a page that tabmux drives.",
        )


def resolved(value: Any, usable: UsableSecrets) -> Any:
    """Put what references stand for into their place, wherever in the arguments they are.

    What is put there is text that names the secret still; its value is fetched where it is typed.
    """
    if isinstance(value, str):
        return usable.meant(value)
    if isinstance(value, Mapping):
        return {key: resolved(each, usable) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [resolved(each, usable) for each in value]
    if hasattr(value, "model_copy"):  # a model of pydantic's, which servers import late
        changed = {
            name: usable.meant(each)
            for name, each in value
            if isinstance(each, str) and each.startswith(PREFIX)
        }
        return value.model_copy(update=changed) if changed else value
    return value


def note_use(session: Session, handle: PageHandle | None, usable: UsableSecrets) -> None:
    """Note that a page is about to be given a secret, before it has it."""
    if usable.allowed and handle is not None and not handle.had_secret:
        handle.had_secret = True
        session.record()


async def refuse_watching(run: ToolRun) -> None:
    """Keep scripts and recordings of the agent's away from a page in which a secret stands."""
    tool, page = run.tool, run.page
    fields = tool.model.model_fields.items()
    scripted = any(run.arguments[name] for name, f in fields if f.alias in tool.script_arguments)
    if page is not None and (tool.scripts or scripted or tool.name in _RECORDING):
        await page.secrets.refuse_if_standing(f"{tool.name} is refused")
