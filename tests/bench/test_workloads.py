import subprocess
import tempfile
import unittest
from pathlib import Path

from bench_tree import BENCH, ROOT, WORKLOAD, BenchTree


class Lists(unittest.TestCase):
    FOLDER = BENCH / "workloads"

    def listed(self) -> list[list[str]]:
        lines = (self.FOLDER / "workloads.txt").read_text().splitlines()
        return [[word.strip() for word in line.split("|")] for line in lines if not line.startswith("#")]

    def test_every_workload_is_in_every_list(self):
        described = sorted(row[1].removesuffix(" *") for row in self.listed())
        for name in ("classpath.txt", "checksums.txt"):
            lines = [line for line in (self.FOLDER / name).read_text().splitlines() if not line.startswith("#")]
            self.assertEqual(described, sorted(line.split()[0].removesuffix(":") for line in lines), name)

    def test_every_package_a_workload_comes_from_is_installed_by_setup(self):
        groups = [line.partition("#")[0].partition(":") for line in (ROOT / "packages.txt").read_text().splitlines()]
        installed = {package for name, _, packages in groups if name == "workloads" for package in packages.split()}
        named = {package for row in self.listed() for package in row[2].split() if package != "-"}
        self.assertLessEqual(named | {"openjdk-17-jdk-headless", "openjdk-17-source"}, installed)


class Running(unittest.TestCase):
    """bench/workloads/run, with a script for a JVM."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = BenchTree(Path(folder.name))

    def run_script(self, *arguments: str, jdk: Path | None = None) -> subprocess.CompletedProcess[str]:
        environment = self.tree.environment() | {"BENCH_JDK": str(jdk or self.tree.jdk)}
        script = str(self.tree.bench / "workloads" / "run")
        return subprocess.run([script, *arguments], env=environment, capture_output=True, text=True, check=False)

    def test_prints_the_command_it_would_run(self):
        done = self.run_script("--print", WORKLOAD, "7", "--seed", "3", "--", "-Xint", "-Dname=a b")
        java, *words = done.stdout.splitlines()
        self.assertEqual(java, str(self.tree.jdk / "bin" / "java"))
        self.assertEqual(words[:5], ["-Xms512m", "-Xmx512m", "-Djava.awt.headless=true", "-Xint", "-Dname=a b"])
        self.assertEqual(words[-5:], ["bench.Harness", WORKLOAD, "7", "--seed", "3"])
        self.assertEqual(self.tree.java_runs(), [])

    def test_runs_it(self):
        done = self.run_script(WORKLOAD, "3", "--warmup-iterations", "1", "--", "-Dfake.cpu=30")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("iter 4 ms 30.0", done.stdout)
        self.assertEqual(self.tree.java_runs(), [f"{WORKLOAD} -Dfake.cpu=30"])

    def refused(self, message: str, *arguments: str, jdk: Path | None = None) -> None:
        done = self.run_script(*arguments, jdk=jdk)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, message)

    def test_what_is_not_there_is_named(self):
        self.refused("usage: run", *())
        self.refused("no such workload: nope", "nope")
        self.refused("no such workload: f.p", "f.p")
        self.refused("no java in /no/jdk/bin; BENCH_JDK names", WORKLOAD, jdk=Path("/no/jdk"))
        (self.tree.bench / "workloads" / "suite.jar").unlink()
        self.refused("no .*suite.jar; .*setup makes or installs it", WORKLOAD)


if __name__ == "__main__":
    unittest.main()
