"""What other people's programs read in our exports: the same total, and the same number for every method.

test_readers.py BURSAR MAKE_PROFILES

The truth is what `bursar report` says of the whole, and what the folded export says of each method.
"""
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
INPUTS = HERE.parent / "golden" / "inputs"
BURSAR, MAKE_PROFILES = sys.argv[1:3]
# A small program, so that modes that look now and then see something of it as well.
PROGRAM = ["java", "-m", "jdk.compiler/com.sun.tools.javac.Main", "--help-lint"]
RECORDED = ["exact", "adaptive", "burst", "sample", "cbs"]
# These have lines: of a program whose source is at hand. Only the last has stacks as well.
ONLY_PATHS = {"recorded-exact-paths": ["exact-paths"], "recorded-sampled-paths": ["paths", "--samples", "64"]}
PATHS = ONLY_PATHS | {"recorded-paths": ["paths"]}
SOURCES = HERE.parent / "jvm" / "paths" / "programs"


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def positive(numbers):
    return {name: number for name, number in numbers.items() if number > 0}


class Readers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="bursar-readers-")
        cls.folder = pathlib.Path(cls.temporary.name)
        run(MAKE_PROFILES, cls.folder)
        cls.profiles = ["exact", "estimate", "overflowed", "shop", "sampled"]
        for source, name, metric in (("shop", "shop", "calls"), ("shop_sampled", "sampled", "samples")):
            run(BURSAR, "import", INPUTS / f"{source}.folded", "--format", "folded", "--metric", metric,
                "-o", cls.folder / f"{name}.bursar")
        for mode in RECORDED:
            run(BURSAR, "record", "--mode", mode, "-o", cls.folder / f"recorded-{mode}.bursar", "--", *PROGRAM)
            cls.profiles.append(f"recorded-{mode}")
        # A trace becomes a profile first.
        run(BURSAR, "record", "--mode", "trace", "-o", cls.folder / "run.trace", "--", *PROGRAM)
        run(BURSAR, "simulate", cls.folder / "run.trace", "--scheme", "exhaustive", "-o", cls.folder / "recorded-trace.bursar")
        cls.profiles.append("recorded-trace")
        run("javac", "-g", "-d", cls.folder / "classes", SOURCES / "Branches.java")
        shutil.copy(SOURCES / "Branches.java", cls.folder)
        for name, mode in PATHS.items():
            run(BURSAR, "record", "--mode", *mode, "-o", cls.folder / f"{name}.bursar", "--",
                "java", "-cp", cls.folder / "classes", "Branches", "60000", "4")
        cls.profiles.append("recorded-paths")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def export(self, name, form, *options):
        output = self.folder / f"{name}.{form}"
        run(BURSAR, "export", self.folder / f"{name}.bursar", "--format", form, "--force", "-o", output, *options)
        return output

    def truth(self, name, *options):
        """Own number of each frame, by the folded export; its sum is the report's total."""
        own = collections.Counter()
        for line in self.export(name, "folded", *options).read_text().splitlines():
            stack, count = line.rsplit(" ", 1)
            own[stack.split(";")[-1]] += int(count)
        report = json.loads(run(BURSAR, "report", self.folder / f"{name}.bursar", "--json", "--top", "1"))
        self.assertAlmostEqual(sum(own.values()), report["total"], delta=0.51, msg=name)
        return positive(own)

    def test_pprof(self):
        for name in self.profiles:
            with self.subTest(name):
                metric = json.loads(run(BURSAR, "report", self.folder / f"{name}.bursar", "--json"))["metric"]
                top = run("go", "tool", "pprof", "-top", f"-sample_index={metric}", "-nodefraction=0",
                          "-nodecount=1000000", self.export(name, "pprof"), env={**os.environ, "HOME": str(self.folder)})
                read = collections.Counter()
                for line in top.split("cum%\n", 1)[1].splitlines():
                    # flat, flat%, sum%, cum, cum%, frame; a unit may be several words
                    flat, frame = re.fullmatch(r"\s*(\d+).*?%\s+\S+%\s+.*?%\s+(.+)", line).groups()
                    read[frame] += int(flat)
                truth = self.truth(name)
                self.assertEqual(positive(read), truth)
                total = re.search(r"of (\d+).* total", top)
                self.assertEqual(int(total.group(1)), sum(truth.values()))

    def test_pprof_comes_back(self):
        for name in self.profiles:
            with self.subTest(name):
                packed = self.export(name, "pprof")
                run(BURSAR, "import", packed, "--format", "pprof", "--force", "-o", self.folder / "back.bursar")
                metric = json.loads(run(BURSAR, "report", self.folder / f"{name}.bursar", "--json"))["metric"]
                self.assertEqual(self.truth_of_back(metric), self.truth(name))

    def truth_of_back(self, metric):
        own = collections.Counter()
        text = run(BURSAR, "export", self.folder / "back.bursar", "--format", "folded", "--metric", metric)
        for line in text.splitlines():
            stack, count = line.rsplit(" ", 1)
            own[stack.split(";")[-1]] += int(count)
        return positive(own)

    def test_callgrind(self):
        for name in self.profiles:
            with self.subTest(name):
                text = run("callgrind_annotate", "--threshold=100", "--auto=no", "--show-percs=no",
                           self.export(name, "callgrind"))
                total = int(re.search(r"^\s*([\d,]+)\s+PROGRAM TOTALS", text, re.MULTILINE).group(1).replace(",", ""))
                read = {}
                for number, frame in re.findall(r"^\s*([\d,]+)\s+:(.*)$", text, re.MULTILINE):
                    read[frame.strip()] = int(number.replace(",", ""))
                truth = self.truth(name, "--max-contexts", "0")
                self.assertEqual(total, sum(truth.values()))
                self.assertEqual(positive(read), truth)

    def test_callgrind_has_call_counts(self):
        text = run("callgrind_annotate", "--tree=calling", "--threshold=100", "--auto=no", "--show-percs=no",
                   self.export("exact", "callgrind"))
        self.assertRegex(text, r"arraycopy \(5,000,000x\)")

    def runs_of_blocks(self, name):
        """By method and block, as `bursar paths` tells: a block that a path only arrives at is counted by the next one."""
        paths = json.loads(run(BURSAR, "paths", self.folder / f"{name}.bursar", "--top", "1000000", "--json"))["paths"]
        beginnings = {(path["method"], path.get("descriptor"), path["blocks"][0]) for path in paths}
        runs, lines = collections.Counter(), {}
        for path in paths:
            for i, block in enumerate(path["blocks"]):
                place = (path["method"], path.get("descriptor"), block)
                if "lines" in path:
                    lines[place] = path["lines"][i]
                arrives = 0 < i == len(path["blocks"]) - 1 and place in beginnings
                runs[place] += 0 if arrives else path["count"]
        return runs, lines

    def test_callgrind_has_blocks_and_jumps_of_paths(self):
        for name in ONLY_PATHS:
            with self.subTest(name):
                exported = self.export(name, "callgrind")
                text = run("callgrind_annotate", "--threshold=100", "--auto=no", "--show-percs=no", exported)
                total = int(re.search(r"^\s*([\d,]+)\s+PROGRAM TOTALS", text, re.MULTILINE).group(1).replace(",", ""))
                runs, _ = self.runs_of_blocks(name)
                self.assertEqual(total, sum(runs.values()))
                read = {}
                for number, frame in re.findall(r"^\s*([\d,]+)\s+\S*:(\S+)", text, re.MULTILINE):
                    read[frame] = read.get(frame, 0) + int(number.replace(",", ""))
                truth = collections.Counter()
                for (method, _, _), number in runs.items():
                    truth[method] += number
                self.assertEqual({frame: n for frame, n in positive(read).items() if frame.startswith("Branches.")},
                                 {frame: n for frame, n in positive(truth).items() if frame.startswith("Branches.")})
                jumps = re.findall(r"^jcnd=(\d+)/(\d+) \d+$", exported.read_text(), re.MULTILINE)
                self.assertTrue(jumps)
                for taken, seen in jumps:
                    self.assertLessEqual(int(taken), int(seen))

    def test_lcov(self):
        for name in PATHS:
            with self.subTest(name):
                exported = self.export(name, "lcov")
                pages = self.folder / f"{name}-pages"
                said = run("genhtml", "--branch-coverage", "--ignore-errors", "source", "-o", pages, exported,
                           cwd=self.folder)
                self.assertRegex(said, r"branches\.*: \d")
                page = next(pages.rglob("Branches.java.gcov.html")).read_text()
                read = {int(line): int(count) for line, count in
                        re.findall(r'lineNum">\s*(\d+) </span>.*?<span class="line(?:Cov|NoCov)">\s*(\d+) :', page)}
                truth = {}
                runs, lines = self.runs_of_blocks(name)
                for place, line in lines.items():
                    if place[0].startswith("Branches"):
                        truth[line] = max(truth.get(line, 0), runs[place])
                self.assertTrue(truth)
                self.assertEqual(read, truth)

    def test_what_a_format_cannot_hold_is_said(self):
        for name, form, word in (("recorded-sampled-paths", "pprof", "--format lcov"), ("recorded-exact-paths", "folded", "--format lcov"),
                                 ("shop", "lcov", "--mode exact-paths")):
            done = subprocess.run([BURSAR, "export", self.folder / f"{name}.bursar", "--format", form],
                                  capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(word, done.stderr)

    def test_firefox(self):
        command = ["node", HERE / "node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js"]
        environment = {**os.environ, "PROFILER_CLI_SESSION_DIR": str(self.folder / "sessions"),
                       "PROFILER_CLI_NO_SYMBOLICATE": "1"}
        for name in self.profiles:
            with self.subTest(name):
                run(*command, "load", self.export(name, "firefox"), "--session", name, env=environment)
                try:
                    functions = json.loads(run(*command, "thread", "functions", "--json", "--limit", "0",
                                               "--include-idle", "--session", name, env=environment))["functions"]
                finally:
                    run(*command, "stop", name, env=environment)
                read = collections.Counter()
                for function in functions:
                    read[function["name"]] += function["selfSamples"]
                self.assertEqual(positive(read), self.truth(name))

    def test_speedscope(self):
        # Its table shows as many rows as fit on a page, so of large profiles the largest subtrees only.
        few = ["--max-contexts", "40"]
        files = [self.export(name, "speedscope", *few) for name in self.profiles]
        tables = json.loads(run("node", "read_speedscope.mjs", *files, cwd=HERE))
        for name, table in zip(self.profiles, tables):
            with self.subTest(name):
                read = collections.Counter()
                for number, frame in table:
                    read[frame] += number
                self.assertEqual(positive(read), self.truth(name, *few))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
