"""Traces of real JVMs: where they begin and end, what is in them, what they say they lack. BURSAR names the command.

That every call is in them is checked by tests/jvm/exact (run --trace).
"""

import atexit
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from sweep.toolchain import find_jdks  # noqa: E402

BURSAR = pathlib.Path(os.environ["BURSAR"]).resolve()
NEWEST_JDK = 25
JDKS = [jdk for jdk in find_jdks() if jdk.feature <= NEWEST_JDK]
FIRST_WITH_VIRTUAL_THREADS = 21


@functools.cache
def scratch():
    folder = tempfile.TemporaryDirectory(prefix="bursar-trace-")
    atexit.register(folder.cleanup)
    return pathlib.Path(folder.name).resolve()


@functools.cache
def classes(jdk, source):
    folder = scratch() / f"classes-{jdk.feature}"
    subprocess.run([jdk.tool("javac"), "-d", folder, HERE / "programs" / source], check=True)
    return folder


def run(*command):
    return subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)


class TraceCase(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(dir=scratch())
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        self.trace = self.folder / "run.trace"

    def command(self, jdk, *words, program="Traced", options=()):
        java = [jdk.tool("java"), "-XX:-UsePerfData", "-cp", classes(jdk, f"{program}.java"), program, *words]
        return [BURSAR, "record", "--mode", "trace", "-o", self.trace, *options, "--", *java]

    def record(self, *arguments, **more):
        return run(*self.command(*arguments, **more))

    def simulate(self, *options, scheme="exhaustive"):
        done = run(BURSAR, "simulate", self.trace, "--scheme", scheme, "--json", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.warnings = done.stderr
        return json.loads(done.stdout)

    def calls(self, *path):
        """Of a context, given by the names of its last methods."""
        profile = self.folder / "run.bursar"
        self.simulate("-o", profile, "--force")
        folded = run(BURSAR, "export", profile, "--format", "folded")
        self.assertEqual(folded.returncode, 0, folded.stderr)
        end = ";".join(f"Traced.{name}" for name in path)
        counts = [int(line.rsplit(" ", 1)[1]) for line in folded.stdout.splitlines() if line.rsplit(" ", 1)[0].endswith(end)]
        return sum(counts)


class ExtentTest(TraceCase):
    def test_what_is_skipped_leaves_its_stack(self):
        done = self.record(JDKS[0], "phases", options=["--skip", "4s"])
        self.assertEqual((done.returncode, done.stdout), (0, "done phases\n"), done.stderr)
        self.assertEqual(self.calls("early"), 0)
        self.assertEqual(self.calls("main", "outer", "late"), 1000)
        self.assertEqual(self.calls("main"), 0, "it was entered before")
        self.assertTrue(self.simulate()["complete"])

    def test_without_skip_all_is_there(self):
        self.record(JDKS[0], "phases")
        self.assertEqual(self.calls("main", "outer", "early"), 1000)
        self.assertEqual(self.calls("main", "outer", "late"), 1000)

    def test_the_size_limit_ends_the_trace_and_not_the_program(self):
        done = self.record(JDKS[0], "work", "3000000", options=["--max-size", "1M"])
        self.assertEqual((done.returncode, done.stdout), (3, "done work\n"), done.stderr)
        self.assertIn("the trace reached its size limit and ends there; the program went on", done.stderr)
        self.assertLessEqual(self.trace.stat().st_size, 1 << 20)
        self.assertGreater(self.trace.stat().st_size, 1 << 19)
        study = self.simulate()
        self.assertFalse(study["complete"])
        self.assertIn("the size limit was reached", self.warnings)
        self.assertGreater(study["calls"], 100_000)
        self.assertEqual(self.calls("main", "work"), 1)

    def test_a_program_that_is_killed_leaves_what_it_wrote(self):
        process = subprocess.Popen(list(map(str, self.command(JDKS[0], "forever"))), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=self.folder)
        deadline = time.monotonic() + 60
        while not (self.trace.exists() and self.trace.stat().st_size > 1 << 20) and time.monotonic() < deadline:
            time.sleep(0.05)
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        for child in children:
            os.kill(int(child), 9)
        _, messages = process.communicate(timeout=60)
        self.assertIn("SIGKILL", messages)
        study = self.simulate()
        self.assertIn("the file stops before the trace does", self.warnings)
        self.assertGreater(study["calls"], 100_000)


class ContentTest(TraceCase):
    def test_an_event_takes_two_bytes_or_so(self):
        done = self.record(JDKS[0], "work", "1000000")
        study = self.simulate()
        self.assertIn(f"{study['events']:,} events", done.stderr)
        self.assertGreater(study["events"], 2_000_000)
        self.assertLess(self.trace.stat().st_size / study["events"], 2)
        self.assertEqual(self.calls("main", "work", "leaf"), 1_000_000)

    def test_threads_are_there_by_name_also_those_that_go_on(self):
        done = self.record(JDKS[0], "threads")
        self.assertEqual((done.returncode, done.stdout), (0, "done threads\n"), done.stderr)
        profile = self.folder / "run.bursar"
        self.simulate("-o", profile)
        for name in ("worker-0", "worker-1", "worker-2", "daemon"):
            tree = run(BURSAR, "tree", profile, "--thread", name, "--json")
            self.assertEqual(tree.returncode, 0, f"{name}: {tree.stderr}")
            [leaf] = [context for context in json.loads(tree.stdout)["contexts"] if context.get("method") == "Traced.leaf"]
            self.assertEqual(leaf["own"], 1000) if name != "daemon" else self.assertGreaterEqual(leaf["own"], 1000)

    def test_times_are_those_of_the_run(self):
        self.record(JDKS[0], "rest")
        profile = self.folder / "run.bursar"
        self.simulate("-o", profile, "--interval", "10ms", scheme="sample")
        folded = run(BURSAR, "export", profile, "--format", "folded").stdout.splitlines()
        resting = sum(int(line.rsplit(" ", 1)[1]) for line in folded if "Traced.rest" in line)
        self.assertGreaterEqual(resting, 49)
        self.assertLess(resting, 120)

    @unittest.skipUnless(JDKS[-1].feature >= FIRST_WITH_VIRTUAL_THREADS, "there is no JDK with virtual threads")
    def test_calls_of_virtual_threads_are_counted_as_missing(self):
        done = self.record(JDKS[-1], program="Virtual")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, "[0-9]+ calls of virtual threads are not in the trace")
        study = self.simulate()
        self.assertGreaterEqual(study["dropped"]["of virtual threads"], 1000)
        self.assertIn("calls of virtual threads are not in", self.warnings)


class FailureTest(TraceCase):
    def test_a_trace_that_is_removed_is_missed(self):
        done = self.record(JDKS[0], "remove", str(self.trace))
        self.assertEqual((done.returncode, done.stdout), (1, "done remove\n"), done.stderr)
        self.assertIn("nothing was saved", done.stderr)
        self.assertIn("No such file or directory", done.stderr)

    def test_a_trace_that_cannot_be_written_leaves_the_program_alone(self):
        agent = BURSAR.parent / "libbursar.so"
        done = run(JDKS[0].tool("java"), f"-agentpath:{agent}=mode=trace,output=/nowhere/x.trace", "-cp",
                   classes(JDKS[0], "Traced.java"), "Traced", "work", "10")
        self.assertEqual((done.returncode, done.stdout), (3, "done work\n"))
        self.assertIn("cannot write the trace to /nowhere/x.trace", done.stderr)


if __name__ == "__main__":
    unittest.main()
