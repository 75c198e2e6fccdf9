import subprocess
import tempfile
import unittest
from pathlib import Path

from bench_tree import WORKLOAD, BenchTree


class SideBySide(unittest.TestCase):
    """bench/side_by_side, with a script for a JVM."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = BenchTree(Path(folder.name))

    def run_script(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(self.tree.bench / "side_by_side"), "--workloads", WORKLOAD, *arguments]
        environment = self.tree.environment() | {"BENCH_JDK": str(self.tree.jdk)}
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)

    def test_shows_the_second_over_the_first(self):
        done = self.run_script("a=-Dfake.cpu=100", "b=-Dfake.cpu=150", "--pairs", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("b / a", done.stdout)
        self.assertEqual(done.stdout.splitlines()[-1].split()[1:4], ["1.500", "(1.500", "to"])
        self.assertEqual(len(self.tree.java_runs()), 8)

    def test_a_start_that_differs_is_in_the_first_figure_only(self):
        done = self.run_script("a=-Dfake.cpu=100", "b=-Dfake.cpu=100 -Dfake.first=1100", "--iterations", "10")
        self.assertEqual(done.stdout.splitlines()[-1].split()[1:], ["2.000", "1.000"])

    def test_a_run_that_fails_ends_it(self):
        done = self.run_script("a=", "b=-Dfake.exit=3")
        self.assertEqual(done.returncode, 1)
        self.assertIn("side_by_side: b: exit status 3", done.stderr)

    def test_results_that_differ_end_it(self):
        done = self.run_script("a=", "b=-Dfake.checksum=0000000000000001")
        self.assertEqual(done.returncode, 1)
        self.assertIn("different checksums", done.stderr)

    def test_what_is_no_variant_is_refused(self):
        done = self.run_script("a=", "nonsense")
        self.assertEqual(done.returncode, 1)
        self.assertIn("'nonsense' is not NAME=SPEC", done.stderr)


if __name__ == "__main__":
    unittest.main()
