"""Verification of a pack by a real JVM, and the comparison with that of the unmodified classes.

Two witnesses are asked: VerifyMain, which classes it could load and link with the bytes of the pack; and the JVM's own
log, which of them its verifier looked at, and whether it was content.
"""

import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from sweep.toolchain import JavaSide, Jdk, SweepError

VERIFYING = ["-Xverify:all", "-Xshare:off", "--add-modules", "ALL-SYSTEM"]
# HotSpot 17 never verifies these four, which it needs to verify anything; 25 does.
EXEMPT = {"java.lang.Object", "java.lang.Class", "java.lang.String", "java.lang.Throwable"}
TIME_LIMIT_S = 1800


class State(Enum):
    VERIFIED = "verified"
    WITH_STAND_INS = "verified_with_stand_ins"  # verified, empty classes standing in for some that are not installed
    EXEMPT = "exempt"  # this JVM never verifies it
    UNMODIFIABLE = "unmodifiable"  # this JVM lets no agent change it
    NO_CLASS = "module_info"
    UNLOADABLE = "baseline_unloadable"  # the unmodified class fails in the same way
    FAILED = "failed"


@dataclass
class Verdict:
    state: State
    detail: str = ""
    fell_over: bool = False  # the verifier rejected its stack maps, and did without: possible in class files of Java 6


Verdicts = dict[tuple[str, str], Verdict]  # by origin and name


@dataclass
class VerifierLog:
    """What -Xlog:class+init says of each class name; several loaders may have one of that name."""

    passed: Counter = field(default_factory=Counter)
    fell_over: set[str] = field(default_factory=set)


def verify(jdk: Jdk, java: JavaSide, pack: Path, class_paths: Path) -> Verdicts:
    result, log = pack.with_suffix(f".{jdk.feature}.tsv"), pack.with_suffix(f".{jdk.feature}.log")
    for file in (result, log):
        file.unlink(missing_ok=True)
    command = [jdk.tool("java"), "-Xmx2g", "-XX:+UseSerialGC", *VERIFYING]
    command += [f"-Xlog:class+init=info:file={log}:none:filecount=0", f"-javaagent:{java.agent}={pack}"]
    command += ["-cp", str(java.agent), "bursar.sweep.VerifyMain", str(class_paths), str(result)]
    show = sys.stderr.isatty()
    try:
        done = subprocess.run(
            command + ["--progress"] * show,
            cwd=pack.parent,  # where a crashing JVM leaves its report
            stdout=subprocess.PIPE,
            stderr=None if show else subprocess.PIPE,
            text=True,
            timeout=TIME_LIMIT_S,
        )
    except subprocess.TimeoutExpired as e:
        raise SweepError(f"verification of {pack} took more than {TIME_LIMIT_S} s; last class: {_last_line(result)}") from e
    if done.returncode != 0:
        said = (done.stdout + (done.stderr or ""))[-3000:].strip()
        raise SweepError(
            f"JDK {jdk.version} ended with exit status {done.returncode} on {pack}, after {_last_line(result)}\n{said}"
        )
    verdicts = _judge(result, _read_log(log))
    log.unlink()
    return verdicts


def compare(baseline: Verdicts, rewritten: Verdicts) -> Verdicts:
    """The verdicts on the rewritten classes: what fails in the same way unmodified is no fault of the rewriter."""
    if baseline.keys() != rewritten.keys():
        raise SweepError("the rewritten pack does not hold the same classes")
    return {key: _compare_one(baseline[key], rewritten[key]) for key in rewritten}


def _compare_one(before: Verdict, after: Verdict) -> Verdict:
    if after.state is State.FAILED:
        same = before.state is State.FAILED and _essence(before.detail) == _essence(after.detail)
        return Verdict(State.UNLOADABLE, after.detail) if same else after
    if before.state is not after.state:
        return Verdict(State.FAILED, f"{after.state.value}, but unmodified {before.state.value} {before.detail}".rstrip())
    if after.fell_over and not before.fell_over:
        return Verdict(State.FAILED, "its stack map is wrong: the JVM fell over to its old verifier", True)
    return after


def _essence(detail: str) -> str:
    """An exception without what differs from run to run, or with the place of an instruction."""
    return re.sub(r"@[0-9a-f]+|\b\d+\b", "#", detail.split(" Exception Details:")[0])


def _last_line(file: Path) -> str:
    lines = file.read_text().splitlines() if file.exists() else []
    return " ".join(lines[-1].split("\t")[:3]) if lines else "no class"


def _read_log(file: Path) -> VerifierLog:
    log = VerifierLog()
    rejected: set[str] = set()
    with file.open(errors="replace") as lines:
        for line in lines:
            if line.startswith("Verification for "):  # "... X failed" or "... X has exception pending '...'"
                rejected.add(line.split()[2])
            elif line.startswith("End class verification for: "):
                name = line.split(": ", 1)[1].strip()
                if name in rejected:
                    rejected.remove(name)
                else:
                    log.passed[name] += 1
            elif line.startswith("Fail over class verification to old verifier for: "):
                log.fell_over.add(line.split(": ", 1)[1].strip())
    return log


def _judge(result: Path, log: VerifierLog) -> Verdicts:
    rows = [line.split("\t") for line in result.read_text().splitlines()]
    # A class loaded before the agent came is verified twice: its own bytes, then those of the pack.
    wanted: Counter = Counter()
    for status, _, _, class_name, _ in rows:
        wanted[class_name] += {"linked": 1, "stand-ins": 1, "redefined": 2}.get(status, 0)
    verdicts: Verdicts = {}
    for status, origin, name, class_name, detail in rows:
        if status in ("linked", "redefined", "stand-ins"):
            verdict = Verdict(State.WITH_STAND_INS if status == "stand-ins" else State.VERIFIED, detail)
            verdict.fell_over = class_name in log.fell_over
            if log.passed[class_name] < wanted[class_name]:
                verdict = Verdict(State.FAILED, "linked, but the log shows no verification")
                if class_name in EXEMPT:
                    verdict = Verdict(State.EXEMPT)
        elif status == "unmodifiable":
            verdict = Verdict(State.UNMODIFIABLE)
        elif status == "module-info":
            verdict = Verdict(State.NO_CLASS)
        else:
            verdict = Verdict(State.FAILED, detail or "loaded, but not with the bytes of the pack")
        verdicts[origin, name] = verdict
    return verdicts
