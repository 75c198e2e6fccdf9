"""Where bench/ is, and a copy of it whose JDK is a script: so that bench/slowdown runs from end to end without a JVM.

Importing this module makes the package `measure` importable.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BENCH = ROOT / "bench"
sys.dont_write_bytecode = True
sys.path.insert(0, str(BENCH))

# A workload that needs no jars and has a checksum in checksums.txt, and another one.
WORKLOAD, OTHER_WORKLOAD = "call-density-bias", "latency-bias"


class BenchTree:
    """A copy of bench/ below `folder`, with a dummy suite.jar and a fake JDK 17."""

    def __init__(self, folder: Path):
        self.bench = folder / "bench"
        self.jdk = folder / "jdk"
        shutil.copytree(BENCH / "measure", self.bench / "measure", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("slowdown", "side_by_side", "sample_cost"):
            shutil.copy(BENCH / name, self.bench)
        workloads = self.bench / "workloads"
        workloads.mkdir()
        for name in ("run", "classpath.txt", "checksums.txt"):
            shutil.copy(BENCH / "workloads" / name, workloads)
        (workloads / "src").mkdir()
        (workloads / "suite.jar").touch()
        (self.jdk / "bin").mkdir(parents=True)
        shutil.copy(Path(__file__).parent / "fake_java", self.jdk / "bin" / "java")
        self.set_jdk_version("17.0.1+2")
        self.log = folder / "log"
        self.results = folder / "results.jsonl"

    def set_jdk_version(self, version: str) -> None:
        (self.jdk / "release").write_text(f'JAVA_RUNTIME_VERSION="{version}"\n')

    def command(self, *arguments: str) -> list[str]:
        short = ["--warmup-iterations", "2", "--warmup-seconds", "0", "--iterations", "4"]
        return [str(self.bench / "slowdown"), "--jdk", str(self.jdk), "--out", str(self.results), *short, *arguments]

    def environment(self) -> dict[str, str]:
        return dict(os.environ) | {"FAKE_JAVA_LOG": str(self.log)}

    def slowdown(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*arguments), env=self.environment(), capture_output=True, text=True, timeout=120, check=False
        )

    def java_runs(self) -> list[str]:
        """One line for each start of the fake java: its JVM options."""
        return self.log.read_text().splitlines() if self.log.exists() else []
