"""bursar evaluate on a small workload, in real JVMs. BURSAR in the environment names the command."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
WORKLOAD = "compress"


class RealProgram(unittest.TestCase):
    @unittest.skipUnless((ROOT / "bench/workloads/suite.jar").exists(), "bench/workloads/setup has not been run")
    def test_two_exact_runs_agree_and_samples_are_worse(self):
        with tempfile.TemporaryDirectory(prefix="bursar-evaluate-") as folder:
            done = subprocess.run(
                [os.environ["BURSAR"], "evaluate", WORKLOAD, "--modes", "exact", "--peer", "jfr", "--only", "accuracy",
                 "--runs", "1", "--iterations", "2", "--out", folder + "/out", "--workloads-dir", ROOT / "bench/workloads",
                 "--json"],
                capture_output=True, text=True, timeout=250, check=False,
            )
            self.assertEqual(done.returncode, 0, done.stderr)
        workload = json.loads(done.stdout)["workloads"][0]
        self.assertGreater(workload["size"]["calls"], 2 * 60_000_000)
        self.assertGreater(workload["ceiling"]["overlap"], 99.9)
        jfr = workload["profilers"]["jfr"]
        # The recorder's contexts are ours, by name and from the root on, all but its own start; but time is not calls.
        self.assertGreater(jfr["nodes_common"], 0.5 * jfr["nodes_estimate"])
        self.assertLess(jfr["overlap"], 99)


if __name__ == "__main__":
    unittest.main()
