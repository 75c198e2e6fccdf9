"""A workload that runs until it is stopped, and the CPU time of its iterations so far."""

import subprocess
import tempfile
import threading
import time

from measure import harness_output, workload

MANY = 1_000_000  # iterations: more than anyone waits for


class RunError(Exception):
    """The JVM is not, or no longer, as it should be; the message says why."""


class RunningJvm:
    """One thread of ours reads what it prints and is the only writer of `cpu_ms`."""

    def __init__(self, name: str, jvm_options: list[str], jdk: str | None = None):
        command = workload.java_command(name, [], jvm_options, MANY, jdk)
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.cpu_ms: list[float] = []
        self._more = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            if match := harness_output.ITERATION.fullmatch(line.rstrip("\n")):
                with self._more:
                    self.cpu_ms.append(float(match[3]))
                    self._more.notify_all()

    def check_alive(self) -> None:
        if self.process.poll() is not None:
            self.errors.seek(0)
            raise RunError(f"the JVM ended with {self.process.returncode}: {self.errors.read()[-500:]}")

    def wait_for(self, iterations: int) -> None:
        """Until it has made so many in all."""
        with self._more:
            while not self._more.wait_for(lambda: len(self.cpu_ms) >= iterations, timeout=1):
                self.check_alive()

    def next_iterations(self, count: int) -> list[float]:
        """CPU times of the next ones that begin and end from now on."""
        first = len(self.cpu_ms) + 1  # the one under way began before
        self.wait_for(first + count)
        return self.cpu_ms[first : first + count]

    def run_for(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.check_alive()
            time.sleep(min(left, 0.5))

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
