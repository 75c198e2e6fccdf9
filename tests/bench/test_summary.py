import json
import unittest

import bench_tree  # noqa: F401
from measure import json_report, table
from measure.summary import failures, metrics_of, summarise

SETTINGS = {
    "variants": {"baseline": "", "a": "-Xint"}, "warmup_iterations": 2, "warmup_seconds": 0.0, "iterations": 3,
    "order_seed": 1, "cpus": 2, "jdk_version": "17.0.1", "machine": "a machine",
}  # fmt: skip


def run(number: int, variant: str, cpu: float, workload: str = "fop", **changes) -> dict:
    return {
        "round": number, "workload": workload, "variant": variant, "failure": None, "expected": "0a", "checksum": "0a",
        "setup_cpu_ms": 50.0, "warm_after": 2, "cpu_ms": [9 * cpu, cpu, cpu, cpu, cpu], "wall_ms": [cpu] * 5,
        "process_cpu_s": 14 * cpu / 1000, "process_wall_s": 2.0, "other_cpu_s": 1.0, "max_rss_kb": 102400,
    } | changes  # fmt: skip


def rounds(ratios: list[float], **changes) -> list[dict]:
    return [
        made
        for number, ratio in enumerate(ratios, 1)
        for made in (run(number, "baseline", 100, **changes), run(number, "a", 100 * ratio, **changes))
    ]


class Metrics(unittest.TestCase):
    def test_are_those_of_the_measured_iterations_and_of_the_process(self):
        found = metrics_of(run(1, "a", 100), SETTINGS)
        self.assertAlmostEqual(found["warm_cpu_ms"], 100)
        self.assertEqual(found["first_iteration_cpu_ms"], 900)
        self.assertAlmostEqual(found["whole_process_cpu_ms"], 1400)
        self.assertEqual(found["max_rss_mb"], 100)

    def test_whole_processes_are_compared_at_equal_work(self):
        # Warm-up took 4 iterations instead of 2: the two beyond the 5 that every run makes do not count.
        longer = run(1, "a", 100, warm_after=4, cpu_ms=[900, 200, 100, 100, 100, 70, 80], process_cpu_s=1.55)
        self.assertAlmostEqual(metrics_of(longer, SETTINGS)["whole_process_cpu_ms"], 1400)


class Ratios(unittest.TestCase):
    def test_are_paired_by_round(self):
        # Both get slower from round to round; in each round the ratio is 1.5.
        runs = [run(n, v, 100 * n * r) for n in range(1, 6) for v, r in (("baseline", 1), ("a", 1.5))]
        found = summarise(SETTINGS, runs).cells["fop", "a"]
        for ratio in ("slowdown", "first_iteration", "whole_process", "wall"):
            self.assertAlmostEqual(found.ratios[ratio].low, 1.5, places=6)
            self.assertAlmostEqual(found.ratios[ratio].high, 1.5, places=6)
        self.assertAlmostEqual(found.ratios["memory"].ratio, 1)

    def test_rounds_that_are_not_complete_are_left_out(self):
        found = summarise(SETTINGS, rounds([1.2] * 5) + [run(6, "a", 900)])
        self.assertEqual(found.cells["fop", "a"].rounds, 5)
        self.assertAlmostEqual(found.cells["fop", "a"].ratios["slowdown"].high, 1.2)

    def test_the_mean_is_over_the_workloads_that_did_not_fail(self):
        runs = rounds([2] * 5) + rounds([8] * 5, workload="xalan")
        self.assertAlmostEqual(summarise(SETTINGS, runs).means["a"]["slowdown"].ratio, 4)
        runs[-1] = runs[-1] | {"failure": "exit status 1"}
        found = summarise(SETTINGS, runs)
        self.assertEqual(found.mean_workloads["a"], ["fop"])
        self.assertAlmostEqual(found.means["a"]["slowdown"].ratio, 2)
        self.assertIn("geometric mean of 1 of 2", table.render(SETTINGS, found))

    def test_a_workload_too_short_for_the_clock_has_no_slowdown(self):
        found = summarise(SETTINGS, rounds([0] * 5))
        self.assertNotIn("slowdown", found.cells["fop", "a"].ratios)
        self.assertIn("too short for the clock", table.render(SETTINGS, found))


class Checksums(unittest.TestCase):
    def reason(self, runs: list[dict]) -> str:
        return str(failures(runs).get(("fop", "a"), "none"))

    def test_must_be_the_known_one(self):
        self.assertEqual(self.reason(rounds([1.0])), "none")
        wrong = [run(1, "baseline", 100), run(1, "a", 100, checksum="0b")]
        self.assertEqual(self.reason(wrong), "wrong checksum 0b, checksums.txt says 0a (round 1)")

    def test_a_baseline_that_differs_from_the_known_one_fails_too(self):
        both = [run(1, "baseline", 100, checksum="0b"), run(1, "a", 100, checksum="0b")]
        self.assertEqual(set(failures(both)), {("fop", "baseline"), ("fop", "a")})

    def test_must_be_the_baselines_where_none_is_known(self):
        runs = [run(1, "a", 100, expected=None, checksum="0b"), run(1, "baseline", 100, expected=None)]
        self.assertEqual(self.reason(runs), "wrong checksum 0b, the baseline's is 0a (round 1)")

    def test_baselines_that_disagree_fail(self):
        runs = [run(1, "baseline", 100, expected=None), run(2, "baseline", 100, expected=None, checksum="0c")]
        self.assertEqual(failures(runs)["fop", "baseline"].round, 2)

    def test_a_failed_cell_has_no_number_anywhere(self):
        runs = rounds([1.0] * 5)
        runs[-1] = runs[-1] | {"checksum": "0b"}
        found = summarise(SETTINGS, runs)
        value = json_report.as_json(SETTINGS, found)["workloads"]["fop"]["variants"]["a"]
        self.assertNotIn("slowdown", value)
        self.assertEqual(value["failure"]["round"], 5)
        text = table.render(SETTINGS, found)
        self.assertIn("FAILED: wrong checksum 0b", text)
        self.assertNotIn("1.000", text)

    def test_a_failed_baseline_fails_its_variants(self):
        runs = rounds([1.0] * 5)
        runs[0] = runs[0] | {"failure": "exit status 1"}
        self.assertEqual(
            str(summarise(SETTINGS, runs).cells["fop", "a"].failure), "the baseline failed: exit status 1 (round 1)"
        )


class Reports(unittest.TestCase):
    def test_the_table_says_everything_on_aligned_lines(self):
        text = table.render(SETTINGS, summarise(SETTINGS, rounds([1.1, 1.2, 1.3, 1.25, 1.15])))
        lines = text.splitlines()
        self.assertRegex(lines[1], r"^fop +baseline +5 +100\.0 +varies by 0\.0 % between rounds$")
        self.assertRegex(lines[2], r"^ +a +5 +120\.0 +1\.200  1\.100 - 1\.300 +1\.20 +1\.20 +1\.00  slower, at most")
        self.assertEqual(lines[0].index("95 % interval"), lines[2].index("1.100 - 1.300"))
        self.assertIn("a: -Xint", text)
        self.assertIn("other processes took 25 %", text)

    def test_checksums_that_are_not_known_are_mentioned(self):
        self.assertNotIn("checksums", table.render(SETTINGS, summarise(SETTINGS, rounds([1.0]))))
        unknown = summarise(SETTINGS, rounds([1.0], expected=None))
        self.assertIn("checksums compared with the baseline's", table.render(SETTINGS, unknown))

    def test_a_program_still_warming_up_is_mentioned(self):
        self.assertNotIn("getting faster", table.render(SETTINGS, summarise(SETTINGS, rounds([1.0] * 5))))
        found = summarise(SETTINGS, rounds([1.0] * 5, cpu_ms=[900, 500, 400, 250, 250]))
        self.assertAlmostEqual(found.cells["fop", "a"].trend, 2)  # 500 / 250
        self.assertIn("not warmed up: fop baseline, fop a", table.render(SETTINGS, found))

    def test_what_has_not_run_is_said(self):
        found = summarise(SETTINGS, rounds([1.0]), ["fop", "xalan"])
        self.assertRegex(table.render(SETTINGS, found), r"xalan +baseline  not run yet")

    def test_the_json_holds_ratios_with_intervals(self):
        found = summarise(SETTINGS, rounds([1.1, 1.2, 1.3, 1.25, 1.15]))
        value = json.loads(json.dumps(json_report.as_json(SETTINGS, found)))
        cell = value["workloads"]["fop"]["variants"]["a"]
        self.assertAlmostEqual(cell["slowdown"]["ratio"], 1.2)
        self.assertAlmostEqual(cell["memory"]["high"], 1.0)
        self.assertAlmostEqual(value["geometric_mean"]["a"]["slowdown"]["ratio"], 1.2)
        self.assertEqual(value["failed"], 0)


if __name__ == "__main__":
    unittest.main()
