"""What can be said about the machine: what it is, and how busy it is."""

import os
from pathlib import Path


def describe() -> str:
    """Part of the settings: runs from different machines must not be mixed."""
    model = "unknown processor"
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return f"{model}, {os.cpu_count()} CPUs, {os.uname().sysname} {os.uname().release}"


def busy_seconds() -> float:
    """CPU time that all processes, and other virtual machines (steal), have had since the machine started."""
    fields = [int(field) for field in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
    user, nice, system, _idle, _iowait, irq, softirq, steal = fields[:8]
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
