"""Many lines: which of them a short snapshot could show at all, told without taking any apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

# No line takes less, with its end.
_SHORTEST = 4


def candidates(lines: Sequence[str], budget: int) -> tuple[list[str], Counter[str]]:
    """Return the lines for which there may be room, and how many others there are of each role.

    Of lines of one role the first ones are shown, so that those after as many as fill the room
    alone can be left out. Reading half a million lines takes ten seconds, this less than one.
    """
    most = budget // _SHORTEST
    if len(lines) <= most:
        return list(lines), Counter()
    found, taken, left = list[str](), Counter[tuple[str, bool]](), Counter[str]()
    texts = set[str]()
    for line in lines:
        bare = line.lstrip(" ")
        # Texts that were read before go first, and must not take the room of others.
        kind = role, again = _role(bare), bare in texts
        if taken[kind] >= most:
            left[role] += 1
            continue
        taken[kind] += 1
        found.append(line)
        if not again:
            texts.add(bare)
    return found, left


def _role(bare: str) -> str:
    """Return the role that a line starts with; text has none."""
    if bare.startswith('"'):
        return ""
    _, _, rest = bare.partition(" ") if bare.startswith("uid=") else ("", "", bare)
    return rest.partition(" ")[0]
