"""Real programs, run with rewritten classes: application and JDK. Their results must stay what they are."""

import json
import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from sweep.toolchain import JavaSide, Jdk, run

CRAFTED = "crafted"
JDK_OF_CHECKSUMS = 17
TIME_LIMIT_S = 1800
RESULT = re.compile(r"^result .* checksum ([0-9a-f]{16}) (\w+)$", re.MULTILINE)
PROBES = ("entry", "exit", "handler", "call", "edge", "loop", "unwind")


@dataclass
class WorkloadRun:
    workload: str
    checksum: str = ""
    expected: str = ""
    probes: dict = field(default_factory=dict)
    problem: str = ""
    not_run: str = ""  # why: it does not run without probes either


def run_workload(jdk: Jdk, java: JavaSide, pack: Path, workloads: Path, workload: str, probed: bool) -> WorkloadRun:
    """One iteration. probed: whether the pack has probes, which must have run then."""
    report = pack.with_name(f"probes-{workload}.json")
    report.unlink(missing_ok=True)
    options = ["-Xverify:all", "-Xshare:off", "-Xmx2g", f"-javaagent:{java.agent}={pack}", f"-Dbursar.sweep.report={report}"]
    expected, why_not = _expected(jdk, java, workloads, workload)
    if why_not:
        return WorkloadRun(workload, not_run=why_not)
    if workload == CRAFTED:
        checksum, problem = _crafted(jdk, java, options)
    else:
        checksum, problem = _harness(jdk, workloads, workload, options)
    result = WorkloadRun(workload, checksum, expected, problem=problem)
    if report.exists():
        result.probes = json.loads(report.read_text())
    if not result.problem and checksum != expected:
        result.problem = f"the result is {checksum}, and without probes {expected}"
    if not result.problem and result.probes.get("classes_refused", 1):
        result.problem = f"the JVM refused {result.probes.get('classes_refused', 'all')} of the rewritten classes"
    if not result.problem and probed and not all(result.probes[p] for p in ("entry", "exit", "edge", "loop")):
        result.problem = "probes of some kind never ran"
    return result


def workload_names(workloads: Path) -> list[str]:
    return re.findall(r"^([a-z0-9-]+):", (workloads / "classpath.txt").read_text(), re.MULTILINE)


def _expected(jdk: Jdk, java: JavaSide, workloads: Path, workload: str) -> tuple[str, str]:
    """checksums.txt holds for the JDK it was recorded with; elsewhere, a run without probes has to tell."""
    if workload == CRAFTED:
        return _crafted(jdk, java, [])
    known = re.search(rf"^{workload} ([0-9a-f]+)$", (workloads / "checksums.txt").read_text(), re.MULTILINE)
    if known and jdk.feature == JDK_OF_CHECKSUMS:
        return known[1], ""
    return _harness(jdk, workloads, workload, [])


def _harness(jdk: Jdk, workloads: Path, workload: str, options: list[str]) -> tuple[str, str]:
    """Checksum, and what went wrong."""
    try:
        done = subprocess.run(
            [str(workloads / "run"), workload, "1", "--", *options],
            env={**os.environ, "BENCH_JDK": str(jdk.home)},
            capture_output=True,
            text=True,
            timeout=TIME_LIMIT_S,
        )
    except subprocess.TimeoutExpired:
        return "", f"took more than {TIME_LIMIT_S} s"
    match = RESULT.search(done.stdout)
    if done.returncode != 0 or not match:
        said = (done.stderr or done.stdout)[-1500:].strip()
        return "", f"exit status {done.returncode}: {said}"
    return match[1], ""


def _crafted(jdk: Jdk, java: JavaSide, options: list[str]) -> tuple[str, str]:
    """The results of the crafted classes, as one text: they are few and deterministic."""
    command = [jdk.tool("java"), *options, "-cp", f"{java.agent}:{java.crafted}", "bursar.sweep.RunCrafted", java.crafted]
    try:
        return run(command, "running the crafted classes"), ""
    except Exception as e:  # whatever went wrong is the finding
        return "", str(e)
