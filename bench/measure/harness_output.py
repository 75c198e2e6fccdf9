"""What one run of the workload harness printed, as numbers.

The lines, in this order, among anything that a profiler or the workload itself prints:

    setup cpu_ms 60.0                                       CPU time of the process until the first iteration
    iter 1 ms 477.3 cpu_ms 480.0 checksum 54829b515e9429ae  one for each iteration
    warm after 20 iterations ms 30512.7                     the iterations below are the measured ones
    result fop median_ms 790.1 median_cpu_ms 800.0 checksum 0003d1ba0b07e250 OK
"""

import re
from dataclasses import dataclass

SETUP = re.compile(r"setup cpu_ms ([\d.]+)")
ITERATION = re.compile(r"iter (\d+) ms ([\d.]+) cpu_ms ([\d.]+) checksum ([0-9a-f]{16})")
WARM = re.compile(r"warm after (\d+) iterations ms [\d.]+")
RESULT = re.compile(r"result \S+ median_ms [\d.]+ median_cpu_ms [\d.]+ checksum ([0-9a-f]{16}) (\w+)")


class OutputError(Exception):
    """The output is not that of a complete, correct run; the message says why."""


class WrongResult(OutputError):
    """The run was complete, and the harness itself calls its result wrong."""


@dataclass(frozen=True)
class HarnessOutput:
    setup_cpu_ms: float
    cpu_ms: list[float]  # one for each iteration, warm-up included
    wall_ms: list[float]
    warm_after: int  # iterations of warm-up
    checksum: str


def parse(text: str) -> HarnessOutput:
    setup_cpu_ms = warm_after = result = None
    cpu_ms: list[float] = []
    wall_ms: list[float] = []
    for line in text.splitlines():
        if match := ITERATION.fullmatch(line):
            if int(match[1]) != len(cpu_ms) + 1:
                raise OutputError(f"iteration {match[1]} follows iteration {len(cpu_ms)}")
            wall_ms.append(float(match[2]))
            cpu_ms.append(float(match[3]))
        elif match := SETUP.fullmatch(line):
            setup_cpu_ms = float(match[1])
        elif match := WARM.fullmatch(line):
            warm_after = int(match[1])
        elif match := RESULT.fullmatch(line):
            result = match
    if result is None:
        raise OutputError(f"no result line after {len(cpu_ms)} iterations")
    if result[2] == "UNSTABLE":
        raise WrongResult("the iterations give different checksums")
    if result[2] != "OK":
        raise WrongResult(f"the harness says {result[2]}")
    if setup_cpu_ms is None:
        raise OutputError("no setup line: suite.jar is older than its sources, run bench/workloads/setup")
    if not cpu_ms:
        raise OutputError("a result, but no iterations")
    return HarnessOutput(setup_cpu_ms, cpu_ms, wall_ms, warm_after or 0, result[1])
