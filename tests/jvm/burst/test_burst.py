"""Bursts in real JVMs. BURSAR names the command, BURSAR_AGENT the agent: `record` does not offer the mode.

With a chance of 1 and a gate that is there from the start, everything below the gate is one burst: it must be what mode
exact counts there.
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
AGENT = pathlib.Path(os.environ["BURSAR_AGENT"]).resolve()
NEWEST_JDK = 25
JDKS = [jdk for jdk in find_jdks() if jdk.feature <= NEWEST_JDK]


@functools.cache
def scratch():
    folder = tempfile.TemporaryDirectory(prefix="bursar-burst-")
    atexit.register(folder.cleanup)
    return pathlib.Path(folder.name).resolve()


@functools.cache
def classes(jdk):
    folder = scratch() / f"classes-{jdk.feature}"
    subprocess.run([jdk.tool("javac"), "-d", folder, HERE / "programs" / "Calls.java"], check=True)
    return folder


def run(*command):
    return subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)


def folded(profile):
    """Calls by context, from the method that does the work on.

    Without what the VM calls to link call sites and initialise classes, and what method handles call: bursts do not follow
    there.
    """
    stacks = {}
    for line in run(BURSAR, "export", profile, "--format", "folded").stdout.splitlines():
        stack, _, count = line.rpartition(" ")
        _, work, below = stack.partition("Calls.work")
        if work and not any(word in below for word in ("java.lang.invoke.", "<clinit>", "loadClass")):
            stacks[below] = stacks.get(below, 0) + int(count)
    return stacks


@unittest.skipIf(not JDKS, "no JDK that Bursar knows")
class BurstTest(unittest.TestCase):
    def profiled(self, jdk, options, times, *jvm_options):
        output = scratch() / f"{jdk.feature}-{options.partition(',')[0]}.bursar"
        done = run(jdk.tool("java"), f"-agentpath:{AGENT}={options},output={output}", "-XX:-UsePerfData", *jvm_options, "-cp",
                   classes(jdk), "Calls", times)
        self.assertEqual(done.returncode, 0, done.stderr)
        return output, done.stdout

    def plain(self, jdk, times):
        return run(jdk.tool("java"), "-cp", classes(jdk), "Calls", times).stdout

    def test_a_burst_counts_what_mode_exact_counts(self):
        for jdk in JDKS:
            with self.subTest(jdk=jdk.feature):
                exact, _ = self.profiled(jdk, "mode=exact", 20)
                burst, _ = self.profiled(jdk, "mode=burst,chance=1,gate=Calls.work", 20, "-Xverify:all")
                truth, seen = folded(exact), folded(burst)
                total = sum(truth.values())
                missing = sum(max(0, calls - seen.get(stack, 0)) for stack, calls in truth.items())
                added = sum(max(0, calls - truth.get(stack, 0)) for stack, calls in seen.items())
                self.assertGreater(total, 1_000_000)
                self.assertLess(missing / total, 0.001)
                self.assertLess(added / total, 0.001)

    def test_programs_see_no_difference(self):
        for jdk in JDKS:
            with self.subTest(jdk=jdk.feature):
                _, output = self.profiled(jdk, "mode=burst,chance=0.5,gate=Calls.work,gate=Calls.thrown", 20, "-Xverify:all")
                self.assertEqual(output, self.plain(jdk, 20))

    def test_gates_are_found_while_the_program_runs(self):
        for jdk in JDKS:
            with self.subTest(jdk=jdk.feature):
                profile, output = self.profiled(jdk, "mode=burst,chance=0.5", 3000)
                self.assertEqual(output.splitlines()[0], self.plain(jdk, 3000).splitlines()[0])
                report = json.loads(run(BURSAR, "report", profile, "--json").stdout)
                self.assertGreater(report["counters"]["gates"], 0)
                self.assertGreater(report["counters"]["bursts"], 0)
                self.assertGreater(report["total_calls"], 0)


if __name__ == "__main__":
    unittest.main()
