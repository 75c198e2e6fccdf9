"""Which run of how many, and how long it will take: one line on stderr, on a terminal only."""

import sys
from statistics import mean
from typing import Any

from measure.schedule import Slot, remaining


class Progress:
    def __init__(self, planned: list[Slot], runs: list[dict[str, Any]]):
        self._planned = planned
        self._shown = sys.stderr.isatty()
        self._seconds: dict[tuple[str, str], list[float]] = {}
        for run in runs:
            self._seconds.setdefault((run["workload"], run["variant"]), []).append(run["process_wall_s"])

    def starting(self, slot: Slot, done: dict[Slot, dict[str, Any]], failed: set[tuple[str, str]]) -> None:
        if not self._shown:
            return
        left = list(remaining(self._planned, done, failed))
        position = len(self._planned) - len(left) + 1
        what = f"round {slot.round}, {slot.workload}, {slot.variant}"
        sys.stderr.write(f"\r\033[Krun {position} of {len(self._planned)}: {what}{self._time(left)}")
        sys.stderr.flush()

    def finished(self, slot: Slot, run: dict[str, Any]) -> None:
        self._seconds.setdefault((slot.workload, slot.variant), []).append(run["process_wall_s"])
        if self._shown and run["failure"]:
            sys.stderr.write(f"\r\033[K{slot.workload}, {slot.variant}: {run['failure']}\n")

    def clear(self) -> None:
        if self._shown:
            sys.stderr.write("\r\033[K")

    def _time(self, left: list[Slot]) -> str:
        if not self._seconds:
            return ""
        usual = mean(mean(values) for values in self._seconds.values())
        seconds = sum(mean(self._seconds.get((slot.workload, slot.variant), [usual])) for slot in left)
        return f", about {seconds / 60:.0f} min left" if seconds >= 90 else f", about {seconds:.0f} s left"
