from __future__ import annotations

import itertools

from tabmux.cluster.number_blocks import BLOCK, NumberBlocks
from tabmux.cluster.redis_link import RedisLink
from tests.cluster.redis_server import needs_redis

pytestmark = needs_redis


async def test_two_daemons_never_give_the_same_number(link: RedisLink) -> None:
    one, two = NumberBlocks(link, "pages", 1), NumberBlocks(link, "pages", 1)
    given = []
    for _ in range(3):
        await one.reserve()
        await two.reserve()
        given += [next(each) for each in (one, two) for _ in range(BLOCK - 1)]
    assert len(set(given)) == len(given)
    assert min(given) == 1


async def test_kinds_are_counted_apart(link: RedisLink) -> None:
    pages, sessions = NumberBlocks(link, "pages", 1), NumberBlocks(link, "sessions", 0)
    await pages.reserve()
    await sessions.reserve()
    assert (next(pages), next(sessions)) == (1, 0)


async def test_numbers_are_not_given_again_where_redis_has_lost_how_many_were(
    link: RedisLink,
) -> None:
    one, two = NumberBlocks(link, "pages", 1), NumberBlocks(link, "pages", 1)
    await one.reserve()
    await two.reserve()
    two.pass_over(2 * BLOCK + 7)
    given = [next(each) for each in (one, two) for _ in range(BLOCK)]
    await link.ask("FLUSHALL")
    # Nobody knows yet how much others had given.
    await one.reserve()
    assert next(one) > 1 << 40
    await two.write_again()
    for each in (one, two):
        await each.reserve()
        given += [next(each) for _ in range(BLOCK)]
    assert len(set(given)) == len(given)
    assert 2 * BLOCK + 7 not in given
    assert max(given) < 5 * BLOCK


async def test_numbers_are_given_when_none_could_be_reserved(link: RedisLink) -> None:
    one, two = NumberBlocks(link, "pages", 1), NumberBlocks(link, "pages", 1)
    given = list(itertools.chain((next(one) for _ in range(100)), (next(two) for _ in range(100))))
    assert len(set(given)) == 200
