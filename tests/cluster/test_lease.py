from __future__ import annotations

import time

from tabmux.cluster.lease import DaemonLease, LeaseTimings, Outage, machine_clock

TIMINGS = LeaseTimings(length=3.0, margin=0.25)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_nobody_may_act_before_the_first_renewal() -> None:
    assert not DaemonLease(TIMINGS, Clock()).is_valid


def test_lease_counts_from_before_it_was_asked_for() -> None:
    clock = Clock()
    lease = DaemonLease(TIMINGS, clock)
    asked = lease.now()
    clock.now += 2.0  # Redis took that long to answer, and counts from somewhere in between
    lease.renewed(asked)
    assert lease.remaining == 0.75
    clock.now += 0.75
    assert not lease.is_valid


def test_process_that_was_stopped_may_not_act_when_it_goes_on() -> None:
    clock = Clock()
    lease = DaemonLease(TIMINGS, clock)
    lease.renewed(lease.now())
    clock.now += 10.0
    assert not lease.is_valid


def test_late_answer_to_an_early_question_does_not_shorten_the_lease() -> None:
    clock = Clock()
    lease = DaemonLease(TIMINGS, clock)
    early = lease.now()
    clock.now += 1.0
    lease.renewed(lease.now())
    lease.renewed(early)
    assert lease.remaining == 2.75


def test_lease_that_was_given_up_has_ended() -> None:
    lease = DaemonLease(TIMINGS, Clock())
    lease.renewed(lease.now())
    lease.give_up()
    assert not lease.is_valid


def test_clock_of_the_machine_goes_on() -> None:
    before, began = machine_clock(), time.monotonic()
    while time.monotonic() == began:
        pass
    assert machine_clock() > before


def test_takeover_fits_into_five_seconds() -> None:
    usual = LeaseTimings()
    assert usual.length + usual.look + usual.renewal < 5.0
    assert usual.renewal * 2 < usual.length - usual.margin


def test_outage_is_recent_until_everybody_could_renew() -> None:
    clock = Clock()
    outage = Outage(TIMINGS, clock)
    assert not outage.is_recent
    outage.note()
    clock.now += 2.9
    assert outage.is_recent
    clock.now += 0.2
    assert not outage.is_recent
