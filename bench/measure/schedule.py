"""Which run comes next. A pure function of the settings and of the runs already made.

A round runs every workload once with the baseline and each variant. Workloads are shuffled within a round, and a
workload's variants among themselves; they stay next to each other, so that a pair sees the machine in the same state.
The order depends only on the seed, the round and the workload: adding rounds or workloads later changes none of the
others.
"""

import random
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from measure.variant import BASELINE


class Slot(NamedTuple):
    round: int  # from 1
    workload: str
    variant: str


def slots(workloads: list[str], variants: list[str], rounds: int, seed: int) -> Iterator[Slot]:
    for number in range(1, rounds + 1):
        # sorted(): the order of the command line must not matter.
        for workload in _shuffled(sorted(workloads), f"{seed}/{number}"):
            for variant in _shuffled(variants, f"{seed}/{number}/{workload}"):
                yield Slot(number, workload, variant)


def _shuffled(names: list[str], seed: str) -> list[str]:
    return random.Random(seed).sample(names, len(names))


def latest(runs: Iterable[dict[str, Any]]) -> dict[Slot, dict[str, Any]]:
    """A later run of the same slot replaces an earlier one."""
    return {Slot(run["round"], run["workload"], run["variant"]): run for run in runs}


def remaining(
    planned: Iterable[Slot], done: dict[Slot, dict[str, Any]], failed: set[tuple[str, str]]
) -> Iterator[Slot]:
    """`failed` (workload, variant) pairs are not tried again, and nothing is compared with a failed baseline.

    Both collections are read anew for each slot: the caller may change them in between.
    """
    for slot in planned:
        if slot in done or (slot.workload, slot.variant) in failed or (slot.workload, BASELINE) in failed:
            continue
        yield slot
