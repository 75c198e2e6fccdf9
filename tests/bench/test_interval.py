import math
import random
import unittest
from statistics import median

import bench_tree  # noqa: F401
from measure import interval
from measure.interval import Estimate


def interval_of(logs: list[float], seed: int = 1) -> Estimate:
    return interval.estimate(logs, interval.resampled_medians(logs, random.Random(seed)))


class TickMedian(unittest.TestCase):
    def test_readings_of_one_tick_share_it_evenly(self):
        # Three quarters lie in 125..135: half of all below 125 + 10 * (0.5 / 0.75).
        self.assertAlmostEqual(interval.tick_median([130, 130, 130, 140], 10), 131.6667, places=3)
        self.assertAlmostEqual(interval.tick_median([130, 140], 10), 135)

    def test_a_single_or_repeated_reading_is_itself(self):
        self.assertAlmostEqual(interval.tick_median([470], 10), 470)
        self.assertAlmostEqual(interval.tick_median([470] * 7, 10), 470)

    def test_a_gap_around_the_middle_is_halved(self):
        self.assertAlmostEqual(interval.tick_median([100, 110, 180, 190], 10), (115 + 175) / 2)

    def test_differs_from_the_plain_median_by_half_a_tick_at_most(self):
        rng = random.Random(1)
        for _ in range(300):
            values = [10 * rng.randint(0, 40) for _ in range(rng.randint(1, 25))]
            self.assertLessEqual(abs(interval.tick_median(values, 10) - median(values)), 5 + 1e-9, values)

    def test_recovers_a_value_between_two_ticks(self):
        rng = random.Random(2)
        for true in (132.0, 134.5, 137.0, 139.0):
            now, readings = rng.uniform(0, 10), []
            for _ in range(2000):
                then = now
                now += rng.gauss(true, 2)
                readings.append(10 * (now // 10 - then // 10))
            self.assertAlmostEqual(interval.tick_median(readings, 10), true, delta=1.2)


class StudentPoint(unittest.TestCase):
    def test_agrees_with_the_printed_tables(self):
        for degrees, value in {4: 2.776, 5: 2.571, 9: 2.262, 14: 2.145, 29: 2.045, 120: 1.980}.items():
            self.assertAlmostEqual(interval.student_975(degrees), value, delta=0.01)


class Intervals(unittest.TestCase):
    def test_the_ratio_is_the_median_of_the_rounds(self):
        logs = interval.log_ratios([100, 200, 100, 100, 100], [110, 260, 120, 150, 105])
        self.assertAlmostEqual(interval_of(logs).ratio, 1.2)  # of 1.05 1.1 1.2 1.3 1.5

    def test_five_rounds_give_their_extremes(self):
        # The median of a resample is the smallest value if 3 or more of 5 draws are: 5.8 %, more than the tail.
        found = interval_of([math.log(ratio) for ratio in (1.05, 1.1, 1.2, 1.3, 1.5)])
        self.assertAlmostEqual(found.low, 1.05)
        self.assertAlmostEqual(found.high, 1.5)

    def test_fewer_than_five_rounds_give_no_interval(self):
        found = interval_of([0.1, 0.2, 0.3, 0.4])
        self.assertAlmostEqual(found.ratio, math.exp(0.25))
        self.assertIsNone(found.low)
        self.assertIsNone(found.high)

    def test_values_too_short_for_the_clock_have_no_ratio(self):
        self.assertIsNone(interval.log_ratios([0, 10], [10, 10]))
        self.assertIsNone(interval.log_ratios([10, 10], [10, 0]))

    def test_the_same_seed_gives_the_same_interval(self):
        logs = [random.Random(3).gauss(0, 0.1) for _ in range(9)]
        self.assertEqual(interval_of(logs, 5), interval_of(logs, 5))

    def test_geometric_mean_is_that_of_the_workloads_medians(self):
        groups = [[math.log(2)] * 5, [math.log(8)] * 5]
        resamples = [interval.resampled_medians(logs, random.Random(1)) for logs in groups]
        found = interval.geometric_mean(groups, resamples)
        for value in (found.ratio, found.low, found.high):
            self.assertAlmostEqual(value, 4)

    def test_geometric_mean_of_a_workload_with_few_rounds_has_no_interval(self):
        groups = [[0.0] * 5, [0.0] * 4]
        resamples = [interval.resampled_medians(logs, random.Random(1)) for logs in groups]
        self.assertIsNone(interval.geometric_mean(groups, resamples).low)


class Coverage(unittest.TestCase):
    """How often intervals hold the truth, on made-up rounds whose truth is known."""

    TRIALS = 300

    def setUp(self):
        resamples = interval.RESAMPLES
        interval.RESAMPLES = 500  # for speed: the tail of 5 rounds is then the extreme resample
        self.addCleanup(setattr, interval, "RESAMPLES", resamples)

    def share_that_holds_zero(self, draw, rounds: int) -> float:
        held = 0
        for _ in range(self.TRIALS):
            found = interval_of([draw() for _ in range(rounds)])
            held += found.low <= 1 <= found.high
        return held / self.TRIALS

    def test_even_noise_is_held_in_nine_of_ten_cases_or_more(self):
        rng = random.Random(1)
        for rounds in (5, 7, 10, 15):
            share = self.share_that_holds_zero(lambda: rng.gauss(0, 0.02), rounds)
            self.assertTrue(0.90 <= share <= 0.995, f"{share} of {rounds} rounds")

    def test_noise_with_outliers_and_skew_is_held_as_well(self):
        rng = random.Random(2)
        outliers = lambda: rng.gauss(0, 0.02 if rng.random() < 0.85 else 0.2)  # noqa: E731
        skewed = lambda: rng.expovariate(1 / 0.03) - 0.03 * math.log(2)  # noqa: E731
        for draw in (outliers, skewed):
            for rounds in (5, 7, 10):
                share = self.share_that_holds_zero(draw, rounds)
                self.assertTrue(0.89 <= share <= 0.995, f"{share} of {rounds} rounds")

    def test_geometric_means_hold_the_truth_and_are_narrower(self):
        rng = random.Random(3)
        held, narrower = 0, 0
        for _ in range(self.TRIALS):
            groups = [[rng.gauss(0, 0.03) for _ in range(6)] for _ in range(4)]
            resamples = [interval.resampled_medians(logs, rng) for logs in groups]
            found = interval.geometric_mean(groups, resamples)
            single = interval.estimate(groups[0], resamples[0])
            held += found.low <= 1 <= found.high
            narrower += found.high / found.low < single.high / single.low
        self.assertGreaterEqual(held / self.TRIALS, 0.93)
        self.assertGreater(narrower / self.TRIALS, 0.8)

    def test_a_slowdown_larger_than_the_noise_is_shown(self):
        rng = random.Random(4)
        slower = lambda: [math.log(1.1) + rng.gauss(0, 0.02) for _ in range(5)]  # noqa: E731
        shown = sum(interval_of(slower()).low > 1 for _ in range(self.TRIALS))
        self.assertGreater(shown / self.TRIALS, 0.97)


class Verdicts(unittest.TestCase):
    def test_say_what_the_interval_shows(self):
        self.assertEqual(interval.verdict(Estimate(1.2, 1.1, 1.31)), "slower, at most +31.0 %")
        self.assertEqual(interval.verdict(Estimate(1.01, 0.98, 1.035)), "no slowdown shown, at most +3.5 %")
        self.assertEqual(interval.verdict(Estimate(0.9, 0.8, 0.95)), "faster")
        self.assertEqual(interval.verdict(Estimate(1.2, None, None)), "no interval under 5 rounds")
        self.assertEqual(interval.verdict(None), "too short for the clock")


if __name__ == "__main__":
    unittest.main()
