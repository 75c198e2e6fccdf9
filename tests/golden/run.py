#!/usr/bin/env python3
"""Runs the golden cases: commands of cases.txt against what expected/ says they print.

  run.py --bursar build/dev/bursar --make-profiles build/dev/make_profiles            all cases
  run.py --bursar … --make-profiles … tree_shop report_shop                           some
  run.py --bursar … --make-profiles … --update                                        take what is printed as expected
  run.py --bursar … --make-profiles … --prepare FOLDER                                make the profiles, once for many …
  run.py --bursar … --prepared FOLDER tree_shop                                       … runs

The profiles that cases are given are round-tripped first: a profile that is read and written again must be the same
file, byte for byte, and so must one that went through folded text, as far as folded text can hold it.
"""

import argparse
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
IMPORTED = {"shop": "calls", "shop_sampled": "samples"}  # input -> metric
MADE = ["exact", "estimate", "overflowed", "empty", "figure_2b", "figure_2b_no_sites", "advised"]


def read_cases():
    cases = {}
    for line in (HERE / "cases.txt").read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, command = line.split(": ", 1)
        if name in cases:
            sys.exit(f"cases.txt: {name} is there twice")
        cases[name] = command
    return cases


class Bench:
    """A folder with the profiles, made once and copied for each case."""

    def __init__(self, bursar, folder, prepared=None):
        self.work = folder
        self.folder = prepared or folder / "prepared"
        tools = folder / "bin"
        tools.mkdir()
        (tools / "bursar").symlink_to(pathlib.Path(bursar).resolve())
        kept = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR") and not k.startswith("LC_")}
        self.environment = {**kept, "PATH": f"{tools}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}

    def prepare(self, make_profiles):
        shutil.copytree(HERE / "inputs", self.folder / "inputs")
        shutil.copy(HERE.parents[1] / "docs" / "ccmap.xsd", self.folder / "inputs")
        self.check([str(pathlib.Path(make_profiles).resolve()), "."])
        for name, metric in IMPORTED.items():
            self.check(["bursar", "import", f"inputs/{name}.folded", "--format", "folded", "--metric", metric,
                        "-o", f"{name}.bursar"])
        self.round_trip()

    def check(self, command):
        done = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}: {done.stderr}")
        return done.stdout

    def round_trip(self):
        for name in [*IMPORTED, *MADE]:
            self.check(["bursar", "merge", f"{name}.bursar", "-o", "again.bursar", "--force"])
            self.expect_same(f"{name}.bursar", "again.bursar", "read and written")
        for name, metric in IMPORTED.items():
            self.check(["bursar", "export", f"{name}.bursar", "--format", "folded", "-o", "again.folded", "--force"])
            self.check(["bursar", "import", "again.folded", "--format", "folded", "--metric", metric,
                        "-o", "again.bursar", "--force"])
            self.expect_same(f"{name}.bursar", "again.bursar", "exported and imported")
        for left_over in ("again.bursar", "again.folded"):
            (self.folder / left_over).unlink()

    def expect_same(self, first, second, what):
        if (self.folder / first).read_bytes() != (self.folder / second).read_bytes():
            sys.exit(f"{first} is not the same file once {what}")

    def run(self, name, command):
        folder = self.work / name
        shutil.copytree(self.folder, folder)
        done = subprocess.run(["bash", "-c", command], cwd=folder, env=self.environment, capture_output=True, timeout=60)
        leftovers = [p.name for p in folder.iterdir() if re.search(r"\.(bursar|txt)\.[A-Za-z0-9]{6}$", p.name)]
        shutil.rmtree(folder)
        if leftovers:
            sys.exit(f"{name}: left temporary files: {leftovers}")
        text = f"$ {command}\n{done.stdout.decode(errors='backslashreplace')}"
        if done.stderr:
            text += f"--- stderr\n{done.stderr.decode(errors='backslashreplace')}"
        return text + f"--- exit status {done.returncode}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bursar", required=True)
    profiles = parser.add_mutually_exclusive_group(required=True)
    profiles.add_argument("--make-profiles")
    profiles.add_argument("--prepared", type=pathlib.Path)
    parser.add_argument("--prepare", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("case", nargs="*")
    options = parser.parse_args()
    cases = read_cases()
    unknown = set(options.case) - set(cases)
    if unknown:
        sys.exit(f"no such case: {', '.join(sorted(unknown))}")
    chosen = options.case or list(cases)

    if options.prepare:
        shutil.rmtree(options.prepare, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix="bursar-golden-") as folder:
            Bench(options.bursar, pathlib.Path(folder), options.prepare).prepare(options.make_profiles)
        return 0
    failures = 0
    with tempfile.TemporaryDirectory(prefix="bursar-golden-") as folder:
        bench = Bench(options.bursar, pathlib.Path(folder), options.prepared)
        if not options.prepared:
            bench.prepare(options.make_profiles)
        for name in chosen:
            actual = bench.run(name, cases[name])
            file = HERE / "expected" / f"{name}.txt"
            if options.update:
                file.write_text(actual)
                continue
            expected = file.read_text() if file.exists() else ""
            if actual != expected:
                failures += 1
                print(f"FAILED {name}")
                print("".join(difflib.unified_diff(expected.splitlines(True), actual.splitlines(True),
                                                   f"expected/{name}.txt", "printed")))
    stale = {p.stem for p in (HERE / "expected").glob("*.txt")} - set(cases)
    if stale:
        failures += 1
        print(f"expected/ holds files of no case: {', '.join(sorted(stale))}")
    print(f"{len(chosen) - failures} of {len(chosen)} cases as expected" if not options.update else "expected/ updated")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
