"""bench/slowdown from end to end, with a script for a JVM."""

import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from bench_tree import OTHER_WORKLOAD, WORKLOAD, BenchTree


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.tree = BenchTree(self.folder)


class Measuring(CommandTest):
    def test_ratios_come_out_as_they_went_in(self):
        done = self.tree.slowdown(
            "--workloads", f"{WORKLOAD},{OTHER_WORKLOAD}", "--json", str(self.folder / "out.json"),
            "--with", "null=", "--with", "twice=-Dfake.cpu=200 -Dfake.first=900",
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        value = json.loads((self.folder / "out.json").read_text())
        for workload in (WORKLOAD, OTHER_WORKLOAD):
            variants = value["workloads"][workload]["variants"]
            self.assertEqual(variants["null"]["slowdown"], {"ratio": 1.0, "low": 1.0, "high": 1.0})
            for bound in variants["twice"]["slowdown"].values():
                self.assertAlmostEqual(bound, 2)
            self.assertAlmostEqual(variants["twice"]["first_iteration"]["ratio"], 9)
            self.assertGreater(variants["twice"]["medians"]["max_rss_mb"], 1)
        self.assertAlmostEqual(value["geometric_mean"]["twice"]["slowdown"]["ratio"], 2)
        self.assertIn("slower, at most +100.0 %", done.stdout)
        self.assertEqual(len(self.tree.java_runs()), 2 * 3 * 5)

    def test_a_command_goes_around_java_and_its_output_file_is_temporary(self):
        wrapper = self.folder / "wrap"
        seen = self.folder / "seen"
        wrapper.write_text(f'#!/bin/sh\ntouch "$1" && echo "$1" >> {seen} && shift && exec "$@"\n')
        wrapper.chmod(0o755)
        spec = f"{wrapper} {{out}} {{java}} -Dfake.cpu=300"
        done = self.tree.slowdown("--workloads", WORKLOAD, "--runs", "2", "--with", f"wrapped={spec}")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"wrapped +2 +300\.0 +3\.000")
        outputs = seen.read_text().splitlines()
        self.assertEqual(len(set(outputs)), 2)
        self.assertFalse(any(Path(output).exists() for output in outputs))

    def test_json_to_stdout_replaces_the_table(self):
        done = self.tree.slowdown("--quick", "--workloads", WORKLOAD, "--with", "null=", "--json", "-")
        value = json.loads(done.stdout)
        self.assertEqual(value["workloads"][WORKLOAD]["variants"]["null"]["verdict"], "no interval under 5 rounds")

    def test_another_jdk_is_compared_with_the_baselines_checksum(self):
        self.tree.set_jdk_version("25.0.1+3")
        other = "--jvm=-Dfake.checksum=00000000000000aa"
        done = self.tree.slowdown("--quick", "--workloads", WORKLOAD, other, "--with", "null=")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("checksums compared with the baseline's only", done.stdout)


class Failing(CommandTest):
    def slowdown(self, spec: str, *more: str) -> subprocess.CompletedProcess[str]:
        variants = ["--with", f"bad={spec}", "--with", "null="]
        return self.tree.slowdown("--workloads", WORKLOAD, "--runs", "2", *variants, *more)

    def assert_only_bad_failed(self, done: subprocess.CompletedProcess[str], reason: str) -> None:
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, rf"bad +FAILED: {reason} \(round 1\)")
        self.assertRegex(done.stdout, r"null +2 +100\.0 +1\.000")
        self.assertEqual(len([run for run in self.tree.java_runs() if "fake" in run]), 1, "not tried again")

    def test_a_crash_is_reported_with_its_last_words(self):
        done = self.slowdown("-Dfake.exit=134")
        self.assert_only_bad_failed(done, "exit status 134")
        self.assertIn("    the agent could not be loaded\n", done.stdout)

    def test_a_wrong_checksum_is_no_number(self):
        done = self.slowdown("-Dfake.checksum=00000000000000aa")
        self.assert_only_bad_failed(done, "wrong checksum 00000000000000aa, .* 54829b515e9429ae")

    def test_iterations_that_disagree_are_no_number(self):
        self.assert_only_bad_failed(self.slowdown("-Dfake.unstable"), "the iterations give different checksums")

    def test_output_that_ends_early_is_no_number(self):
        self.assert_only_bad_failed(self.slowdown("-Dfake.silent"), "no result line after 6 iterations")

    def test_a_run_that_hangs_is_ended(self):
        self.assert_only_bad_failed(self.slowdown("-Dfake.hang", "--timeout", "1"), "still running after 1 s")

    def test_failed_cells_can_be_retried(self):
        flag = self.folder / "broken"
        flag.touch()
        wrapper = self.folder / "wrap"
        wrapper.write_text(f'#!/bin/sh\nif [ -e {flag} ]; then exit 3; fi\nexec "$@"\n')
        wrapper.chmod(0o755)
        self.assertEqual(self.slowdown(f"{wrapper} {{java}}").returncode, 1)
        flag.unlink()
        self.assertEqual(self.slowdown(f"{wrapper} {{java}}").returncode, 1)
        done = self.slowdown(f"{wrapper} {{java}}", "--retry-failed")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"bad +2 +100\.0 +1\.000")

    def test_a_failed_baseline_ends_its_workload(self):
        done = self.slowdown("-Dfake.cpu=200", "--jvm=-Dfake.exit=1")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"baseline +FAILED: exit status 1 \(round 1\)")
        self.assertLessEqual(len(self.tree.java_runs()), 3)


class Resuming(CommandTest):
    def slowdown(self, *more: str) -> subprocess.CompletedProcess[str]:
        return self.tree.slowdown("--workloads", WORKLOAD, "--with", "twice=-Dfake.cpu=200", *more)

    def test_only_what_is_missing_is_run(self):
        first = self.slowdown("--runs", "3")
        self.assertEqual(len(self.tree.java_runs()), 6)
        self.assertEqual(self.slowdown("--runs", "3").stdout, first.stdout)
        self.assertEqual(len(self.tree.java_runs()), 6)
        whole = self.tree.results.read_bytes()
        self.tree.results.write_bytes(whole[:-10])
        self.assertEqual(self.slowdown("--runs", "5").returncode, 0)
        self.assertEqual(len(self.tree.java_runs()), 6 + 1 + 4)
        self.assertEqual(len(self.tree.results.read_text().splitlines()), 1 + 10)

    def test_other_settings_are_refused(self):
        self.slowdown("--runs", "1")
        done = self.slowdown("--runs", "1", "--threads", "3")
        self.assertEqual(done.returncode, 2)
        self.assertIn("threads: nothing in the file, 3 now", done.stderr)
        self.assertEqual(len(self.tree.java_runs()), 2)

    def test_results_can_be_shown_without_running(self):
        measured = self.slowdown("--runs", "5")
        show = [str(self.tree.bench / "slowdown"), "--show", str(self.tree.results)]
        shown = subprocess.run(show, capture_output=True, text=True, check=True)
        self.assertEqual(shown.stdout, measured.stdout)

    def test_an_interruption_ends_the_child_and_leaves_a_file_to_continue(self):
        command = self.tree.command("--workloads", WORKLOAD, "--runs", "1", "--with", "slow=-Dfake.hang")
        wrapper = self.folder / "wrap"
        child = self.folder / "child"
        wrapper.write_text(f'#!/bin/sh\necho $$ > {child}\n"$@"\n')  # no exec: java is a grandchild
        wrapper.chmod(0o755)
        command[-1] = f"slow={wrapper} {{java}} -Dfake.hang"
        for number in (signal.SIGINT, signal.SIGTERM):
            child.unlink(missing_ok=True)
            running = subprocess.Popen(command, env=self.tree.environment(), stderr=subprocess.PIPE, text=True)
            self.addCleanup(running.kill)
            deadline = time.monotonic() + 60
            while not (child.exists() and child.read_text().endswith("\n")) and time.monotonic() < deadline:
                time.sleep(0.02)
            group = int(child.read_text())
            running.send_signal(number)
            messages = running.communicate(timeout=60)[1]
            self.assertEqual(running.returncode, 130, messages)
            self.assertIn("to continue: ", messages)
            self.assertIn(str(self.tree.results), messages)
            with self.assertRaises(ProcessLookupError):
                self.wait_for_end(group)
        self.assertEqual(len([line for line in self.tree.results.read_text().splitlines() if '"slow", ' in line]), 0)

    def wait_for_end(self, group: int) -> None:
        """Raises when no process of the group is left; killed ones need a moment."""
        for _ in range(500):
            os.killpg(group, 0)
            time.sleep(0.02)


class Refusing(CommandTest):
    def refused(self, message: str, *arguments: str) -> None:
        done = self.tree.slowdown(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, message)
        self.assertNotIn("Traceback", done.stderr)
        self.assertEqual(self.tree.java_runs(), [])

    def test_wrong_usage_is_explained(self):
        null = ("--with", "null=")
        self.refused("give --with NAME=SPEC")
        self.refused("no such workload: nope; there are antlr, ", *null, "--workloads", "fop,nope")
        self.refused("--workloads names none", *null, "--workloads", ",")
        self.refused("two variants named null", *null, *null)
        self.refused("two variants named baseline", "--with", "baseline=-Xint")
        self.refused("must be 1 or more", *null, "--runs", "0")
        self.refused("must be a number of seconds", *null, "--warmup-seconds", "-1")
        self.refused("--jvm takes JVM options only", *null, "--jvm", "env {java}")
        self.refused("no such command: build/nothing", "--with", "a=build/nothing {java}")
        self.refused("no --with or --out beside it", *null, "--show", "x")

    def test_what_is_not_there_is_named(self):
        null = ("--with", "null=", "--workloads", WORKLOAD)
        self.refused("no java in /no/jdk/bin; BENCH_JDK", *null, "--jdk", "/no/jdk")
        (self.tree.jdk / "release").unlink()
        self.refused("release: No such file or directory; is this a JDK", *null)
        (self.tree.bench / "workloads" / "suite.jar").unlink()
        self.refused("suite.jar; .*workloads/setup makes", *null)

    def test_help_opens_with_examples(self):
        done = self.tree.slowdown("--help")
        self.assertEqual(done.returncode, 0)
        self.assertTrue(done.stdout.startswith("examples:\n  bench/slowdown "))


if __name__ == "__main__":
    unittest.main()
