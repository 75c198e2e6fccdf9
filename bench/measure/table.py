"""The summary as text."""

from typing import Any

from measure import interval
from measure.interval import Estimate, verdict
from measure.summary import Cell, Summary
from measure.variant import BASELINE

HEADINGS = ("workload", "variant", "rounds", "cpu ms", "slowdown", "95 % interval", "first", "process", "memory", "")
LEFT = {0, 1, 9}  # columns flush left
WARMING_TREND = 1.1


def render(settings: dict[str, Any], summary: Summary) -> str:
    rows: list[tuple[str, ...]] = [HEADINGS]
    notes: dict[int, str] = {}  # row -> text in place of its numbers
    for workload in summary.workloads:
        for name in (BASELINE, *summary.variants):
            cell = summary.cells[workload, name]
            label = (workload if name == BASELINE else "", name)
            if cell.failure or not cell.rounds:
                notes[len(rows)] = f"FAILED: {cell.failure}" if cell.failure else "not run yet"
                rows.append((*label, "", "", "", "", "", "", "", ""))
            elif name == BASELINE:
                spread = f"varies by {summary.spread[workload] * 100:.1f} % between rounds" if cell.rounds > 1 else ""
                rows.append((*label, str(cell.rounds), _milliseconds(cell), "", "", "", "", "", spread))
            else:
                rows.append((*label, str(cell.rounds), _milliseconds(cell), *_ratios(cell.ratios)))
    if len(summary.workloads) > 1:
        for name in summary.variants:
            count = len(summary.mean_workloads[name])
            if not count:
                continue
            of_all = "" if count == len(summary.workloads) else f" of {count} of {len(summary.workloads)}"
            rows.append((f"geometric mean{of_all}", name, "", "", *_ratios(summary.means[name])))
    return "\n".join([*_aligned(rows, notes), "", *_legend(settings, summary), *_failures(summary)]) + "\n"


def _milliseconds(cell: Cell) -> str:
    return f"{cell.medians['warm_cpu_ms']:.1f}"


def _ratios(ratios: dict[str, Estimate]) -> tuple[str, ...]:
    slowdown = ratios.get("slowdown")
    between = f"{slowdown.low:.3f} - {slowdown.high:.3f}" if slowdown and slowdown.low is not None else "-"
    names = ("first_iteration", "whole_process", "memory")
    others = (f"{ratios[name].ratio:.2f}" if name in ratios else "-" for name in names)
    return (f"{slowdown.ratio:.3f}" if slowdown else "-", between, *others, verdict(slowdown))


def _aligned(rows: list[tuple[str, ...]], notes: dict[int, str]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    lines = []
    for index, row in enumerate(rows):
        shown = range(2) if index in notes else range(len(HEADINGS))
        words = [row[c].ljust(widths[c]) if c in LEFT else row[c].rjust(widths[c]) for c in shown]
        lines.append("  ".join([*words, notes[index]] if index in notes else words).rstrip())
    return lines


def _legend(settings: dict[str, Any], summary: Summary) -> list[str]:
    lines = [
        "slowdown: CPU time of an iteration after warm-up, variant / baseline, median over rounds",
        "first, process, memory: the same ratio of the first iteration's and the process's CPU time, of peak memory",
        f"a run: {settings['warmup_iterations']} iterations and {settings['warmup_seconds']:g} s or more of warm-up, "
        f"then {settings['iterations']} iterations measured",
        f"JDK {settings['jdk_version']} on {settings['machine']}",
    ]
    for name in (BASELINE, *summary.variants):
        if spec := settings["variants"][name]:
            lines.append(f"{name}: {spec}")
    if not summary.checksums_known:
        lines.append("note: checksums compared with the baseline's only; checksums.txt is for another JDK or --threads")
    if summary.other_cpu_share > 0.05:
        share = f"{summary.other_cpu_share * 100:.0f} %"
        lines.append(f"note: other processes took {share} of the machine's CPU time meanwhile")
    warming = [f"{w} {name}" for (w, name), cell in summary.cells.items() if cell.trend > WARMING_TREND]
    if warming:
        lines.append(f"note: still getting faster when measured, so not warmed up: {', '.join(warming)}")
    if any(0 < cell.rounds < interval.MIN_ROUNDS for cell in summary.cells.values()):
        lines.append(f"note: an interval needs {interval.MIN_ROUNDS} rounds (--runs)")
    return lines


def _failures(summary: Summary) -> list[str]:
    lines = []
    for (workload, name), cell in summary.cells.items():
        if cell.failure and cell.failure.messages:
            lines += ["", f"{workload}, {name}: {cell.failure}; the end of its stderr:"]
            lines += [f"    {line}" for line in cell.failure.messages.splitlines()]
    return lines
