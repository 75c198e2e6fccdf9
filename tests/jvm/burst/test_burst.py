"""Bursts in real JVMs. BURSAR names the command, BURSAR_AGENT the agent.

Where bursts leave no gaps, everything below a gate must be what mode exact counts there.
"""

import atexit
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from sweep.toolchain import find_jdks  # noqa: E402

BURSAR = pathlib.Path(os.environ["BURSAR"]).resolve()
AGENT = pathlib.Path(os.environ["BURSAR_AGENT"]).resolve()
NEWEST_JDK = 25
FIRST_WITHOUT_WAY_OUT = 24  # see ExactMode
JDKS = [jdk for jdk in find_jdks() if jdk.feature <= NEWEST_JDK]
LAST_WITH_FLAGS = 20  # see KeptFromC2
NO_GAPS = "mode=burst,burst_ns=10000000,interval_ns=10000000"


@functools.cache
def scratch():
    folder = tempfile.TemporaryDirectory(prefix="bursar-burst-")
    atexit.register(folder.cleanup)
    return pathlib.Path(folder.name).resolve()


@functools.cache
def classes(jdk):
    folder = scratch() / f"classes-{jdk.feature}"
    subprocess.run([jdk.tool("javac"), "-d", folder, *sorted((HERE / "programs").glob("*.java"))], check=True)
    return folder


def run(*command):
    return subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)


# What the VM calls to link call sites and initialise classes, where bursts do not follow, and what makes adapters.
MAKING = ("<clinit>", "loadClass", "MethodHandleNatives", "ClassSpecializer", "InvokerBytecodeGenerator", "LambdaFormEditor",
          ".classfile.", ".objectweb.asm.")
# The JIT has instructions of its own for it. Until it uses them a burst sees what its body calls, by the gate in a loop there.
REPLACED = "ArraysSupport.vectorizedHashCode;"


def folded(profile, root):
    """Calls by context, from the method that does the work on; what happens once, to be able to call, left out."""
    stacks = {}
    for line in run(BURSAR, "export", profile, "--format", "folded", "--min-share", 0).stdout.splitlines():
        stack, _, count = line.rpartition(" ")
        _, work, below = stack.partition(root)
        if work and REPLACED not in below and not any(word in below for word in MAKING):
            stacks[below] = stacks.get(below, 0) + int(count)
    return stacks


@unittest.skipIf(not JDKS, "no JDK that Bursar knows")
class BurstTest(unittest.TestCase):
    def with_agent(self, jdk, options, *words):
        output = scratch() / f"{jdk.feature}-agent.bursar"
        done = run(jdk.tool("java"), f"-agentpath:{AGENT}={options},output={output}", "-XX:-UsePerfData", "-Xverify:all", "-cp",
                   classes(jdk), *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return output, done.stdout

    def recorded(self, jdk, *options_and_words):
        output = scratch() / f"{jdk.feature}-{len(list(scratch().iterdir()))}.bursar"
        split = options_and_words.index("--")
        done = run(BURSAR, "record", "-o", output, *options_and_words[:split], "--", jdk.tool("java"), "-cp", classes(jdk),
                   *options_and_words[split + 1:])
        self.assertEqual(done.returncode, 0, done.stderr)
        return output, done.stdout

    def report(self, profile):
        return json.loads(run(BURSAR, "report", profile, "--json").stdout)

    def plain(self, jdk, *words):
        return run(jdk.tool("java"), "-cp", classes(jdk), *words).stdout

    def test_a_burst_counts_what_mode_exact_counts(self):
        for jdk in JDKS:
            for options in (NO_GAPS, NO_GAPS + ",gate=Calls.main"):
                with self.subTest(jdk=jdk.feature, options=options):
                    exact, _ = self.with_agent(jdk, "mode=exact", "Calls", 20)
                    truth = folded(exact, "Calls.work")
                    burst, _ = self.with_agent(jdk, options, "Calls", 20)
                    seen = folded(burst, "Calls.work")
                    total = sum(truth.values())
                    missing = sum(max(0, calls - seen.get(stack, 0)) for stack, calls in truth.items())
                    added = sum(max(0, calls - truth.get(stack, 0)) for stack, calls in seen.items())
                    self.assertGreater(total, 1_000_000)
                    self.assertLess(missing / total, 0.001)
                    self.assertLess(added / total, 0.001)

    def test_bursts_follow_method_handles(self):
        """To adapters, and to whatever these lead to."""
        for jdk in JDKS:
            with self.subTest(jdk=jdk.feature):
                exact, output = self.with_agent(jdk, "mode=exact", "Handles", 1500)
                truth = folded(exact, "Handles.work")
                burst, in_burst = self.with_agent(jdk, NO_GAPS, "Handles", 1500)
                seen = folded(burst, "Handles.work")
                self.assertEqual((output, in_burst), (self.plain(jdk, "Handles", 1500),) * 2)
                total = sum(truth.values())
                self.assertGreater(sum(calls for stack, calls in truth.items() if "java.lang.invoke." in stack), total / 2)
                missing = sum(max(0, calls - seen.get(stack, 0)) for stack, calls in truth.items())
                added = sum(max(0, calls - truth.get(stack, 0)) for stack, calls in seen.items())
                self.assertLess(missing / total, 0.01)
                self.assertLess(added / total, 0.01)

    def test_programs_see_no_difference(self):
        for jdk in JDKS:
            with self.subTest(jdk=jdk.feature):
                for options in ("mode=burst,burst_ns=10000,interval_ns=100000", "mode=adaptive,burst_ns=1000,interval_ns=100000"):
                    for program, rounds in (("Calls", 20), ("Handles", 500)):
                        _, output = self.with_agent(jdk, options, program, rounds)
                        self.assertEqual(output, self.plain(jdk, program, rounds))

    def test_estimates_do_not_depend_on_how_fast_calls_are_made(self):
        """A phase of nothing but calls, and one of as many calls that do something: half of the calls each."""
        for jdk in JDKS:
            for mode in ("burst", "adaptive"):
                with self.subTest(jdk=jdk.feature, mode=mode):
                    often = ("--burst-length", "0.05ms", "--interval", "1ms")
                    profile, output = self.recorded(jdk, "--mode", mode, *often, "--", "Phases", 300)
                    self.assertEqual(output, self.plain(jdk, "Phases", 300))
                    seen = {}
                    for line in run(BURSAR, "export", profile, "--format", "folded").stdout.splitlines():
                        stack, _, count = line.rpartition(" ")
                        for method in ("Phases.fast", "Phases.slow"):
                            if stack.endswith(method):
                                seen[method] = seen.get(method, 0) + int(count)
                    truth = 300 * 1_000_000
                    for method in ("Phases.fast", "Phases.slow"):
                        self.assertAlmostEqual(seen[method] / truth, 1, delta=0.25, msg=str(seen))

    def test_optimized_code_ends_at_gates_and_estimates_stay_right(self):
        for jdk in JDKS:
            with self.subTest(jdk=jdk.feature):
                often = ("--burst-length", "0.05ms", "--interval", "1ms")
                profile, output = self.recorded(jdk, "--mode", "burst", *often, "--", "Leaving", 4, 8)
                early, late, right = output.split()
                self.assertEqual(right, "true")
                ends = self.report(profile)["counters"]["times_code_left"]
                self.assertEqual(ends > 100, jdk.feature < FIRST_WITHOUT_WAY_OUT, msg=str(ends))
                for method, rounds in (("Leaving.early", early), ("Leaving.late", late)):
                    calls = sum(count for stack, count in folded(profile, method).items() if stack.endswith("Leaving.step"))
                    self.assertAlmostEqual(calls / (int(rounds) * 100_000), 1, delta=0.25, msg=method)

    def test_a_loop_that_the_jit_cannot_enter_lies_within_one_that_it_can(self):
        """See classfile/quiet_loops.h. Were it in the interpreter for good, its calls would be counted all the same: so does its code end?"""
        rounds = 2_000_000
        for jdk in JDKS:
            with self.subTest(jdk=jdk.feature):
                often = ("--burst-length", "0.05ms", "--interval", "1ms")
                profile, output = self.recorded(jdk, "--mode", "burst", *often, "--", "Stacked", rounds)
                self.assertEqual(output, self.plain(jdk, "Stacked", rounds))
                if jdk.feature < FIRST_WITHOUT_WAY_OUT:
                    self.assertGreater(self.report(profile)["counters"]["times_code_left"], 50)
                seen = folded(profile, "Stacked.main")
                for method, calls in (("step", 50 * rounds), ("add", rounds)):
                    counted = sum(count for stack, count in seen.items() if stack.endswith("Stacked." + method))
                    self.assertAlmostEqual(counted / calls, 1, delta=0.25, msg=method)

    def test_copies_are_kept_from_the_optimizing_compiler(self):
        """Where the VM says how: by what it says it compiled."""
        for jdk in JDKS:
            if jdk.feature > LAST_WITH_FLAGS:
                continue
            for options, kept in (((), True), (("-XX:-TieredCompilation",), False)):
                with self.subTest(jdk=jdk.feature, options=options):
                    log = scratch() / f"compiled-{jdk.feature}-{kept}.xml"
                    logged = ("-XX:+UnlockDiagnosticVMOptions", "-XX:+LogCompilation", f"-XX:LogFile={log}", *options)
                    often = ("--burst-length", "2ms", "--interval", "4ms")
                    profile, output = self.recorded(jdk, "--mode", "burst", *often, "--", *logged, "Phases", 60)
                    self.assertEqual(output, self.plain(jdk, "Phases", 60))
                    self.assertEqual(self.report(profile)["counters"]["copies_kept_from_c2"] > 0, kept)
                    compiled = re.findall(r"<nmethod .*?\bcompiler='(c\d)' .*?\bmethod='Phases \w+ \(.*?(\[{7}Z)?\)", log.read_text())
                    self.assertIn(True, {bool(copy) for _, copy in compiled})
                    self.assertEqual({bool(copy) for compiler, copy in compiled if compiler == "c2"}, {False} if kept else {False, True})

    def test_estimates_of_methods_that_call_each_other_are_right(self):
        """Inner frames pass the same gates as outer ones, which decide for all the others."""
        nodes = (3 ** 12 - 1) // 2
        for jdk in JDKS:
            with self.subTest(jdk=jdk.feature):
                often = ("--burst-length", "0.1ms", "--interval", "1ms")
                profile, output = self.recorded(jdk, "--mode", "burst", *often, "--", "Walks", 250)
                self.assertEqual(output, self.plain(jdk, "Walks", 250))
                calls = sum(count for stack, count in folded(profile, "Walks.main").items() if stack.endswith("Walks.look"))
                self.assertAlmostEqual(calls / (250 * (5 * nodes + 2 * (nodes - 1))), 1, delta=0.25)

    def test_estimates_of_what_the_class_library_calls_back_are_right(self):
        """list.forEach(…) may be all that a program does."""
        for jdk in JDKS:
            with self.subTest(jdk=jdk.feature):
                often = ("--burst-length", "0.1ms", "--interval", "1ms")
                profile, output = self.recorded(jdk, "--mode", "burst", *often, "--", "CallsBack", 30)
                self.assertEqual(output, self.plain(jdk, "CallsBack", 30))
                words = output.splitlines()[0].split()
                seen = folded(profile, "CallsBack.main")
                for method, calls in zip(words[::2], words[1::2]):
                    counted = sum(count for stack, count in seen.items() if stack.endswith("CallsBack." + method))
                    self.assertAlmostEqual(counted / int(calls), 1, delta=0.25, msg=method)

    def test_the_mode_is_the_default_and_says_that_it_estimates(self):
        jdk = JDKS[0]
        profile, _ = self.recorded(jdk, "--", "Calls", 200)
        report = self.report(profile)
        self.assertEqual(report["mode"], "adaptive")
        self.assertGreater(report["counters"]["bursts_begun"], 0)
        self.assertGreater(report["counters"]["bursts_disabled"], 0)
        self.assertGreater(report["total_calls_error"], 0)

    def test_lambdas_that_came_before_the_agent_could_rewrite_them_are_called_from_bursts(self):
        # The launcher of javac names a module, and the VM makes lambdas when it looks for that.
        for jdk in JDKS:
            with self.subTest(jdk=jdk.feature):
                done = run(BURSAR, "record", "--mode", "burst", "--interval", "1ms", "--burst-length", "1ms", "-o",
                           scratch() / f"{jdk.feature}-javac.bursar", "--", jdk.tool("javac"), "-d", scratch() / "javac",
                           HERE / "programs" / "Calls.java")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_all_threads_get_their_share(self):
        jdk = JDKS[0]
        often = ("--burst-length", "0.05ms", "--interval", "1ms")
        profile, _ = self.recorded(jdk, "--mode", "burst", *often, "--", "Phases", 100, 3)
        report = self.report(profile)
        counts = {}
        for line in run(BURSAR, "export", profile, "--format", "folded").stdout.splitlines():
            stack, _, count = line.rpartition(" ")
            if stack.endswith("Phases.fast"):
                counts["fast"] = counts.get("fast", 0) + int(count)
        self.assertGreaterEqual(report["threads"], 3)
        self.assertAlmostEqual(counts["fast"] / (3 * 100 * 1_000_000), 1, delta=0.25)


if __name__ == "__main__":
    unittest.main()
