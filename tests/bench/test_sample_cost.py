import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from bench_tree import OTHER_WORKLOAD, WORKLOAD, BenchTree


class SampleCost(unittest.TestCase):
    """bench/sample_cost, with scripts for the JVM and the profiler."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = BenchTree(Path(folder.name))
        self.out = Path(folder.name, "cost.jsonl")
        self.environment = self.tree.environment() | {
            "BENCH_JDK": str(self.tree.jdk),
            "FAKE_JAVA_PAUSE": "0.01",
            "FAKE_JAVA_SLOWER": f"{folder.name}/slower",
        }

    def run_script(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        bursar = Path(__file__).parent / "fake_bursar"
        short = ["--warmup", "0.2", "--units", "6", "--block", "0.3", "--command", str(bursar)]
        command = [str(self.tree.bench / "sample_cost"), "--workloads", WORKLOAD, *short, *arguments]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=120, check=False)

    def test_shows_what_is_slower_while_it_is_on(self):
        done = self.run_script()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines()[-1].split(),
                         [WORKLOAD, "1.1000", "(1.1000", "to", "1.1000)", "0.50", "%", "360", "6", "72", "100"])

    def test_without_the_profiler_nothing_is_slower(self):
        done = self.run_script("--null")
        self.assertEqual(done.stdout.splitlines()[-1].split()[1:5], ["1.0000", "(1.0000", "to", "1.0000)"])

    def test_a_file_keeps_what_was_measured(self):
        self.assertEqual(self.run_script("--out", str(self.out)).returncode, 0)
        done = self.run_script("--workloads", f"{WORKLOAD},{OTHER_WORKLOAD}", "--out", str(self.out))
        self.assertEqual(len(self.tree.java_runs()), 2)
        self.assertEqual(done.stdout.splitlines()[-1].split()[:3], ["geometric", "mean", "1.1000"])
        self.assertEqual([json.loads(line)["workload"] for line in self.out.read_text().splitlines()],
                         [WORKLOAD, OTHER_WORKLOAD])
        self.assertEqual(self.run_script("--out", str(self.out), "--show").stdout, done.stdout)
        self.assertEqual(self.run_script("--out", str(self.out), "--show", "--null").stdout, "")

    def test_a_profiler_that_fails_is_no_result(self):
        self.environment["FAKE_BURSAR"] = "fail"
        done = self.run_script("--out", str(self.out))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn(f"sample_cost: {WORKLOAD}: bursar attach: bursar: no such thing", done.stderr)
        self.assertFalse(self.out.exists())


if __name__ == "__main__":
    unittest.main()
