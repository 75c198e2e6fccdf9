"""bursar record --mode sample: the right stacks, and no harm."""

import subprocess
import unittest

from runs import AGENT, FIRST_WITH_VIRTUAL_THREADS, HERE, JDKS, NATIVES, OLDEST, SampleCase, each_jdk, java

SCHEMA = HERE.parents[2] / "docs" / "ccmap.xsd"


class StacksTest(SampleCase):
    @each_jdk
    def test_samples_are_where_time_goes(self, jdk):
        out, err = self.record(jdk, "TwoStacks", "4000")
        self.assertTrue(out.endswith("done\n"), out)
        self.assertRegex(err, r"^bursar: [\d,]+ samples in [\d,]+ contexts → ")
        three, one = self.samples("TwoStacks.three"), self.samples("TwoStacks.one")
        self.assertGreater(three + one, 100, "one every 10 ms")
        self.assertGreater(three / one, 2.1)
        self.assertLess(three / one, 4.3)
        self.assertEqual(self.samples("TwoStacks.sleep"), 0)
        self.assertEqual(self.samples("TwoStacks.await"), 0)
        report = self.report()
        self.assertEqual(report["mode"], "sample")
        self.assertEqual(report["total_calls"], 0)
        self.assertGreater(report["total_samples"], 100)
        self.assertEqual(report["rewritten_methods"], 0)
        self.assertGreater(report["threads"], 2)
        self.assertGreater(report["overhead"]["profiler_cpu_ns"], 0)
        self.assertGreater(report["overhead"]["process_cpu_ns"], report["overhead"]["profiler_cpu_ns"])
        unknown = sum(report["dropped"].values())
        self.assertLess(unknown, 0.3 * report["total_samples"], report["dropped"])

    def test_options_are_kept(self):
        self.record(OLDEST, "TwoStacks", "1500",
                    options=["--interval", "2ms", "--seed", "7", "--call-sites", "--include", "TwoStacks.spin"])
        report = self.report()
        self.assertTrue(report["identity"]["call_sites"])
        self.assertEqual((report["info"]["interval_ns"], report["info"]["seed"]), (["2000000"], ["7"]))
        self.assertGreater(report["counters"]["ticks"], 300)
        self.assertEqual(self.samples("TwoStacks.three"), 0)
        self.assertGreater(self.samples("TwoStacks.spin"), 100)

    def test_an_exact_profile_can_be_compared_with_it(self):
        exact = self.folder / "exact.bursar"
        words = java(OLDEST, "ManyThreads", "400")
        self.run_bursar("record", "--mode", "exact", "-o", exact, "--", *words)
        self.run_bursar("record", "--mode", "sample", "-o", self.profile, "--", *words)
        out, _ = self.run_bursar("compare", exact, self.profile)
        self.assertIn("calls in", out)
        self.assertIn("samples in", out)
        self.assertIn("overlap of the context trees", out)

    @each_jdk
    def test_handlers_are_quick(self, jdk):
        self.record(jdk, "LongLived", "100", "2500")
        counters = self.assert_adds_up()["counters"]
        self.assertGreater(counters["handlers"], 100)
        self.assertGreaterEqual(counters["handlers_below_100us"], 0.95 * counters["handlers"], counters)

    def test_its_map_is_valid_and_comes_back(self):
        self.record(OLDEST, "ManyThreads", "1000", options=["--interval", "1ms", "--call-sites"])
        first, restored, second = (self.folder / name for name in ("first.xml", "restored.bursar", "second.xml"))
        self.run_bursar("export", self.profile, "--format", "ccmap-xml", "-o", first)
        subprocess.run(["xmllint", "--noout", "--huge", "--schema", SCHEMA, first], check=True, stderr=subprocess.PIPE)
        self.run_bursar("import", first, "--format", "ccmap-xml", "-o", restored)
        self.run_bursar("export", restored, "--format", "ccmap-xml", "-o", second)
        self.assertEqual(first.read_bytes(), second.read_bytes())

    @each_jdk
    def test_a_deep_stack_loses_its_outer_end(self, jdk):
        out, _ = self.record(jdk, "Deep")
        self.assertEqual(out, "depth 10000\n")
        report = self.assert_adds_up()
        self.assertGreater(report["dropped"].get("truncated-stack", 0), 20)
        self.assertLessEqual(report["max_depth"], 2049)
        self.assertGreater(self.samples("[truncated stack]"), 20)

    @each_jdk
    def test_2048_frames_are_whole_and_one_more_are_not(self, jdk):
        self.record(jdk, "Deep", "100", "60000")
        around = self.report()["max_depth"] - 100
        for walks in ("full", "new"):
            with self.subTest(walks=walks):
                whole, beyond = 2048 - around, 2049 - around
                self.record(jdk, "Deep", str(whole), "60000", options=["--walks", walks])
                report = self.assert_adds_up()
                self.assertEqual(report["max_depth"], 2048)
                self.assertEqual(report["dropped"].get("truncated-stack", 0), 0)
                self.record(jdk, "Deep", str(beyond), "60000", options=["--walks", walks])
                report = self.assert_adds_up()
                self.assertGreater(report["dropped"]["truncated-stack"], 10)
                self.assertEqual(report["dropped"]["truncated-stack"], self.samples("[truncated stack]"))

    def test_contexts_beyond_the_limit_are_counted(self):
        self.record(OLDEST, "Deep", options=["--max-contexts", "100"])
        report = self.report()
        self.assertLessEqual(report["contexts"], 101)
        self.assertGreater(self.samples("[overflow]"), 20)

    def test_what_has_gone_cold_makes_room(self):
        self.record(OLDEST, "TwoStacks", "4000", options=["--max-contexts", "30", "--interval", "1ms", "--call-sites"])
        report = self.assert_adds_up()
        self.assertLessEqual(report["contexts"], 31)
        self.assertGreaterEqual(report["dropped"]["contexts-forgotten"], 15, "half of them, of the start")
        self.assertGreater(self.samples("[overflow]"), 10)
        self.assertGreater(self.samples("TwoStacks.three"), 0.5 * report["total_samples"], "it came last")
        self.assertIn("contexts-forgotten", self.run_bursar("report", self.profile)[0])

    @unittest.skipUnless(JDKS[-1].feature >= FIRST_WITH_VIRTUAL_THREADS, "no JDK with virtual threads")
    def test_virtual_threads_are_one(self):
        out, _ = self.record(JDKS[-1], "Virtual")
        self.assertEqual(out, "done\n")
        self.assertGreater(self.samples("Virtual.work"), 20)
        self.assertEqual(self.samples("ForkJoinWorkerThread.run;java.util.concurrent.ForkJoinPool.runWorker;Virtual"), 0)


class HarmlessTest(SampleCase):
    @each_jdk
    def test_thousands_of_short_threads(self, jdk):
        out, _ = self.record(jdk, "ManyThreads", "4000")
        plain = self.start(java(jdk, "ManyThreads", "4000")).communicate(timeout=120)[0]
        self.assertEqual(out, plain)
        self.assertGreater(self.report()["threads"], 4000)

    @each_jdk
    def test_classes_that_come_and_go(self, jdk):
        out, _ = self.record(jdk, "Unloading", options=["--interval", "1ms"], jvm_options=["-Xmx64m"])
        self.assertEqual(out, "many rounds\n")
        self.assertGreater(self.samples("Unloading$Worker.run"), 100)
        unloaded = self.assert_adds_up()["dropped"].get("method-unloaded", 0)
        self.assertLess(unloaded, self.samples("Unloading$Worker.run"))

    def test_a_program_keeps_its_own_sigprof(self):
        out, _ = self.record(OLDEST, "OwnSignals", "prof", NATIVES)
        self.assertEqual(out, "SIGPROF came: true\n")
        self.assertGreater(self.samples("OwnSignals.work"), 30)

    def test_a_signal_that_the_program_takes_is_the_programs(self):
        out, _ = self.record(OLDEST, "OwnSignals", "take", NATIVES)
        self.assertEqual(out, "came to us: none\n")
        self.assertNotIn("tick-without-signal", self.report()["dropped"])
        self.assertGreater(self.samples("OwnSignals.work"), 50)

    def test_without_a_free_signal_ticks_are_lost_and_counted(self):
        out, _ = self.record(OLDEST, "OwnSignals", "take-all", NATIVES)
        self.assertEqual(out, "came to us: none\n")
        self.assertGreater(self.report()["dropped"]["tick-without-signal"], 20)

    def test_children_are_no_concern(self):
        out, _ = self.record(OLDEST, "OwnSignals", "fork", NATIVES)
        self.assertEqual(out, "forked\n")

    def test_without_signals_of_the_vms_own(self):
        self.record(OLDEST, "Endings", "return", jvm_options=["-Xrs"])
        self.assertGreater(self.samples("Endings.work"), 20)

    @each_jdk
    def test_every_ending_saves(self, jdk):
        for word, status in {"return": 0, "exit": 7, "halt": 8, "throw": 1, "last-thread": 0, "exit-in-thread": 9}.items():
            with self.subTest(ending=word):
                out, _ = self.record(jdk, "Endings", word, status=status)
                self.assertEqual(out, "ends\n")
                self.assertGreater(self.samples("Endings.work"), 20)
                self.assertGreater(self.samples("Endings.main"), 10)

    def test_an_output_that_cannot_be_written_is_no_harm(self):
        agent = f"-agentpath:{AGENT}=mode=sample,output=/nonexistent/x"
        process = self.start(java(OLDEST, "Endings", "exit", options=[agent]))
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (7, "ends\n"))
        self.assertIn("bursar: cannot write the profile to /nonexistent/x", err)


if __name__ == "__main__":
    unittest.main()
