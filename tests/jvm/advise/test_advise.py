"""bursar advise: real JVMs take the directives and say themselves what they inline. BURSAR names the command."""

import atexit
import functools
import json
import os
import pathlib
import re
import signal
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
SHOW_INLINING = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+DisplayVMOutputToStderr", "-XX:+PrintInlining",
                 "-XX:+PrintCompilation"]
FORCED = r"Folding::fold \(\d+ bytes\)\s+force inline by"
TOO_BIG = r"Folding::fold \(\d+ bytes\)\s+.*hot method too big"


@functools.cache
def scratch():
    folder = tempfile.TemporaryDirectory(prefix="bursar-advise-")
    atexit.register(folder.cleanup)
    return pathlib.Path(folder.name).resolve()


@functools.cache
def classes(jdk):
    folder = scratch() / f"classes-{jdk.feature}"
    subprocess.run([jdk.tool("javac"), "-d", folder, *sorted((HERE / "programs").glob("*.java"))], check=True)
    return folder


def java(jdk, *words, options=()):
    return [str(word) for word in (jdk.tool("java"), "-XX:-UsePerfData", *options, "-cp", classes(jdk), *words)]


def run(command, status=0):
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("JAVA_", "JDK_"))}
    done = subprocess.run([str(word) for word in command], env={**kept, "LC_ALL": "C.UTF-8"}, cwd=scratch(),
                          capture_output=True, text=True, timeout=120)
    if done.returncode != status:
        raise AssertionError(f"{command}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


@functools.cache
def profile():
    """Of Folding, every call counted."""
    file = scratch() / "folding.bursar"
    run([BURSAR, "record", "--mode", "exact", "--quiet", "-o", file, "--", *java(JDKS[0], "Folding", 3000)])
    return file


def each_jdk(test):
    @functools.wraps(test)
    def wrapped(self):
        for jdk in JDKS:
            with self.subTest(jdk=jdk.feature):
                test(self, jdk)

    return wrapped


class AdviceTest(unittest.TestCase):
    def test_a_newer_jdk_is_there(self):
        if JDKS[-1].feature < NEWEST_JDK:
            self.skipTest(f"no JDK {NEWEST_JDK} on this machine: only JDK {JDKS[-1].feature} was asked")

    def test_a_hot_call_of_a_large_method_is_advised(self):
        advice = json.loads(run([BURSAR, "advise", profile(), "--json"]).stdout)
        first = advice["inline"][0]
        self.assertEqual((first["caller"], first["callee"], first["reason"], first["hotspot"]),
                         ("Folding.round", "Folding.fold", "frequent", "leaves"))
        self.assertEqual(first["calls"], 3_000_000)
        self.assertGreater(first["size"], 325)
        self.assertEqual(advice["directives"][0]["callees"], 1)

    @each_jdk
    def test_the_jvm_inlines_what_it_was_asked_to(self, jdk):
        plain = run(java(jdk, "Folding", 20000, options=SHOW_INLINING))
        advised = run([BURSAR, "advise", profile(), "--apply", "--", *java(jdk, "Folding", 20000, options=SHOW_INLINING)])
        self.assertRegex(plain.stderr, TOO_BIG)
        self.assertNotRegex(plain.stderr, FORCED)
        self.assertRegex(advised.stderr, r"\d compiler directives added")
        self.assertRegex(advised.stderr, FORCED)
        self.assertNotRegex(advised.stderr, TOO_BIG)
        self.assertEqual(advised.stdout, plain.stdout, "the program's own output is as it was")

    @each_jdk
    def test_more_directives_than_the_jvm_takes_by_itself(self, jdk):
        # Nearly every call of the JVM's start is advised.
        limits = ["--min-share", "0", "--static-limit", "2000", "--limit", "200"]
        file = scratch() / f"many-{jdk.feature}.json"
        said = run([BURSAR, "advise", profile(), *limits, "--directives", "-o", file]).stderr
        count = len(json.loads(file.read_text()))
        self.assertGreater(count, 50)
        self.assertIn(f"-XX:CompilerDirectivesLimit={count + 1} ", said)
        done = run([BURSAR, "advise", profile(), *limits, "--apply", "--", *java(jdk, "Folding", 100)])
        self.assertIn(f"{count} compiler directives added", done.stderr)

    @each_jdk
    def test_methods_called_like_words_of_hotspots_own(self, jdk):
        file = scratch() / f"words-{jdk.feature}.bursar"
        run([BURSAR, "record", "--mode", "exact", "--quiet", "-o", file, "--", *java(jdk, "Words", 3000)])
        done = run([BURSAR, "advise", file, "--apply", "--",
                    *java(jdk, "Words", 2_000_000, options=[*SHOW_INLINING, "-XX:+CompilerDirectivesPrint"])])
        self.assertIn("+Words.*rint(I)I", done.stderr)
        for word in ("print", "MemLimit", "bool"):
            self.assertRegex(done.stderr, rf"Words::{word} \(\d+ bytes\)\s+force inline by")

    def test_every_word_of_this_jvm_is_known(self):
        known = re.sub(r' "\n +"', " ", (HERE.parents[2] / "src/export/method_pattern.cpp").read_text())
        for jdk in JDKS:
            said = run([jdk.tool("java"), "-XX:CompileCommand=help", "-version"])
            words = re.findall(r"^ {4}(\w+) \((\w+)\)$", said.stdout + said.stderr, re.MULTILINE)
            self.assertGreater(len(words), 20)
            for word in {word for pair in words for word in pair}:
                self.assertIn(f" {word.lower()} ", known, f"JDK {jdk.feature}")

    def test_the_exit_status_is_the_programs(self):
        run([BURSAR, "advise", profile(), "--apply", "--", *java(JDKS[0], "Folding", "nonsense")], status=1)
        run([BURSAR, "advise", profile(), "--apply", "--", "sh", "-c", "kill -9 $$"], status=128 + signal.SIGKILL)

    def test_no_file_is_left(self):
        folder = scratch() / "tmp"
        folder.mkdir()
        run(["env", f"TMPDIR={folder}", BURSAR, "advise", profile(), "--apply", "--", *java(JDKS[0], "Folding", 10)])
        self.assertEqual(list(folder.iterdir()), [])


class RunningJvmTest(unittest.TestCase):
    def start(self, command):
        # Of its own: the JVM of the test before may still write to its log.
        self.log = scratch() / f"running-{len(list(scratch().glob('running-*')))}.log"
        with self.log.open("w") as log:
            process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=log, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def await_log(self, pattern):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if re.search(pattern, self.log.read_text()):
                return
            time.sleep(0.05)
        self.fail(f"the JVM never said {pattern}")

    @each_jdk
    def test_a_jvm_that_runs_compiles_anew(self, jdk):
        process = self.start(java(jdk, "Folding", 10_000_000, 20, options=SHOW_INLINING))
        self.await_log(TOO_BIG)
        self.assertNotRegex(self.log.read_text(), FORCED)
        done = run([BURSAR, "advise", profile(), "--apply", "--pid", process.pid])
        self.assertRegex(done.stderr, r"2 directives added to process \d+; the compiled code of 1 class is thrown away")
        self.await_log(FORCED)
        self.assertIsNone(process.poll())

    @each_jdk
    def test_the_result_stays_the_same(self, jdk):
        expected = run(java(jdk, "Folding", 30000)).stdout
        process = self.start(java(jdk, "Folding", 30000, 100, options=SHOW_INLINING))
        self.await_log(TOO_BIG)
        run([BURSAR, "advise", profile(), "--apply", "--pid", process.pid])
        self.assertEqual(process.communicate(timeout=60)[0], expected)

    @each_jdk
    def test_a_jvm_that_takes_no_more_says_so(self, jdk):
        process = self.start(java(jdk, "Folding", 10_000_000, 20,
                                  options=[*SHOW_INLINING, "-XX:CompilerDirectivesLimit=2"]))
        self.await_log(TOO_BIG)
        done = run([BURSAR, "advise", profile(), "--apply", "--pid", process.pid], status=1)
        self.assertRegex(done.stderr, r"did not take the directives: Could not add 2 more directives.*--limit N")

    def test_classes_that_count_are_left_alone(self):
        for mode in ("exact", "exact-paths"):
            with self.subTest(mode=mode):
                profiled = scratch() / f"{mode}.bursar"
                shell = self.start([BURSAR, "record", "--mode", mode, "--force", "-o", profiled, "--",
                                    *java(JDKS[0], "Folding", 10_000_000, 20, options=SHOW_INLINING)])
                self.await_log(r"Folding::round")
                pid = int(pathlib.Path(f"/proc/{shell.pid}/task/{shell.pid}/children").read_text())
                done = run([BURSAR, "advise", profile(), "--apply", "--pid", pid], status=1)
                self.assertIn("2 directives added", done.stderr)
                self.assertIn("they stay as they are", done.stderr)
                shell.send_signal(signal.SIGTERM)
                self.assertEqual(shell.wait(60), 143)
                run([BURSAR, "validate", profiled])

    def test_a_jvm_that_is_sampled_goes_on(self):
        profiled = scratch() / "sampled.bursar"
        process = self.start(java(JDKS[0], "Folding", 10_000_000, options=SHOW_INLINING))
        self.await_log(TOO_BIG)
        run([BURSAR, "attach", process.pid, "start", "--force", "-o", profiled])
        run([BURSAR, "advise", profile(), "--apply", "--pid", process.pid])
        self.await_log(FORCED)
        time.sleep(0.5)
        run([BURSAR, "attach", process.pid, "stop"])
        self.assertGreater(json.loads(run([BURSAR, "report", profiled, "--json"]).stdout)["total_samples"], 5)


if __name__ == "__main__":
    unittest.main()
