"""Runs in, ratios out: what the table and the JSON show.

A cell is a workload under a variant. It has numbers only if every run of it, and of the workload's baseline, ended well
and gave the right checksum: the one known for the workload, or else that of the baseline's first run.
"""

import random
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from measure import interval
from measure.interval import Estimate
from measure.schedule import latest
from measure.variant import BASELINE

# The JVM's process CPU clock (getProcessCpuTime) counts in steps of 10 ms; see tick_median.
CPU_CLOCK_TICK_MS = 10.0

# Each ratio and the metric that it compares.
RATIOS = {
    "slowdown": "warm_cpu_ms",
    "first_iteration": "first_iteration_cpu_ms",
    "whole_process": "whole_process_cpu_ms",
    "memory": "max_rss_mb",
    "wall": "warm_wall_ms",
}

MetricsByRound = dict[int, dict[str, float]]


@dataclass(frozen=True)
class Failure:
    round: int
    reason: str
    messages: str  # the last lines of the run's stderr

    def __str__(self) -> str:
        return f"{self.reason} (round {self.round})"


@dataclass
class Cell:
    rounds: int = 0
    failure: Failure | None = None
    medians: dict[str, float] = field(default_factory=dict)  # metric -> median over rounds
    trend: float = 1.0  # well above 1: the program was still getting faster
    ratios: dict[str, Estimate] = field(default_factory=dict)  # by ratio, as are:
    logs: dict[str, list[float]] = field(default_factory=dict)
    resamples: dict[str, list[float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Summary:
    cells: dict[tuple[str, str], Cell]  # (workload, variant), the baseline included
    workloads: list[str]
    variants: list[str]  # without the baseline
    means: dict[str, dict[str, Estimate]]  # variant -> ratio -> geometric mean over its workloads
    mean_workloads: dict[str, list[str]]
    spread: dict[str, float]  # workload -> relative median deviation of the baseline between rounds
    checksums_known: bool  # all runs were checked with checksums.txt, not only with the baseline
    other_cpu_share: float  # of the machine's CPU time during the runs, taken by other processes


def metrics_of(run: dict[str, Any], settings: dict[str, Any]) -> dict[str, float]:
    cpu_ms, wall_ms, warm = run["cpu_ms"], run["wall_ms"], run["warm_after"]
    # How many iterations a warm-up takes depends on the speed, so whole processes are compared at equal work: start,
    # the iterations that every run makes, end.
    shared = settings["warmup_iterations"] + settings["iterations"]
    return {
        "warm_cpu_ms": interval.tick_median(cpu_ms[warm:], CPU_CLOCK_TICK_MS),
        "first_iteration_cpu_ms": cpu_ms[0],
        "whole_process_cpu_ms": run["process_cpu_s"] * 1000 - sum(cpu_ms[shared:]),
        "max_rss_mb": run["max_rss_kb"] / 1024,
        "warm_wall_ms": median(wall_ms[warm:]),
        "trend": _trend(cpu_ms, warm),
    }


def _trend(cpu_ms: list[float], warm: int) -> float:
    """The second half of the warm-up compared with the second half of what was measured."""
    middle = (warm + len(cpu_ms)) // 2
    earlier = cpu_ms[warm // 2 : warm] or cpu_ms[:middle] or cpu_ms
    before, after = (interval.tick_median(part, CPU_CLOCK_TICK_MS) for part in (earlier, cpu_ms[middle:]))
    return before / after if after > 0 else 1.0


def failures(runs: list[dict[str, Any]]) -> dict[tuple[str, str], Failure]:
    """The first failure of each (workload, variant)."""
    expected: dict[str, tuple[str, str]] = {}
    current = sorted(latest(runs).items())
    for slot, run in current:
        if run.get("expected"):
            expected[slot.workload] = (run["expected"], "checksums.txt says")
        elif slot.variant == BASELINE and not run["failure"]:
            expected.setdefault(slot.workload, (run["checksum"], "the baseline's is"))
    found: dict[tuple[str, str], Failure] = {}
    for slot, run in current:
        reason = run["failure"]
        if not reason and slot.workload in expected:
            right, source = expected[slot.workload]
            if run["checksum"] != right:
                reason = f"wrong checksum {run['checksum']}, {source} {right}"
        if reason:
            found.setdefault((slot.workload, slot.variant), Failure(slot.round, reason, run.get("messages", "")))
    return found


def summarise(settings: dict[str, Any], runs: list[dict[str, Any]], workloads: list[str] | None = None) -> Summary:
    """Over `workloads`, or all that were run."""
    if workloads is None:
        workloads = list(dict.fromkeys(run["workload"] for run in runs))
    runs = [run for run in runs if run["workload"] in workloads]
    variants = [name for name in settings["variants"] if name != BASELINE]
    failed = failures(runs)
    values: dict[tuple[str, str], MetricsByRound] = {}
    for slot, run in latest(runs).items():
        if (slot.workload, slot.variant) not in failed:
            values.setdefault((slot.workload, slot.variant), {})[slot.round] = metrics_of(run, settings)

    cells: dict[tuple[str, str], Cell] = {}
    for workload in workloads:
        baseline = values.get((workload, BASELINE), {})
        for variant in (BASELINE, *variants):
            seed = f"{settings['order_seed']}/{workload}/{variant}"
            cell = _cell(values.get((workload, variant), {}), baseline, seed)
            cell.failure = _cell_failure(failed, workload, variant)
            cells[workload, variant] = cell

    means: dict[str, dict[str, Estimate]] = {}
    mean_workloads = {}
    for variant in variants:
        measured = [w for w in workloads if not cells[w, variant].failure and cells[w, variant].rounds]
        mean_workloads[variant] = measured
        means[variant] = _means([cells[w, variant] for w in measured])
    spread = {w: _spread([m["warm_cpu_ms"] for m in values.get((w, BASELINE), {}).values()]) for w in workloads}
    known = all(run.get("expected") for run in runs)
    return Summary(cells, workloads, variants, means, mean_workloads, spread, known, _other_cpu_share(runs, settings))


def _cell_failure(failed: dict[tuple[str, str], Failure], workload: str, variant: str) -> Failure | None:
    own, baseline = failed.get((workload, variant)), failed.get((workload, BASELINE))
    if own or not baseline:
        return own
    return Failure(baseline.round, f"the baseline failed: {baseline.reason}", "")


def _cell(variant: MetricsByRound, baseline: MetricsByRound, seed: str) -> Cell:
    """The baseline itself, given as both, has medians but no ratios."""
    shared = sorted(baseline.keys() & variant.keys())
    cell = Cell(rounds=len(shared))
    if shared:
        cell.trend = median(variant[number]["trend"] for number in shared)
    for ratio, metric in RATIOS.items() if shared else ():
        base = [baseline[number][metric] for number in shared]
        other = [variant[number][metric] for number in shared]
        cell.medians[metric] = median(other)
        if variant is not baseline and (logs := interval.log_ratios(base, other)):
            cell.logs[ratio] = logs
            cell.resamples[ratio] = interval.resampled_medians(logs, random.Random(f"{seed}/{ratio}"))
            cell.ratios[ratio] = interval.estimate(logs, cell.resamples[ratio])
    return cell


def _means(cells: list[Cell]) -> dict[str, Estimate]:
    means = {}
    for ratio in RATIOS:
        if cells and all(ratio in cell.logs for cell in cells):
            means[ratio] = interval.geometric_mean(
                [cell.logs[ratio] for cell in cells], [cell.resamples[ratio] for cell in cells]
            )
    return means


def _spread(values: list[float]) -> float:
    if not values or median(values) == 0:
        return 0.0
    return median(abs(value - median(values)) for value in values) / median(values)


def _other_cpu_share(runs: list[dict[str, Any]], settings: dict[str, Any]) -> float:
    capacity = sum(run["process_wall_s"] for run in runs) * settings["cpus"]
    return sum(run["other_cpu_s"] for run in runs) / capacity if capacity else 0.0
