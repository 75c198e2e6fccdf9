"""The programs of this folder, compiled, and run under `bursar record --mode sample` or attached to.

BURSAR in the environment names the command, BURSAR_NATIVES the library of OwnSignals and Waiting.
"""

import atexit
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from sweep.toolchain import find_jdks  # noqa: E402

BURSAR = pathlib.Path(os.environ["BURSAR"]).resolve()
AGENT = BURSAR.parent / "libbursar.so"
NATIVES = pathlib.Path(os.environ["BURSAR_NATIVES"]).resolve()
NEWEST_JDK = 25
FIRST_WITH_VIRTUAL_THREADS = 21
JDKS = [jdk for jdk in find_jdks() if jdk.feature <= NEWEST_JDK]
OLDEST = JDKS[0]


@functools.cache
def scratch():
    """A folder of this run, removed at its end."""
    folder = tempfile.TemporaryDirectory(prefix="bursar-sample-")
    atexit.register(folder.cleanup)
    return pathlib.Path(folder.name).resolve()


@functools.cache
def classes(jdk):
    folder = scratch() / f"classes-{jdk.feature}"
    sources = sorted((HERE / "programs").glob("*.java"))
    if jdk.feature >= FIRST_WITH_VIRTUAL_THREADS:
        sources += sorted((HERE / "programs-21").glob("*.java"))
    subprocess.run([jdk.tool("javac"), "-nowarn", "-Xlint:none", "-d", folder, *sources], check=True)
    return folder


def environment():
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("JAVA_", "JDK_", "BURSAR"))}
    return {**kept, "LC_ALL": "C.UTF-8"}


def java(jdk, *words, options=()):
    return [jdk.tool("java"), "-XX:-UsePerfData", *options, "-cp", str(classes(jdk)), *words]


class SampleCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=scratch())
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.profile = self.folder / "profile.bursar"

    def start(self, command):
        process = subprocess.Popen([str(word) for word in command], cwd=self.folder, env=environment(), text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.clear_away, process)
        return process

    @staticmethod
    def clear_away(process):
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()

    def run_bursar(self, *words, status=0):
        process = self.start([BURSAR, *words])
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, status, err)
        return out, err

    def record(self, jdk, *words, options=(), jvm_options=(), status=0):
        """What the program printed. The profile is sound, and the JVM has not crashed."""
        out, err = self.run_bursar("record", "--mode", "sample", "--force", "-o", self.profile, *options, "--",
                                   *java(jdk, *words, options=jvm_options), status=status)
        self.assertEqual(list(self.folder.glob("hs_err*")), [])
        self.assert_sound()
        return out, err

    def assert_sound(self):
        self.run_bursar("validate", self.profile)

    def report(self):
        return json.loads(self.run_bursar("report", "--json", self.profile)[0])

    def assert_adds_up(self):
        """Every signal is a sample, or is counted by why it is none."""
        report = self.report()
        counters, dropped = report["counters"], report["dropped"]
        none = sum(counters[name] for name in ("signals_found_waiting", "signals_to_other_threads", "signals_void"))
        lost = sum(dropped.get(name, 0) for name in
                   ("queue-full", "nothing-included-on-the-stack", "unfinished-at-the-end", "no-memory"))
        self.assertEqual(counters["signals"], report["total_samples"] + none + lost, report)
        return report

    def samples(self, part):
        """Of stacks that have this in them."""
        out, _ = self.run_bursar("export", self.profile, "--format", "folded", "--min-share", "0")
        return sum(int(line.rsplit(" ", 1)[1]) for line in out.splitlines() if part in line)


def each_jdk(test):
    """The test once for each JDK."""

    @functools.wraps(test)
    def run(self):
        for jdk in JDKS:
            with self.subTest(jdk=jdk.version):
                test(self, jdk)

    return run
