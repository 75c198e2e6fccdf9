"""The path modes in real JVMs. BURSAR names the command, BURSAR_AGENT the agent."""

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
FIRST_WITH_VIRTUAL_THREADS = 21
JDKS = [jdk for jdk in find_jdks() if jdk.feature <= NEWEST_JDK]
TIMES, THREADS = 60_000, 4
EXACT = {}  # profile and output of one run, by JDK


@functools.cache
def scratch():
    folder = tempfile.TemporaryDirectory(prefix="bursar-paths-")
    atexit.register(folder.cleanup)
    return pathlib.Path(folder.name).resolve()


@functools.cache
def classes(jdk):
    folder = scratch() / f"classes-{jdk.feature}"
    sources = list((HERE / "programs").glob("*.java"))
    if jdk.feature >= FIRST_WITH_VIRTUAL_THREADS:
        sources += (HERE / "programs-21").glob("*.java")
    subprocess.run([jdk.tool("javac"), "-d", folder, *sources], check=True)
    return folder


def run(*command):
    return subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)


def java(jdk, *words):
    return [jdk.tool("java"), "-Xverify:all", "-cp", classes(jdk), *words]


class Paths:
    """What `bursar paths --json` says of one method."""

    def __init__(self, profile, method):
        done = run(BURSAR, "paths", profile, "--method", method, "--top", 1000, "--json")
        if done.returncode:
            raise AssertionError(done.stderr)
        self.json = json.loads(done.stdout)

    def branches(self):
        """Outcomes of the method's branches, in the order of the code."""
        rows = sorted(self.json["branches"], key=lambda row: row["bci"])
        return [{int(outcome): count for outcome, count in row["outcomes"].items()} for row in rows]

    def count(self, *lines):
        """How often a path ran through these lines: each once where several blocks in a row lie on it."""
        total = 0
        for path in self.json["paths"]:
            found = [line for i, line in enumerate(path["lines"]) if i == 0 or line != path["lines"][i - 1]]
            total += path["count"] if found == list(lines) else 0
        return total


@unittest.skipIf(not JDKS, "no JDK that Bursar knows")
class PathsTest(unittest.TestCase):
    def record(self, jdk, mode, *words, options=()):
        output = scratch() / f"{jdk.feature}-{len(list(scratch().iterdir()))}.bursar"
        done = run(BURSAR, "record", "--mode", mode, "-o", output, *options, "--", *java(jdk, *words))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(run(BURSAR, "validate", output).returncode, 0)
        return output, done.stdout

    def exact(self, jdk):
        if jdk not in EXACT:
            EXACT[jdk] = self.record(jdk, "exact-paths", "Branches", TIMES, THREADS)
        return EXACT[jdk]

    def test_every_branch_of_every_thread_is_counted(self):
        for jdk in JDKS:
            with self.subTest(jdk=jdk.feature):
                profile, _ = self.exact(jdk)
                all_times = TIMES * THREADS
                cond = Paths(profile, "Branches.cond").branches()
                self.assertEqual(cond, [{0: all_times // 2, 1: all_times // 2},
                                        {0: all_times // 6, 1: all_times // 2 - all_times // 6}])
                # tableswitch: case 0, cases 1 and 2, default; in the order of the code
                self.assertEqual(Paths(profile, "Branches.choose").branches(),
                                 [{0: all_times // 4, 1: all_times // 2, 2: all_times // 4}])
                self.assertEqual(Paths(profile, "Branches.sparse").branches(),
                                 [{0: all_times // 5, 1: all_times // 5, 2: all_times * 3 // 5}])
                outer, inner = Paths(profile, "Branches.loops").branches()
                self.assertEqual(outer, {0: 2 * all_times, 1: all_times})
                self.assertEqual(inner, {0: 2 * all_times, 1: 2 * all_times})
                self.assertEqual(Paths(profile, "Branches.fails").branches(),
                                 [{0: all_times // 10, 1: all_times - all_times // 10}])

    def test_exceptions_begin_paths_at_handlers(self):
        for jdk in JDKS:
            with self.subTest(jdk=jdk.feature):
                caught = Paths(self.exact(jdk)[0], "Branches.catches")
                # x is 0, 10, … : of these the first six are not above 50
                few = THREADS * 6
                self.assertEqual(caught.branches(), [{0: TIMES * THREADS // 10 - few, 1: few}])
                returned = sum(path["count"] for path in caught.json["paths"] if path["branches"] == 0)
                self.assertEqual(returned, TIMES * THREADS * 9 // 10)

    def test_paths_are_named_by_their_lines(self):
        profile, _ = self.exact(JDKS[0])
        cond = Paths(profile, "Branches.cond")
        self.assertEqual(cond.count(9, 10), TIMES * THREADS // 2)
        self.assertEqual(cond.count(9, 12), TIMES * THREADS // 2)

    def test_programs_see_no_difference(self):
        for jdk in JDKS:
            plain = run(*java(jdk, "Branches", TIMES, THREADS)).stdout
            with self.subTest(jdk=jdk.feature, mode="exact-paths"):
                self.assertEqual(self.exact(jdk)[1], plain)
            for options in ((), ("--samples", 64), ("--interval", "1ms", "--burst-length", "1ms")):
                with self.subTest(jdk=jdk.feature, mode="paths", options=options):
                    self.assertEqual(self.record(jdk, "paths", "Branches", TIMES, THREADS, options=options)[1], plain)

    def test_virtual_threads_lose_nothing(self):
        jdks = [jdk for jdk in JDKS if jdk.feature >= FIRST_WITH_VIRTUAL_THREADS]
        if not jdks:
            self.skipTest("no JDK with virtual threads")
        for jdk in jdks:
            with self.subTest(jdk=jdk.feature):
                profile, _ = self.record(jdk, "exact-paths", "VirtualBranches", 2000)
                first = Paths(profile, "VirtualBranches.odd").branches()[0]
                self.assertEqual(first, {0: 1_000_000, 1: 1_000_000})

    def test_bursts_and_samples_find_what_is_hot(self):
        for jdk in JDKS:
            truth, _ = self.record(jdk, "exact-paths", "Branches", 20_000_000, 1)
            for kind, options in (("estimate", ()), ("samples", ("--samples", 64))):
                with self.subTest(jdk=jdk.feature, kind=kind):
                    found, _ = self.record(jdk, "paths", "Branches", 20_000_000, 1, options=options)
                    accuracy = json.loads(run(BURSAR, "compare", truth, found, "--json").stdout)
                    self.assertGreater(accuracy["path_accuracy"], 90)
                    self.assertGreater(accuracy["edge_relative_overlap"], 95)
                    self.assertGreater(accuracy["edge_absolute_overlap"], 80)
                    self.assertEqual(Paths(found, "Branches").json["kind"], kind)

    def test_bursts_estimate_how_often_paths_and_calls_were(self):
        """What a frame calls in its loop that runs from start to end."""
        for jdk in JDKS:
            with self.subTest(jdk=jdk.feature):
                times = 30_000_000
                profile, _ = self.record(jdk, "paths", "Branches", times, 1)
                cond = Paths(profile, "Branches.cond")
                self.assertAlmostEqual(cond.count(9, 10) / times, 0.5, delta=0.15)
                self.assertAlmostEqual(cond.count(9, 12) / times, 0.5, delta=0.15)
                for path in cond.json["paths"]:
                    self.assertGreater(path["count_error"], 0)
                    self.assertLess(path["count_error"], path["count"])
                report = json.loads(run(BURSAR, "report", profile, "--top", 100, "--json").stdout)
                calls = {row["method"]: row["own"] for row in report["hot_methods"]}
                self.assertAlmostEqual(calls["Branches.cond"] / times, 1, delta=0.3)

    def test_a_large_program_passes_the_verifier_and_does_the_same(self):
        """javac, by far the most of it in bursts."""
        for jdk in JDKS:
            with self.subTest(jdk=jdk.feature):
                compiled = scratch() / f"compiled-{jdk.feature}"
                self.record(jdk, "paths", "-m", "jdk.compiler/com.sun.tools.javac.Main", "-d", compiled,
                            HERE / "programs" / "Branches.java", options=("--interval", "1ms", "--burst-length", "0.9ms"))
                for made in compiled.rglob("*.class"):
                    self.assertEqual(made.read_bytes(), (classes(jdk) / made.name).read_bytes())
                self.assertTrue(list(compiled.rglob("*.class")))

    def test_virtual_threads_are_seen_in_bursts(self):
        jdks = [jdk for jdk in JDKS if jdk.feature >= FIRST_WITH_VIRTUAL_THREADS]
        if not jdks:
            self.skipTest("no JDK with virtual threads")
        for jdk in jdks:
            with self.subTest(jdk=jdk.feature):
                profile, _ = self.record(jdk, "paths", "VirtualBranches", 2000)
                first = Paths(profile, "VirtualBranches.odd").branches()[0]
                self.assertAlmostEqual(first[0] / sum(first.values()), 0.5, delta=0.1)

    def test_samples_without_a_window_are_as_many_as_asked_for(self):
        profile, _ = self.record(JDKS[0], "paths", "Branches", 20_000_000, 1,
                                 options=("--samples", 10, "--stride", 3, "--window", 0, "--interval", "2ms"))
        counters = json.loads(run(BURSAR, "report", profile, "--json").stdout)["counters"]
        self.assertGreater(counters["ticks"], 20)
        self.assertGreater(counters["path_samples"], 0)
        # main waits; a few threads of the VM's own may run now and then
        self.assertLess(counters["path_samples"], counters["ticks"] * 10 * 3)

    def test_a_long_loop_without_calls_is_sampled(self):
        for jdk in JDKS:
            with self.subTest(jdk=jdk.feature):
                profile, _ = self.record(jdk, "paths", "LongLoop", 30_000_000, options=("--samples", 64))
                whole = Paths(profile, "").json["flow"]
                self.assertGreater(Paths(profile, "LongLoop.spin").json["flow"], whole * 0.5)

    def test_the_profile_follows_a_change_of_phase(self):
        """Two seconds each: what is new has its share in the end."""
        jdk = JDKS[0]
        for options in ((), ("--samples", 64)):
            with self.subTest(options=options):
                profile, _ = self.record(jdk, "paths", "Phases", 2000, options=options)
                outcomes = Paths(profile, "Phases.step").branches()[0]
                share = outcomes.get(0, 0) / sum(outcomes.values())
                # How fast either half runs is the JIT's affair, and that of other programs.
                self.assertGreater(share, 0.05)
                self.assertLess(share, 0.95)

    def test_hot_methods_are_renumbered_and_nothing_is_misread(self):
        for jdk in JDKS:
            with self.subTest(jdk=jdk.feature):
                plain = run(*java(jdk, "Renumbered", 100)).stdout
                profile, out = self.record(jdk, "paths", "Renumbered", 5000, options=("--placement", "profile"))
                self.assertEqual(sorted(out.splitlines()), sorted(plain.splitlines()))
                counters = json.loads(run(BURSAR, "report", profile, "--json").stdout)["counters"]
                self.assertGreater(counters["renumbered_methods"], 0)
                first, second = Paths(profile, "Renumbered.step").branches()
                for branch in (first, second):
                    self.assertGreater(branch[1], 1000 * branch.get(0, 0))

    def test_the_worst_placement_counts_the_same(self):
        profile, _ = self.record(JDKS[0], "paths", "Branches", 20_000_000, 1, options=("--placement", "worst"))
        first = Paths(profile, "Branches.cond").branches()[0]
        self.assertAlmostEqual(first[0] / sum(first.values()), 0.5, delta=0.1)

    def test_a_one_time_profile_is_of_the_first_seconds(self):
        profile, _ = self.record(JDKS[0], "paths", "Phases", 2000, options=("--first", "1s"))
        outcomes = Paths(profile, "Phases.step").branches()[0]
        self.assertEqual(list(outcomes), [1])  # the second phase has not begun

    def test_filters_leave_methods_out(self):
        profile, _ = self.record(JDKS[0], "exact-paths", "Branches", 1000, 1, options=("--include", "Branches"))
        methods = {path["method"] for path in Paths(profile, "").json["paths"]}
        self.assertTrue(methods)
        self.assertTrue(all(method.startswith("Branches.") for method in methods), methods)


if __name__ == "__main__":
    unittest.main()
