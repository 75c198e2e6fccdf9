import json
import tempfile
import unittest
from pathlib import Path

import bench_tree  # noqa: F401
from measure.results_file import ResultsError, ResultsFile, read

SETTINGS = {"iterations": 20, "variants": {"baseline": "", "a": "-Xint"}}


def run(number: int) -> dict:
    return {
        "round": number, "workload": "fop", "variant": "a", "failure": None, "checksum": "00", "warm_after": 0,
        "cpu_ms": [1.0], "wall_ms": [1.0], "process_cpu_s": 1.0, "process_wall_s": 1.0, "other_cpu_s": 0.0,
        "max_rss_kb": 1,
    }  # fmt: skip


class Results(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name, "sub", "results.jsonl")

    def write(self, *runs: dict, settings: dict = SETTINGS) -> None:
        with ResultsFile(self.path, settings) as results:
            for each in runs:
                results.append(each)

    def test_continues_where_it_stopped(self):
        self.write(run(1), run(2))
        with ResultsFile(self.path, SETTINGS) as results:
            self.assertEqual(results.runs, [run(1), run(2)])
            results.append(run(3))
        self.assertEqual(read(self.path), (SETTINGS, [run(1), run(2), run(3)]))

    def test_every_cut_of_the_last_line_is_tolerated(self):
        self.write(run(1), run(2))
        whole = self.path.read_bytes()
        last = whole.rfind(b"\n", 0, -1) + 1
        for cut in range(last, len(whole)):
            self.path.write_bytes(whole[:cut])
            self.assertEqual(read(self.path)[1], [run(1)], cut)
            self.write(run(2))
            self.assertEqual(self.path.read_bytes(), whole, cut)

    def test_a_cut_first_line_starts_anew(self):
        self.write(run(1))
        self.path.write_bytes(self.path.read_bytes()[:20])
        self.write(run(7))
        self.assertEqual(read(self.path), (SETTINGS, [run(7)]))

    def refused(self, message: str, settings: dict = SETTINGS) -> None:
        before = self.path.read_bytes()
        with self.assertRaisesRegex(ResultsError, message):
            ResultsFile(self.path, settings)
        self.assertEqual(self.path.read_bytes(), before, "a refused file must not change")

    def test_other_settings_are_refused_by_name(self):
        self.write(run(1))
        self.refused("iterations: 20 in the file, 10 now", SETTINGS | {"iterations": 10})
        other_variant = {"variants": {"baseline": "", "a": "-Xcomp"}}
        self.refused('variants.a: "-Xint" in the file, "-Xcomp" now', SETTINGS | other_variant)
        self.refused("threads: nothing in the file, 4 now", SETTINGS | {"threads": 4})
        self.refused("another --out", SETTINGS | {"iterations": 10})

    def test_damage_before_the_last_line_is_refused_with_its_line(self):
        self.write(run(1), run(2))
        lines = self.path.read_text().splitlines(keepends=True)
        self.path.write_text(lines[0] + lines[1][:30] + "\n" + lines[2])
        self.refused("line 2: not JSON")
        self.path.write_text(lines[0] + "[1]\n" + lines[2])
        self.refused("line 2: not an object")
        self.path.write_text(lines[0] + lines[1] + '{"round": 2}\n')
        self.refused("line 3: a run without .*variant.*workload")
        self.path.write_text(lines[1])
        self.refused("line 1: not a results file")
        self.path.write_text(json.dumps({"format": 99, "settings": {}}) + "\n")
        self.refused("line 1: not a results file of this version")

    def test_a_second_writer_is_refused(self):
        with ResultsFile(self.path, SETTINGS):
            self.refused("is being written by another bench/slowdown")

    def test_reading_says_what_is_wrong(self):
        with self.assertRaisesRegex(ResultsError, "No such file"):
            read(self.path)
        self.path.parent.mkdir()
        self.path.touch()
        with self.assertRaisesRegex(ResultsError, "is empty"):
            read(self.path)


if __name__ == "__main__":
    unittest.main()
