"""The summary as JSON, for programs: everything that the table shows, and intervals for every ratio."""

from dataclasses import asdict
from typing import Any

from measure.interval import verdict
from measure.summary import Cell, Summary
from measure.variant import BASELINE


def as_json(settings: dict[str, Any], summary: Summary) -> dict[str, Any]:
    workloads = {}
    for workload in summary.workloads:
        variants = {}
        for name in summary.variants:
            cell = summary.cells[workload, name]
            variants[name] = _cell(cell)
            if not cell.failure and cell.rounds:
                variants[name] |= {ratio: asdict(value) for ratio, value in cell.ratios.items()}
                variants[name]["verdict"] = verdict(cell.ratios.get("slowdown"))
        baseline = _cell(summary.cells[workload, BASELINE]) | {"spread": summary.spread[workload]}
        workloads[workload] = {BASELINE: baseline, "variants": variants}
    means: dict[str, Any] = {}
    for name in summary.variants:
        means[name] = {"workloads": summary.mean_workloads[name]}
        if summary.mean_workloads[name]:
            means[name] |= {ratio: asdict(value) for ratio, value in summary.means[name].items()}
            means[name]["verdict"] = verdict(summary.means[name].get("slowdown"))
    return {
        "settings": settings,
        "workloads": workloads,
        "geometric_mean": means,
        "checksums": "known" if summary.checksums_known else "baseline",
        "other_cpu_share": summary.other_cpu_share,
        "failed": sum(1 for cell in summary.cells.values() if cell.failure),
    }


def _cell(cell: Cell) -> dict[str, Any]:
    value: dict[str, Any] = {"rounds": cell.rounds, "failure": asdict(cell.failure) if cell.failure else None}
    if not cell.failure and cell.rounds:
        value |= {"medians": cell.medians, "trend": cell.trend}
    return value
