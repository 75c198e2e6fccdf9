"""Mode sample where much comes and goes: threads, recordings at their end; and beside other profilers."""

import re
import subprocess
import unittest

from runs import SampleCase, each_jdk


class LastingTest(SampleCase):
    @each_jdk
    def test_ten_thousand_threads(self, jdk):
        out, _ = self.record(jdk, "ManyThreads", "10000", options=["--walks", "new"])
        self.assertRegex(out, r"^sum -?\d+\n$")
        report = self.assert_adds_up()
        self.assertGreaterEqual(report["threads"], 10_000)
        self.assertGreater(report["total_samples"], 20)
        self.assertNotIn("no-free-queue", report["dropped"])

    def assert_memory_stays(self, jdk, *runs, options=()):
        used = []
        for words in runs:
            out, _ = self.record(jdk, *words, options=options,
                                 jvm_options=["-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch"])
            used.append(int(re.search(r"^rss (\d+) kB$", out, re.MULTILINE)[1]))
            self.assert_adds_up()
        self.assertLess(used[1] - used[0], 16 * 1024, used)

    @each_jdk
    def test_memory_does_not_grow_with_threads(self, jdk):
        self.assert_memory_stays(jdk, ("ManyThreads", "2000", "rss"), ("ManyThreads", "10000", "rss"))

    @each_jdk
    def test_memory_does_not_grow_with_classes_that_come_and_go(self, jdk):
        self.assert_memory_stays(jdk, ("Unloading", "300"), ("Unloading", "3000"), options=["--interval", "1ms"])

    @each_jdk
    def test_more_living_threads_than_queues(self, jdk):
        out, _ = self.record(jdk, "Parked", "3000", "4000", jvm_options=["-Xss256k"],
                             options=["--clock", "wall", "--interval", "1ms", "--walks", "new"])
        self.assertEqual(out, "done\n")
        report = self.assert_adds_up()
        self.assertGreater(self.samples("Parked.await"), 3000)
        without = report["dropped"].get("queue-full", 0) + report["dropped"].get("no-free-queue", 0)
        self.assertLess(without, 0.02 * report["total_samples"], "queues of those that wait serve others")

    @each_jdk
    def test_an_end_in_the_middle_of_everything(self, jdk):
        for _ in range(5):
            self.record(jdk, "Spinners", "exit", "700", options=["--interval", "1ms", "--walks", "new"], status=3)
            self.assertGreater(self.assert_adds_up()["total_samples"], 100)

    @each_jdk
    def test_an_end_while_stacks_are_drained(self, jdk):
        # So many frames that the drainer is hardly ever done.
        for ms in ("400", "650", "900"):
            self.record(jdk, "Deep", "2000", "0", ms, options=["--interval", "0.2ms"], status=3)
            self.assert_adds_up()
            self.assertGreater(self.samples("Deep.down;Deep.down"), 10)

    @each_jdk
    def test_jfr_has_its_samples_beside_ours(self, jdk):
        recording = self.folder / "run.jfr"
        flight = f"-XX:StartFlightRecording:filename={recording},settings=profile"
        self.record(jdk, "TwoStacks", "5000", jvm_options=[flight, "-Xlog:disable", "-Xlog:all=off"])
        self.assertGreater(self.samples("TwoStacks.three"), 40)
        self.assert_adds_up()
        out = subprocess.run([jdk.tool("jfr"), "print", "--events", "jdk.ExecutionSample", recording], check=True,
                             text=True, stdout=subprocess.PIPE).stdout
        self.assertGreater(out.count("TwoStacks.spin"), 30)


if __name__ == "__main__":
    unittest.main()
