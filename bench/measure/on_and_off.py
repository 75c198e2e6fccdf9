"""Something that can be switched on and off while a program runs: in which order, and what it costs.

A unit is four blocks of iterations of one JVM, off-on-on-off or on-off-off-on, drawn at random. Its ratio is the
geometric mean of the two blocks that were on over that of the two that were off: a program that gets faster, or slower,
by the same factor from block to block changes nothing in it.
"""

import math
import random

ORDERS = ((False, True, True, False), (True, False, False, True))


def order_of(units: int, rng: random.Random) -> list[tuple[bool, ...]]:
    """Half of the units in each order, as near as may be."""
    orders = [ORDERS[number % 2] for number in range(units)]
    rng.shuffle(orders)
    return orders


def log_ratio(order: tuple[bool, ...], cpu_ms: list[float]) -> float:
    """Of one unit: on over off."""
    return math.fsum((1 if on else -1) * math.log(value) for on, value in zip(order, cpu_ms, strict=True)) / 2
