import os
import signal
import sys
import tempfile
import time
import unittest
from pathlib import Path

import bench_tree  # noqa: F401
from measure import process

BURN = "import time\nwhile time.process_time() < 0.3: pass"


class Process(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_shell(self, script: str, timeout_s: float = 60) -> process.Usage:
        return process.run(["sh", "-c", script], self.folder / "stdout", self.folder / "stderr", timeout_s)

    def test_output_and_status_are_kept(self):
        usage = self.run_shell("echo out; echo err >&2; exit 3")
        self.assertEqual((usage.exit_code, usage.timed_out), (3, False))
        self.assertEqual((self.folder / "stdout").read_text(), "out\n")
        self.assertEqual((self.folder / "stderr").read_text(), "err\n")

    def test_a_signal_is_told_from_a_status(self):
        self.assertEqual(self.run_shell("kill -SEGV $$").exit_code, -signal.SIGSEGV)

    def test_cpu_time_includes_children(self):
        usage = self.run_shell(f"{sys.executable} -c '{BURN}'; true")
        self.assertGreater(usage.cpu_s, 0.29)
        self.assertGreater(usage.max_rss_kb, 1000)

    def test_memory_of_the_group_is_looked_at_as_often_as_asked_for(self):
        hold = f"{sys.executable} -c 'import time; kept = b\"x\" * 50_000_000; time.sleep(1)'; true"
        usage = process.run(["sh", "-c", hold], self.folder / "stdout", self.folder / "stderr", 60, memory_every_s=0.1)
        self.assertIn(len(usage.rss_kb), range(5, 40))
        self.assertGreater(max(usage.rss_kb), 50_000)
        self.assertLess(usage.rss_kb[-1], 200_000)
        self.assertEqual(self.run_shell("true").rss_kb, [])

    def test_what_it_leaves_behind_is_ended(self):
        self.run_shell("sleep 600 & echo $!")
        self.assert_ends(int((self.folder / "stdout").read_text()))

    def test_on_timeout_the_whole_group_may_clean_up(self):
        # The launcher ends at once; what it started takes a moment, as a JVM with shutdown hooks does.
        inner = self.folder / "inner"
        inner.write_text(f"trap 'sleep 0.5; touch {self.folder}/cleaned; exit' TERM\nwhile :; do sleep 0.05; done\n")
        usage = self.run_shell(f"sh {inner}; exit 0", timeout_s=1)
        self.assertTrue(usage.timed_out)
        self.assertEqual(usage.exit_code, -signal.SIGTERM)
        self.assertTrue((self.folder / "cleaned").exists())

    def test_what_does_not_end_when_asked_is_ended(self):
        grace = process.GRACE_SECONDS
        process.GRACE_SECONDS = 0.3
        self.addCleanup(setattr, process, "GRACE_SECONDS", grace)
        usage = self.run_shell("trap '' TERM; sleep 600 & echo $!; wait", timeout_s=1)
        self.assertEqual((usage.timed_out, usage.exit_code), (True, -signal.SIGKILL))
        self.assert_ends(int((self.folder / "stdout").read_text()))

    def assert_ends(self, pid: int) -> None:
        for _ in range(500):
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                return
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return  # ended; nobody has collected it yet
            time.sleep(0.02)
        self.fail(f"process {pid} is still there")


if __name__ == "__main__":
    unittest.main()
