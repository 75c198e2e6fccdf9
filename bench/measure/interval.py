"""Medians, ratios and their 95 % intervals.

The unit is the round: in each, the baseline and every variant ran once, in fresh JVMs, close together in time. What
varies inside a JVM is part of what varies between rounds, so only rounds are resampled. Ratios are handled as
logarithms, so that "twice" and "half" weigh the same.

The interval is a percentile bootstrap of the median with the percentiles moved outwards for few rounds: 2.5 % becomes
Phi(-sqrt(n / (n - 1)) * t), t being Student's 97.5 % point with n - 1 degrees of freedom (T. Hesterberg, "What Teachers
Should Know About the Bootstrap", 2015: the expanded percentile interval). Without that, 7 rounds would give 88 %
intervals. With fewer than 5 rounds no resampling comes near 95 %: there is then a ratio, but no interval.
"""

import math
import random
from dataclasses import dataclass
from statistics import NormalDist, median

MIN_ROUNDS = 5
RESAMPLES = 4000


@dataclass(frozen=True)
class Estimate:
    ratio: float
    low: float | None  # None: too few rounds for an interval
    high: float | None


def tick_median(values: list[float], tick: float) -> float:
    """The median of readings of a clock that advances in steps of `tick`, finer than a step.

    Each reading stands for the values within half a tick of it, evenly. [130, 130, 130, 140] at a tick of 10: three
    quarters lie in 125..135, so half of all lie below 125 + 10 * (0.5 / 0.75) = 131.67.
    """
    edges = sorted({value + side * tick / 2 for value in values for side in (-1, 1)})

    def share_below(x: float) -> float:
        return sum(min(1.0, max(0.0, (x - value) / tick + 0.5)) for value in values) / len(values)

    shares = [share_below(x) for x in edges]

    def crossing(index: int) -> float:
        left, right = shares[index - 1], shares[index]
        return edges[index - 1] + (edges[index] - edges[index - 1]) * (0.5 - left) / (right - left)

    tolerance = 1e-9
    first = next(i for i, share in enumerate(shares) if share >= 0.5 - tolerance)
    last = next(i for i in reversed(range(len(shares))) if shares[i] <= 0.5 + tolerance)
    if last >= first:  # half of the readings lie below a gap, half above it
        return (edges[first] + edges[last]) / 2
    return crossing(first)


def student_975(degrees: int) -> float:
    """Student's 97.5 % point (Abramowitz and Stegun 26.7.5); off by less than 0.01 from 4 degrees of freedom on."""
    z = NormalDist().inv_cdf(0.975)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / degrees ** (power + 1) for power, term in enumerate(terms))


def log_ratios(baseline: list[float], variant: list[float]) -> list[float] | None:
    """Round by round; None where a value is zero, that is too short for the clock."""
    if min(baseline + variant) <= 0:
        return None
    return [math.log(v / b) for b, v in zip(baseline, variant, strict=True)]


def resampled_medians(logs: list[float], rng: random.Random) -> list[float]:
    """Medians of RESAMPLES resamples, unsorted: so those of several workloads can be averaged one by one."""
    return [median(rng.choices(logs, k=len(logs))) for _ in range(RESAMPLES)]


def estimate(logs: list[float], resamples: list[float]) -> Estimate:
    return _with_interval(median(logs), resamples, len(logs))


def geometric_mean(groups: list[list[float]], resamples: list[list[float]]) -> Estimate:
    """Over workloads: `groups` are their logarithmic ratios, `resamples` their resampled medians."""
    middle = math.fsum(median(logs) for logs in groups) / len(groups)
    means = [math.fsum(values) / len(values) for values in zip(*resamples, strict=True)]
    return _with_interval(middle, means, min(len(logs) for logs in groups))


def verdict(slowdown: Estimate | None) -> str:
    """What the interval shows; the upper bound is what holds when nothing is shown."""
    if slowdown is None:
        return "too short for the clock"
    if slowdown.low is None or slowdown.high is None:
        return f"no interval under {MIN_ROUNDS} rounds"
    if slowdown.high < 1:
        return "faster"
    bound = f"at most {(slowdown.high - 1) * 100:+.1f} %"
    return f"slower, {bound}" if slowdown.low > 1 else f"no slowdown shown, {bound}"


def _with_interval(middle: float, resamples: list[float], rounds: int) -> Estimate:
    if rounds < MIN_ROUNDS:
        return Estimate(math.exp(middle), None, None)
    ordered = sorted(resamples)
    tail = NormalDist().cdf(-math.sqrt(rounds / (rounds - 1)) * student_975(rounds - 1))
    skipped = int(tail * len(ordered))
    return Estimate(math.exp(middle), math.exp(ordered[skipped]), math.exp(ordered[-1 - skipped]))
