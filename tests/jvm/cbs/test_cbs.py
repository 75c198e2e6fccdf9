"""Mode cbs in real JVMs. BURSAR names the command."""

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
NEWEST_JDK = 25
JDKS = [jdk for jdk in find_jdks() if jdk.feature <= NEWEST_JDK]


@functools.cache
def scratch():
    folder = tempfile.TemporaryDirectory(prefix="bursar-cbs-")
    atexit.register(folder.cleanup)
    return pathlib.Path(folder.name).resolve()


@functools.cache
def classes(jdk):
    folder = scratch() / f"classes-{jdk.feature}"
    subprocess.run([jdk.tool("javac"), "-d", folder, *sorted((HERE / "programs").glob("*.java"))], check=True)
    return folder


def run(*command):
    return subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)


def each_jdk(test):
    @functools.wraps(test)
    def of_each(self):
        for jdk in JDKS:
            with self.subTest(jdk=jdk.feature):
                test(self, jdk)

    return of_each


@unittest.skipIf(not JDKS, "no JDK that Bursar knows")
class CbsTest(unittest.TestCase):
    def record(self, jdk, *words, options=(), jvm_options=(), status=0):
        self.output = scratch() / "run.bursar"
        done = run(BURSAR, "record", "--mode", "cbs", "--force", "-o", self.output, *options, "--", jdk.tool("java"),
                   "-XX:-UsePerfData", *jvm_options, "-cp", classes(jdk), *words)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def report(self):
        return json.loads(run(BURSAR, "report", self.output, "--json", "--top", "1000").stdout)

    def calls(self):
        """Their weights, by (caller, callee) without classes."""
        edges = {}
        for edge in self.report()["hot_edges"]:
            key = tuple(edge[side].split("(")[0].split(".")[-1] for side in ("caller", "callee"))
            edges[key] = edges.get(key, 0) + edge["total"]
        return edges

    @each_jdk
    def test_dense_calls_weigh_as_much_as_there_are_of_them(self, jdk):
        self.assertEqual(self.record(jdk, "Density", "120").stdout, "done\n")
        weights = self.calls()
        # Without correction they differ by a factor of two. How well density tells that from the interpreter depends on the
        # processor: within 15 % on some, 20 to 40 % too little for sparse calls on others.
        self.assertAlmostEqual(weights["sparse", "work"] / weights["dense", "work"], 1, delta=0.45)
        self.assertAlmostEqual(weights["thirds", "two"] / weights["thirds", "one"], 2, delta=0.3)
        report = self.report()
        self.assertEqual(report["mode"], "cbs")
        self.assertLessEqual({"call_density", "sampling_latency"}, set(report["series"]))
        self.assertEqual(report["metrics"], ["samples", "uncorrected", "weight"])
        counters = report["counters"]
        self.assertGreater(counters["calls_told"], report["total_samples"])
        self.assertGreater(counters["density_cpu_ns"], counters["calls_told"])  # a reading takes more than half a ns
        self.assertLess(counters["density_cpu_ns"], counters["profiler_cpu_ns"])

    @each_jdk
    def test_waiting_for_a_lock_makes_no_difference(self, jdk):
        for correction in ("density", "density+latency"):
            self.record(jdk, "Contenders", "3000", options=["--correct", correction, "--alpha", "1"])
            weights = self.calls()
            self.assertAlmostEqual(weights["first", "work"] / weights["second", "work"], 1, delta=0.1)

    @each_jdk
    def test_without_correction_time_weighs(self, jdk):
        self.record(jdk, "Density", "120", options=["--correct", "none"])
        weights = self.calls()
        self.assertGreater(weights["sparse", "work"], 2 * weights["dense", "work"])

    @each_jdk
    def test_few_samples_of_a_short_run(self, jdk):
        self.record(jdk, "Density", "12", options=["--samples", "8", "--stride", "2"])
        self.assertGreater(self.report()["total_samples"], 0)

    @each_jdk
    def test_threads_that_come_and_go(self, jdk):
        done = self.record(jdk, "Comings", "2000", options=["--interval", "0.2ms", "--samples", "4", "--stride", "1"])
        self.assertRegex(done.stdout, r"^sum \d+\n$")
        report = self.report()
        self.assertGreaterEqual(report["threads"], 2000)
        self.assertGreater(report["counters"]["windows"], 20)

    @each_jdk
    def test_an_end_in_the_middle(self, jdk):
        for _ in range(5):
            self.record(jdk, "Comings", "200", "exit", options=["--interval", "0.2ms"], status=3)
            self.assertEqual(self.report()["mode"], "cbs")

    def test_a_running_jvm_is_refused_with_a_reason(self):
        done = run(BURSAR, "attach", "--mode", "cbs", os.getpid())
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("cbs", done.stderr)


if __name__ == "__main__":
    unittest.main()
