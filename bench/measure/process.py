"""Runs one command to its end and says what it used. Owns that process and its group: nothing of it outlives the call.

Resources are those of the process and of the children it waited for (wait4), so a profiler's launcher counts too.
Output goes to files, so that this process sleeps while the other is measured.
"""

import os
import select
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

# SIGTERM first: the JVM then removes its temporary files.
GRACE_SECONDS = 5


@dataclass(frozen=True)
class Usage:
    exit_code: int  # negative: ended by that signal
    timed_out: bool
    wall_s: float
    cpu_s: float  # user and system
    max_rss_kb: int
    rss_kb: list[int] = field(default_factory=list)  # of the whole group, as often as was asked for


def run(argv: list[str], stdout: Path, stderr: Path, timeout_s: float, memory_every_s: float | None = None) -> Usage:
    started = time.monotonic()
    with stdout.open("wb") as out, stderr.open("wb") as err:
        # A session of its own: Ctrl-C at the terminal reaches us, and we end the whole group.
        child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True)
    ended = os.pidfd_open(child.pid)
    timed_out = False
    rss_kb = []
    try:
        deadline = started + timeout_s
        while memory_every_s and time.monotonic() + memory_every_s < deadline and not _wait(ended, memory_every_s):
            rss_kb.append(_rss_kb(child.pid))
        timed_out = not _wait(ended, deadline - time.monotonic())
    finally:
        # Reached on interruption too. The child is not reaped yet, so its group number cannot have been reused.
        wall_s = time.monotonic() - started
        try:
            if not _wait(ended, 0):
                os.killpg(child.pid, signal.SIGTERM)
                _wait_for_group(child.pid, GRACE_SECONDS)
        finally:
            os.killpg(child.pid, signal.SIGKILL)
            os.close(ended)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
    return Usage(child.returncode, timed_out, wall_s, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, rss_kb)


def _wait_for_group(group: int, timeout_s: float) -> None:
    """A launcher may end at once while its JVM still cleans up."""
    deadline = time.monotonic() + timeout_s
    while _is_running(group) and time.monotonic() < deadline:
        time.sleep(0.02)


def _is_running(group: int) -> bool:
    return any(stat[0] not in "ZX" for stat in _stats(group))


def _rss_kb(group: int) -> int:
    return sum(int(stat[21]) for stat in _stats(group)) * os.sysconf("SC_PAGE_SIZE") // 1024


def _stats(group: int):
    """What /proc/PID/stat says of each process of the group, from its state on."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            stat = path.read_text().rpartition(")")[2].split()
        except OSError:  # ended while we looked
            continue
        if int(stat[2]) == group:
            yield stat


def _wait(pidfd: int, timeout_s: float) -> bool:
    return bool(select.select([pidfd], [], [], max(timeout_s, 0))[0])
