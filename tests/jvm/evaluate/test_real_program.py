"""bursar evaluate on a small workload and on a program of one's own, in real JVMs. BURSAR names the command."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
WORKLOAD = "compress"
# Three calls of tiny() for each of rare(), and hot() is what both do: time is not calls.
OWN = """
public class Own {
  static double sink;
  static int tiny(int i) { return i * 31 + 7; }
  static double rare(int i) { double x = i; for (int k = 0; k < 200; ++k) x = Math.sqrt(x + k); return x; }
  static void hot(int i) { int s = tiny(i) + tiny(i + 1) + tiny(i + 2); sink += rare(s & 1023); }
  public static void main(String[] words) {
    for (int i = 0; i < 600_000; ++i) hot(i);
    System.out.println(sink);
  }
}
"""


def evaluate(*words):
    done = subprocess.run([os.environ["BURSAR"], "evaluate", *words], capture_output=True, text=True, timeout=250, check=False)
    return done, json.loads(done.stdout) if done.stdout else None


class OwnProgram(unittest.TestCase):
    @unittest.skipUnless(shutil.which("javac"), "no javac")
    def test_exact_counts_and_costs_and_samples_do_neither(self):
        with tempfile.TemporaryDirectory(prefix="bursar-evaluate-") as folder:
            pathlib.Path(folder, "Own.java").write_text(OWN)
            subprocess.run(["javac", "-d", folder, folder + "/Own.java"], check=True)
            done, result = evaluate("--modes", "exact,sample", "--runs", "5", "--max-size", "1M", "--out", folder + "/out",
                                    "--json", "--", "java", "-cp", folder, "Own")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn('"name":"program"', pathlib.Path(folder, "out/report.html").read_text())
        (program,) = result["workloads"]
        exact, sample = program["profilers"]["exact"], program["profilers"]["sample"]
        self.assertGreater(program["size"]["calls"], 5 * 600_000)
        self.assertGreater(program["ceiling"]["overlap"], 99)
        self.assertLess(sample["overlap"], 60)  # three calls of five are of tiny(), which takes hardly any time
        for cell in (exact, sample):
            self.assertLessEqual(cell["whole_process"]["low"], cell["whole_process"]["ratio"])
        self.assertGreater(exact["whole_process"]["ratio"], 1.2)
        self.assertGreater(exact["whole_process"]["ratio"], sample["whole_process"]["ratio"])
        simulation = program["simulation"]
        self.assertFalse(simulation["complete"])
        self.assertTrue(any("1048576" in note or "size" in note for note in result["notes"]), result["notes"])
        by_scheme = {variant["scheme"]: variant for variant in simulation["variants"]}
        self.assertGreater(by_scheme["burst"]["overlap"], 0)
        self.assertEqual(len(simulation["sweep"]), 24)


class RealProgram(unittest.TestCase):
    @unittest.skipUnless((ROOT / "bench/workloads/suite.jar").exists(), "bench/workloads/setup has not been run")
    def test_two_exact_runs_agree_and_samples_are_worse(self):
        with tempfile.TemporaryDirectory(prefix="bursar-evaluate-") as folder:
            done, result = evaluate(WORKLOAD, "--modes", "exact", "--peer", "jfr", "--only", "accuracy", "--runs", "1",
                                    "--iterations", "2", "--out", folder + "/out", "--workloads-dir",
                                    ROOT / "bench/workloads", "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
        workload = result["workloads"][0]
        self.assertGreater(workload["size"]["calls"], 2 * 60_000_000)
        self.assertGreater(workload["ceiling"]["overlap"], 99.9)
        jfr = workload["profilers"]["jfr"]
        # The recorder's contexts are ours, by name and from the root on, all but its own start; but time is not calls.
        self.assertGreater(jfr["nodes_common"], 0.5 * jfr["nodes_estimate"])
        self.assertLess(jfr["overlap"], 99)


if __name__ == "__main__":
    unittest.main()
