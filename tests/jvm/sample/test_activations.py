"""--walks, --clock and --interval auto: what a thread's last sample saw, and what is made of it."""

import unittest

from runs import JDKS, NATIVES, OLDEST, SampleCase, each_jdk, java


# What is inlined is no activation of its own.
LEAVES = ["-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline,LongLived.*", "-XX:CompileCommand=dontinline,Spinners.*"]


class WalksTest(SampleCase):
    def activations(self, part):
        out, _ = self.run_bursar("export", self.profile, "--format", "folded", "--metric", "activations",
                                 "--min-share", "0")
        return sum(int(line.rsplit(" ", 1)[1]) for line in out.splitlines() if line.rsplit(" ", 1)[0].endswith(part))

    @each_jdk
    def test_walks_stop_at_what_was_seen_and_stacks_are_whole(self, jdk):
        for depth in (100, 1500):
            with self.subTest(depth=depth):
                out, _ = self.record(jdk, "LongLived", str(depth), "2500", options=["--walks", "new"],
                                     jvm_options=LEAVES)
                self.assertEqual(out, f"depth {depth}\n")
                report = self.assert_adds_up()
                counters = report["counters"]
                working = self.samples("LongLived.down;LongLived.work")
                self.assertGreater(working, 100)
                self.assertGreater(counters["frames_not_walked"], 2 * counters["frames_walked"])
                self.assertGreater(counters["walks_stopped"], 0.6 * working)
                self.assertNotIn("outer-frames-lost", report["dropped"])
                whole = self.samples(";".join(["LongLived.down"] * (depth + 1) + ["LongLived.work"]))
                self.assertGreater(whole, 0.95 * working, "every stack has all its frames")
                # Gone down once, though the stack was looked at hundreds of times; whenever the JIT replaces a frame all
                # look new once more. The leaves are new again and again.
                self.assertLess(self.activations("LongLived.down"), 0.25 * working * (depth + 1))
                leaves = self.activations("LongLived.left") + self.activations("LongLived.right")
                self.assertGreater(leaves, 0.5 * working)
                self.assertIn("stopped at what the last one saw", self.run_bursar("report", self.profile)[0])

    @each_jdk
    def test_checked_against_full_walks_they_agree(self, jdk):
        for words in (("LongLived", "300", "2500"), ("TwoStacks", "2500"), ("ManyThreads", "2000"), ("Unloading",)):
            with self.subTest(program=words[0]):
                self.record(jdk, *words, options=["--walks", "check", "--interval", "2ms"])
                counters = self.assert_adds_up()["counters"]
                self.assertLessEqual(counters["false_matches"], 0.01 * counters["walks_checked"], counters)
                self.assertEqual(counters["walks_stopped"], 0)
                if words[0] in ("LongLived", "TwoStacks"):
                    self.assertGreater(counters["walks_checked"], 200)
                    self.assertIn("checked against full ones", self.run_bursar("report", self.profile)[0])

    def test_both_ways_give_the_same_profile(self):
        other = self.folder / "full.bursar"
        words = java(OLDEST, "LongLived", "200", "3000")
        self.run_bursar("record", "--mode", "sample", "--interval", "3ms", "-o", other, "--", *words)
        self.run_bursar("record", "--mode", "sample", "--interval", "3ms", "--walks", "new", "-o", self.profile, "--", *words)
        shares = []
        for profile in (other, self.profile):
            self.profile = profile
            shares.append(self.samples("LongLived.work;LongLived.left") / self.report()["total_samples"])
        self.assertAlmostEqual(*shares, delta=0.15)

    @each_jdk
    def test_interpreted_code_and_classes_that_go(self, jdk):
        self.record(jdk, "TwoStacks", "2500", options=["--walks", "check", "--interval", "2ms"], jvm_options=["-Xint"])
        counters = self.report()["counters"]
        self.assertGreater(counters["walks_checked"], 200)
        self.assertLessEqual(counters["false_matches"], 0.01 * counters["walks_checked"], counters)
        self.assertGreater(self.samples("TwoStacks.three;TwoStacks.spin"), 100)
        out, _ = self.record(jdk, "Unloading", options=["--walks", "new", "--interval", "1ms"], jvm_options=["-Xmx64m"])
        self.assertEqual(out, "many rounds\n")
        self.assertGreater(self.samples("Unloading$Worker.run"), 100)


class ClockTest(SampleCase):
    @each_jdk
    def test_by_wall_clock_time_those_that_wait_are_sampled_too(self, jdk):
        self.record(jdk, "TwoStacks", "4000", options=["--clock", "wall"])
        report = self.assert_adds_up()
        self.assertEqual(report["info"]["clock"], ["wall"])
        works = self.samples("TwoStacks.three") + self.samples("TwoStacks.one")
        self.assertGreater(works, 100)
        for waits in ("TwoStacks.sleep", "TwoStacks.await"):
            self.assertGreater(self.samples(waits), 0.6 * works, waits)
            self.assertLess(self.samples(waits), 1.6 * works, waits)
        self.assertGreater(self.samples("java.lang.Object.wait"), 0, "native methods are frames")

    @each_jdk
    def test_whoever_waits_is_not_woken(self, jdk):
        out, _ = self.record(jdk, "Waiting", NATIVES, options=["--clock", "wall", "--interval", "1ms"])
        self.assertEqual(out, "all waited\ninterrupted reads: 0\n")
        self.assertGreater(self.report()["counters"]["signals"], 500)
        self.assertGreater(self.samples("Waiting.interruptedReads"), 50)


class TuningTest(SampleCase):
    def intervals(self):
        points = self.report()["series"]["sampling_interval"]["points"]
        return [point["value"] / 1e6 for point in points]

    def test_where_nothing_is_seen_twice_the_interval_shortens(self):
        self.record(OLDEST, "Spinners", "short", "18000", options=["--interval", "auto"], jvm_options=LEAVES)
        intervals = self.intervals()
        self.assertEqual(intervals[0], 50)
        if len(intervals) == 1 and (self.report()["overhead"]["percent"] > 0.6 or self.report()["total"] < 1500):
            self.skipTest("the machine is so busy that a sample costs too much, or too few were taken to decide on")
        self.assertLess(intervals[-1], 50)
        self.assertLessEqual(len(intervals), 8, "it settles")
        self.assertEqual(self.report()["counters"]["interval_changes"], len(intervals) - 1)
        text = self.run_bursar("report", self.profile)[0]
        self.assertRegex(text, r"  interval 50ms, [\d.]+ms from [\d.]+ s on")

    def test_where_much_is_seen_twice_it_lengthens(self):
        self.record(JDKS[-1], "Spinners", "long", "18000", options=["--interval", "auto", "--max-interval", "120ms"])
        self.assertEqual(self.intervals()[:2], [50, 100])
        self.assertLessEqual(self.intervals()[-1], 120)

    def test_what_makes_no_sense_is_refused(self):
        for words in (["--min-interval", "2ms"], ["--interval", "auto", "--walks", "full"],
                      ["--interval", "auto", "--min-interval", "2s"], ["--clock", "sun"], ["--walks", "slow"],
                      ["--mode", "exact", "--clock", "cpu"], ["--mode", "burst", "--interval", "auto"]):
            with self.subTest(words=words):
                self.run_bursar("record", "--mode", "sample", *words, "-o", self.profile, "--", "java", "X", status=2)


if __name__ == "__main__":
    unittest.main()
