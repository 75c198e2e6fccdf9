"""bursar evaluate, with fake_java in the place of a JVM. BURSAR and MAKE_PROFILES in the environment name programs."""

import html
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BURSAR = pathlib.Path(os.environ["BURSAR"]).resolve()
CHROMIUM = shutil.which(os.environ.get("CHROMIUM", "chromium"))
WORKLOAD, OTHER = "call-density-bias", "latency-bias"  # need no jars, have known checksums


class EvaluateCase(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="bursar-evaluate-")
        self.addCleanup(place.cleanup)
        self.root = pathlib.Path(place.name).resolve()
        self.workloads = self.root / "bench/workloads"
        self.workloads.mkdir(parents=True)
        shutil.copytree(ROOT / "bench/measure", self.root / "bench/measure", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "bench/slowdown", self.root / "bench")
        for name in ("run", "classpath.txt", "checksums.txt", "workloads.txt"):
            shutil.copy(ROOT / "bench/workloads" / name, self.workloads)
        (self.workloads / "suite.jar").touch()
        self.jdk = self.root / "jdk"
        for folder in (self.jdk / "bin", self.jdk / "lib/server"):
            folder.mkdir(parents=True)
        shutil.copy(HERE / "fake_java", self.jdk / "bin/java")
        shutil.copy(HERE / "fake_jfr", self.jdk / "bin/jfr")
        (self.jdk / "lib/server/libjvm.so").touch()
        (self.jdk / "release").write_text('JAVA_VERSION="17.0.9"\nJAVA_RUNTIME_VERSION="17.0.9+9"\n')
        self.agent = self.root / "libbursar.so"
        self.agent.touch()
        subprocess.run([os.environ["MAKE_PROFILES"], str(self.root)], check=True)
        self.out = self.root / "results"
        self.log = self.root / "log"
        self.environment = {
            **os.environ,
            "BURSAR_AGENT": str(self.agent),
            "FAKE_LOG": str(self.log),
            "FAKE_PROFILES": str(self.root),
            "FAKE_RECORDING": str(ROOT / "tests/unit/evaluation/jfr_sample.json"),
            "LC_ALL": "C.UTF-8",
        }

    def start(self, *arguments, fault="", modes="exact", program=()):
        command = [BURSAR, "evaluate", "--out", self.out, "--modes", modes, *arguments]
        command += ["--", *program] if program else ["--workloads-dir", self.workloads, "--jdk", self.jdk]
        return subprocess.Popen(command, cwd=self.root, env={**self.environment, "FAKE_FAULT": fault}, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def finish(self, process):
        out, err = process.communicate(timeout=120)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def evaluate(self, *arguments, **more):
        return self.finish(self.start(*arguments, **more))

    def starts(self):
        return self.log.read_text().splitlines() if self.log.exists() else []

    def await_starts(self, count):
        deadline = time.monotonic() + 60
        while len(self.starts()) < count and time.monotonic() < deadline:
            time.sleep(0.05)

    def assert_page_shows(self, *titles):
        """The report's script runs to its end in a browser, and these headings are there."""
        if CHROMIUM is None:
            return
        done = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
                               f"--user-data-dir={self.root / 'browser'}", "--dump-dom",
                               (self.out / "report.html").as_uri()], text=True, capture_output=True, timeout=60)
        self.assertEqual([line for line in done.stderr.splitlines() if "CONSOLE" in line], [])
        shown = [html.unescape(title) for title in re.findall(r"<h2>(.*?)</h2>", done.stdout)]
        self.assertEqual([title for title in titles if title not in shown], [], shown)

    def assert_ends(self, done, status, *texts):
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        for text in texts:
            self.assertIn(text, done.stdout + done.stderr)


class Measuring(EvaluateCase):
    def test_accuracy_and_slowdown_of_a_mode_and_a_peer(self):
        done = self.evaluate(WORKLOAD, "--quick", "--peer", "jfr", "--runs", "5", "--iterations", "2", "--json")
        self.assert_ends(done, 0)
        result = json.loads(done.stdout)
        workload = result["workloads"][0]
        self.assertGreater(workload["ceiling"]["overlap"], 99.9)  # the profile has an overflow, which never matches
        self.assertEqual(workload["profilers"]["jfr"]["overlap"], 0)  # the sample is of another program
        self.assertEqual(workload["profilers"]["jfr"]["runs"], 3)
        for name in ("exact", "jfr"):
            self.assertAlmostEqual(workload["profilers"][name]["slowdown"]["ratio"], 1.2)
            self.assertAlmostEqual(workload["profilers"][name]["slowdown"]["low"], 1.2)
            self.assertAlmostEqual(result["means"][name]["slowdown"]["ratio"], 1.2)
        self.assertGreater(workload["size"]["contexts"], 1)
        self.assertEqual(result["settings"]["jdk"], "17.0.9+9")
        # Two exact runs and three recordings for accuracy; a trace; five rounds of three for slowdown.
        self.assertEqual(len(self.starts()), 2 + 3 + 1 + 5 * 3)
        page = (self.out / "report.html").read_text()
        self.assertIn(f'"name":"{WORKLOAD}"', page)
        self.assertEqual(sorted(path.name for path in self.out.iterdir()),
                         ["profiles", "report.html", "runs.jsonl", "slowdown.jsonl"])
        self.assert_page_shows("Overlap", "Hot-edge coverage by threshold", "Slowdown", "Sensitivity, simulated", "All numbers")
        self.assertEqual([path.name for path in (self.out / "profiles").iterdir()], [f"{WORKLOAD}.exact.1.bursar"])

    def test_the_same_folder_goes_on_and_may_grow(self):
        self.assert_ends(self.evaluate(WORKLOAD, "--only", "accuracy"), 0, "100.00 %", "report.html")
        before = self.starts()
        self.assert_ends(self.evaluate(WORKLOAD, "--only", "accuracy"), 0, "100.00 %")
        self.assertEqual(self.starts(), before)
        self.assert_ends(self.evaluate(WORKLOAD, OTHER, "--only", "accuracy"), 0, f"{OTHER}, exact")
        self.assertEqual(self.starts(), before + [f"{OTHER} exact"] * 2)

    def test_other_settings_in_the_same_folder_are_refused(self):
        self.assert_ends(self.evaluate(WORKLOAD, "--only", "accuracy"), 0)
        done = self.evaluate(WORKLOAD, "--only", "accuracy", "--iterations", "3", "--peer", "jfr")
        self.assert_ends(done, 1, "iterations: 20 in the file, 3 now", 'peers: [] in the file, ["jfr"] now', "another --out")

    def test_profiles_are_kept_when_asked(self):
        self.assert_ends(self.evaluate(WORKLOAD, "--only", "accuracy", "--runs", "1", "--peer", "jfr", "--keep-profiles"), 0)
        self.assertEqual(len(list((self.out / "profiles").iterdir())), 3)


class JudgingPaths(EvaluateCase):
    def test_path_modes_are_held_against_exact_paths(self):
        done = self.evaluate(WORKLOAD, "--paths", "--quick", "--runs", "1", "--iterations", "2", "--json",
                             modes="exact-paths,paths,paths-alone,paths-64-17")
        self.assert_ends(done, 0)
        result = json.loads(done.stdout)
        cells = result["workloads"][0]["profilers"]
        self.assertEqual(list(cells), ["exact-paths", "paths", "paths-alone", "paths-64-17"])
        for cell in cells.values():
            self.assertEqual((cell["path_accuracy"], cell["edge_relative_overlap"]), (100, 100))
            self.assertAlmostEqual(cell["slowdown"]["ratio"], 1.2)
            self.assertIn("first_iteration", cell)
        # The truth twice and three others for accuracy, no trace; one round of five for slowdown.
        self.assertEqual(len(self.starts()), 2 + 3 + 5)
        self.assertEqual(self.starts()[:2], [f"{WORKLOAD} exact-paths"] * 2)
        text = self.evaluate(WORKLOAD, "--paths", "--quick", "--runs", "1", "--iterations", "2",
                             modes="exact-paths,paths,paths-alone,paths-64-17")
        self.assert_ends(text, 0, "Paths that ran", "absolute", "first", f"{WORKLOAD}, paths-64-17")
        self.assert_page_shows("Path accuracy", "Relative overlap of branches", "Slowdown of the first iteration")

    def test_modes_of_calls_and_of_paths_do_not_mix(self):
        self.assert_ends(self.evaluate(WORKLOAD, "--paths", modes="exact"), 2, "with --paths there are exact-paths, paths")
        self.assert_ends(self.evaluate(WORKLOAD, "--paths", modes="paths,call-graphs"), 2, "--modes call-graphs: with --paths")
        self.assert_ends(self.evaluate(WORKLOAD, modes="paths-1-1"), 2, "only with --paths")
        self.assert_ends(self.evaluate(WORKLOAD, "--paths", "--repeat", "2", modes="paths"), 2, "--repeat compares contexts")
        self.assert_ends(self.evaluate(WORKLOAD, "--paths", "--peer", "jfr", modes="paths"), 2, "--peer has no paths")


class Studies(EvaluateCase):
    def test_call_graphs_are_judged_by_samples_stride_and_correction(self):
        done = self.evaluate(WORKLOAD, "--only", "accuracy", "--runs", "1", "--json", modes="call-graphs")
        self.assert_ends(done, 0)
        self.assertEqual(self.starts(), [f"{WORKLOAD} exact"] * 2 + [f"{WORKLOAD} cbs"] * 15)
        result = json.loads(done.stdout)
        self.assertEqual(len(result["profilers"]), 15)
        self.assertIn("cbs-8-2-density+latency", result["means"])
        self.assertEqual(result["means"]["cbs-8-2-density"]["workloads"], 1)
        self.assert_page_shows("Call-graph overlap", "Call graphs: accuracy against cost", "All numbers")
        for cell in result["workloads"][0]["profilers"].values():
            self.assertGreater(cell["call_graph_overlap"], 99)

    def test_one_of_a_study_can_be_chosen(self):
        done = self.evaluate(WORKLOAD, "--only", "accuracy", "--runs", "1", modes="cbs-256-1-none")
        self.assert_ends(done, 0, f"{WORKLOAD}, cbs-256-1-none")
        self.assertEqual(len(self.starts()), 3)
        self.assert_ends(self.evaluate(WORKLOAD, modes="cbs-9-9-none"), 2, "call-graphs", "advice")

    def test_advice_is_compared_with_none(self):
        shutil.copy(self.root / "advised.bursar", self.root / "cbs.bursar")
        done = self.evaluate(WORKLOAD, "--only", "slowdown", "--runs", "2", "--iterations", "2", "--json", modes="advice")
        self.assert_ends(done, 0)
        self.assertEqual(self.starts()[:7], [f"{WORKLOAD} {each}" for each in ["cbs", "cbs", "none"] + ["advised"] * 4])
        cells = json.loads(done.stdout)["workloads"][0]["profilers"]
        self.assertEqual(list(cells), ["advice-none", "advice-none-weak", "advice-density", "advice-density-weak"])
        for cell in cells.values():
            self.assertAlmostEqual(cell["slowdown"]["ratio"], 0.9)
            self.assertEqual((cell["code"], cell["inlined"], cell["forced"]), (1.5, 2, 1))
        # The profiles that it is taken from are kept: the same command goes on.
        self.assertEqual(len(list((self.out / "profiles").iterdir())), 2)
        text = self.evaluate(WORKLOAD, "--only", "slowdown", "--runs", "2", "--iterations", "2", modes="advice")
        self.assert_ends(text, 0, "inlined", "forced", "1.500")
        self.assert_page_shows("Advice", "Slowdown")
        self.assertEqual(len(self.starts()), 7 + 2 * 5)

    def test_advice_for_a_program_of_ones_own_is_refused(self):
        self.assert_ends(self.evaluate(modes="advice", program=[self.jdk / "bin/java", "Main"]), 2, "workloads only")


class Repeating(EvaluateCase):
    def setUp(self):
        super().setUp()
        for run, (a, b, c) in enumerate([(500, 300, 200), (520, 290, 190), (480, 310, 210), (500, 10, 490)], 1):
            stacks = f"m.main;m.a {a}\nm.main;m.a;m.b {b}\nm.main;m.c {c}\n"
            subprocess.run([BURSAR, "import", "-", "--format", "folded", "--metric", "samples", "-o",
                            self.root / f"sample-{run}.bursar"], input=stacks, text=True, check=True)

    def test_runs_are_compared_with_each_other_and_with_noise(self):
        done = self.evaluate(WORKLOAD, "--repeat", "3", "--json", modes="sample")
        self.assert_ends(done, 0)
        self.assertEqual(self.starts(), [f"{WORKLOAD} sample"] * 3)
        cell = json.loads(done.stdout)["workloads"][0]["profilers"]["sample"]
        found = cell["repetition"]
        self.assertEqual((found["runs"], found["pairs"], found["total"]), (3, 3, 1000))
        self.assertGreater(found["correlation"], 98)
        self.assertGreater(found["overlap"], 95)
        self.assertLess(abs(found["overlap"] - found["noise_overlap"]), 3)
        self.assertEqual(len(list((self.out / "profiles").iterdir())), 3)
        self.assert_page_shows("Repeated runs")

        # One more: the same folder goes on. It is another program, and noise does not explain that.
        done = self.evaluate(WORKLOAD, "--repeat", "4", "--json", modes="sample")
        self.assertEqual(len(self.starts()), 4)
        more = json.loads(done.stdout)["workloads"][0]["profilers"]["sample"]["repetition"]
        self.assertEqual(more["pairs"], 6)
        self.assertGreater(more["noise_overlap"] - more["overlap"], 5)
        text = self.evaluate(WORKLOAD, "--repeat", "4", modes="sample")
        self.assert_ends(text, 0, "Repeated runs", "by noise", f"{WORKLOAD}, sample")

    def test_a_program_of_ones_own(self):
        done = self.evaluate("--repeat", "2", "--json", modes="sample", program=[self.jdk / "bin/java", "Main"])
        self.assert_ends(done, 0)
        self.assertEqual(self.starts(), ["program sample"] * 2)
        self.assertEqual(json.loads(done.stdout)["workloads"][0]["profilers"]["sample"]["repetition"]["pairs"], 1)

    def test_samples_may_be_more_frequent(self):
        done = self.evaluate(WORKLOAD, "--repeat", "2", "--interval", "0.5ms", "--json", modes="sample")
        self.assert_ends(done, 0)
        self.assertEqual(self.starts(), [f"{WORKLOAD} sample 500000"] * 2)
        self.assertEqual(json.loads(done.stdout)["settings"]["interval"], "0.5ms")
        self.assert_ends(self.evaluate(WORKLOAD, "--repeat", "2", modes="sample"), 1, "interval: ", "another --out")

    def test_other_results_in_the_folder_are_refused(self):
        self.assert_ends(self.evaluate(WORKLOAD, "--only", "accuracy", "--runs", "1", modes="sample"), 0)
        self.assert_ends(self.evaluate(WORKLOAD, "--repeat", "2", modes="sample"), 1, "repeated: ", "another --out")

    def test_a_failed_run_is_no_run(self):
        done = self.evaluate(WORKLOAD, "--repeat", "3", modes="sample", fault="sample:exit")
        self.assert_ends(done, 1, "exit status 3")
        self.assertEqual(len(self.starts()), 1)


class Simulating(EvaluateCase):
    def test_schemes_over_time_and_with_other_options(self):
        done = self.evaluate(WORKLOAD, OTHER, "--only", "simulation", "--json")
        self.assert_ends(done, 0)
        self.assertEqual(self.starts(), [f"{WORKLOAD} trace", f"{OTHER} trace"])
        result = json.loads(done.stdout)
        simulation = result["workloads"][0]["simulation"]
        by_scheme = {variant["scheme"]: variant for variant in simulation["variants"]}
        self.assertEqual(list(by_scheme), ["sample", "burst", "adaptive"])
        self.assertEqual(by_scheme["burst"]["disabled_percent"], 0)
        self.assertGreater(by_scheme["adaptive"]["disabled_percent"], 0)
        self.assertGreater(len(by_scheme["adaptive"]["over_time"]), 5)
        self.assertEqual(by_scheme["adaptive"]["over_time"][-1]["overlap"], by_scheme["adaptive"]["overlap"])
        # The sweep holds the schemes themselves: a ratio of 1 is static bursting, the usual options are the usual result.
        swept = {(each["burst_ns"], each["reenable"], each["interval_ns"]): each for each in simulation["sweep"]}
        self.assertEqual(len(swept), 4 * 5 + 4)
        self.assertEqual(swept[200_000, 1, 10_000_000]["overlap"], by_scheme["burst"]["overlap"])
        self.assertEqual(swept[200_000, 0.05, 10_000_000]["overlap"], by_scheme["adaptive"]["overlap"])
        self.assertEqual(result["simulation"]["variants"][2]["overlap"], by_scheme["adaptive"]["overlap"])
        # The same as the verb simulate says.
        verb = subprocess.run([BURSAR, "simulate", self.root / "small.trace", "--scheme", "adaptive", "--over-time", "20",
                               "--json"], capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(verb.stdout)["variants"], [by_scheme["adaptive"]])
        self.assert_ends(self.evaluate(WORKLOAD, OTHER, "--only", "simulation"), 0, "Simulated, over time", "mean of 2, adaptive")
        self.assertEqual(len(self.starts()), 2)
        self.assertEqual(list((self.out / "profiles").iterdir()), [])

    def test_a_trace_that_was_cut_is_named(self):
        whole = (self.root / "small.trace").read_bytes()
        (self.root / "small.trace").write_bytes(whole[:30000])
        done = self.evaluate(WORKLOAD, "--only", "simulation")
        self.assert_ends(done, 0, "note: simulation: the trace is not of the whole run: the file stops before the trace does")

    def test_a_trace_that_cannot_be_made_or_read_has_failed(self):
        self.assert_ends(self.evaluate(WORKLOAD, "--only", "simulation", fault="trace:exit"), 1,
                         f"{WORKLOAD}, simulation failed: exit status 3 under trace", "the agent could not be loaded")
        (self.root / "small.trace").write_text("no trace")
        self.assert_ends(self.evaluate(WORKLOAD, "--only", "simulation", "--retry-failed"), 1, "simulation failed", "trace")


class OwnProgram(EvaluateCase):
    def judge(self, *arguments, **more):
        return self.evaluate(*arguments, program=(self.jdk / "bin/java", "-jar", "app.jar", "--", "word"), **more)

    def test_every_round_measures_and_judges(self):
        done = self.judge("--peer", "jfr", "--json")
        self.assert_ends(done, 0)
        result = json.loads(done.stdout)
        self.assertEqual(result["settings"]["program"][1:], ["-jar", "app.jar", "--", "word"])
        (workload,) = result["workloads"]
        self.assertGreater(workload["ceiling"]["overlap"], 99.9)
        for name in ("exact", "jfr"):
            cell = workload["profilers"][name]
            self.assertEqual(cell["rounds"], 5)
            self.assertLessEqual(cell["whole_process"]["low"], cell["whole_process"]["ratio"])
            self.assertLessEqual(cell["whole_process"]["ratio"], cell["whole_process"]["high"])
            self.assertNotIn("slowdown", cell)
        self.assertEqual(workload["profilers"]["jfr"]["overlap"], 0)
        self.assertEqual(len(workload["simulation"]["variants"]), 3)
        self.assertEqual(sorted(self.starts()), sorted(["program none", "program exact", "program jfr"] * 5 + ["program trace"]))
        self.assertEqual(sorted(path.name for path in self.out.iterdir()), ["profiles", "report.html", "runs.jsonl"])
        self.judge("--peer", "jfr", "--runs", "6")
        self.assertEqual(len(self.starts()), 16 + 3)

    def test_an_interrupted_round_goes_on(self):
        program = (self.jdk / "bin/java", "Main")
        process = self.start("--only", "slowdown", "--runs", "2", modes="sample", fault="sample:hang", program=program)
        self.await_starts(2)  # the program alone, then the one that hangs
        process.send_signal(signal.SIGINT)
        self.assert_ends(self.finish(process), 130, "the same command goes on")
        self.assert_ends(self.evaluate("--only", "slowdown", "--runs", "2", modes="sample", program=program), 0)
        self.assertEqual(sorted(self.starts()), ["program none"] * 2 + ["program sample"] * 3)

    def test_few_rounds_and_one_thing_only(self):
        self.assert_ends(self.judge("--only", "slowdown", "--runs", "2", modes="sample"), 0, "process")
        self.assertEqual(sorted(self.starts()), ["program none"] * 2 + ["program sample"] * 2)
        self.out = self.root / "other"
        self.assert_ends(self.judge("--only", "accuracy", "--runs", "1", modes="sample"), 0, "overlap")
        self.assertEqual(self.starts()[4:], ["program exact"] * 2 + ["program sample"])

    def test_a_program_that_fails_is_told_from_a_profiler_that_does(self):
        done = self.judge(fault="none:exit")
        self.assert_ends(done, 1, "program, the program itself failed: exit status 3 without a profiler", "could not be loaded")
        self.assertEqual(self.starts(), ["program none"])
        self.out = self.root / "other"
        self.assert_ends(self.judge("--runs", "1", fault="exact:exit"), 1, "program, the truth failed: exit status 3 under exact")

    def test_a_changed_program_needs_another_folder(self):
        (self.root / "app.jar").write_text("one")
        self.assert_ends(self.judge("--only", "accuracy"), 0)
        (self.root / "app.jar").write_text("two")
        self.assert_ends(self.judge("--only", "accuracy"), 1, "program_build", "another --out")

    def test_what_makes_no_sense_is_refused_before_anything_runs(self):
        java = (self.jdk / "bin/java", "Main")
        self.assert_ends(self.evaluate("fop", program=java), 2, "give workloads, or a program behind two dashes, not both")
        self.assert_ends(self.evaluate("--iterations", "3", program=java), 2, "--iterations is for workloads")
        self.assert_ends(self.evaluate(program=("no-such-java", "Main")), 1, "cannot run no-such-java: No such file")
        self.assert_ends(self.evaluate("--peer", "jfr", program=("true",)), 1, "--peer needs a program called java")
        (self.jdk / "release").write_text('JAVA_VERSION="11.0.2"\n')
        self.assert_ends(self.evaluate(program=java), 1, "11.0.2")
        self.assertEqual(self.starts(), [])
        self.assertFalse(self.out.exists())


class Failing(EvaluateCase):
    def test_a_profiler_that_fails_is_shown_and_the_others_go_on(self):
        done = self.evaluate(WORKLOAD, "--quick", "--runs", "1", "--iterations", "1", "--peer", "jfr", fault="jfr:exit")
        self.assert_ends(done, 1, f"{WORKLOAD}, jfr failed: exit status 3 under jfr", "the agent could not be loaded",
                         f"{WORKLOAD}, jfr, slowdown failed: exit status 3", "100.00 %")

    def test_a_wrong_checksum_makes_the_run_invalid(self):
        done = self.evaluate(WORKLOAD, "--only", "accuracy", "--peer", "jfr", fault="jfr:checksum")
        self.assert_ends(done, 1, "wrong checksum 0000000000000bad, checksums.txt says 54829b515e9429ae")
        self.assertEqual(self.starts().count(f"{WORKLOAD} jfr"), 1)

    def test_without_a_truth_nothing_is_compared(self):
        done = self.evaluate(WORKLOAD, OTHER, "--only", "accuracy", "--peer", "jfr", fault="exact:checksum")
        self.assert_ends(done, 1, f"{WORKLOAD}, the truth failed: wrong checksum")
        self.assertEqual(self.starts(), [f"{WORKLOAD} exact", f"{OTHER} exact"])

    def test_a_run_without_profile_has_failed_and_can_be_tried_again(self):
        self.assert_ends(self.evaluate(WORKLOAD, "--only", "accuracy", fault="exact:no-profile"), 1, "the truth failed")
        self.assert_ends(self.evaluate(WORKLOAD, "--only", "accuracy"), 1, "the truth failed")
        self.assert_ends(self.evaluate(WORKLOAD, "--only", "accuracy", "--retry-failed"), 0, "100.00 %")

    def test_a_run_that_hangs_is_ended(self):
        done = self.evaluate(WORKLOAD, "--only", "accuracy", "--timeout", "1", fault="exact:hang")
        self.assert_ends(done, 1, "still running after 1 s")

    def test_an_interrupted_slowdown_goes_on(self):
        arguments = (WORKLOAD, "--quick", "--only", "slowdown", "--runs", "3", "--iterations", "1")
        process = self.start(*arguments, fault="exact:hang")
        self.await_starts(2)  # whichever comes first
        process.send_signal(signal.SIGTERM)
        self.assert_ends(self.finish(process), 130, "the same command goes on")
        before = self.starts()
        self.assert_ends(self.evaluate(*arguments), 0, "1.200")
        # Six runs in all; what hung is made again.
        self.assertEqual(len(self.starts()), 6 + before.count(f"{WORKLOAD} exact"))

    def test_what_was_done_stays_after_an_interruption(self):
        process = self.start(WORKLOAD, "--only", "accuracy", "--peer", "jfr", fault="jfr:hang")
        self.await_starts(3)
        process.send_signal(signal.SIGINT)
        done = self.finish(process)
        self.assert_ends(done, 130, "stopped", "the same command goes on")
        self.assertTrue((self.out / "report.html").exists())
        self.assert_ends(self.evaluate(WORKLOAD, "--only", "accuracy", "--peer", "jfr"), 0)
        self.assertEqual(self.starts().count(f"{WORKLOAD} exact"), 2)
        self.assertEqual(self.starts().count(f"{WORKLOAD} jfr"), 1 + 3)


class Refusing(EvaluateCase):
    def test_an_unknown_workload_is_answered_with_the_list(self):
        self.assert_ends(self.evaluate("fopp"), 2, "no workload fopp (did you mean fop?); there are antlr, bloat", "goes behind two dashes")
        self.assertFalse(self.out.exists())

    def test_an_unknown_mode_and_peer(self):
        self.assert_ends(self.evaluate(WORKLOAD, modes="exact,excat"), 2, "excat is unknown (did you mean exact?)")
        self.assert_ends(self.evaluate(WORKLOAD, "--peer", "jfx"), 2, "jfx is unknown")

    def test_a_missing_jdk(self):
        (self.jdk / "bin/java").unlink()
        self.assert_ends(self.evaluate(WORKLOAD), 1, f"no java in {self.jdk}/bin")

    def test_a_missing_harness_names_the_setup(self):
        (self.workloads / "suite.jar").unlink()
        self.assert_ends(self.evaluate(WORKLOAD), 1, "suite.jar", "setup makes or installs it")

    def test_workloads_without_the_command_that_measures_slowdowns(self):
        (self.root / "bench/slowdown").unlink()
        self.assert_ends(self.evaluate(WORKLOAD), 1, "bench/slowdown, which measures slowdowns; --only accuracy")
        self.assertEqual(self.starts(), [])
        self.assert_ends(self.evaluate(WORKLOAD, WORKLOAD, "--only", "accuracy"), 0)
        self.assertEqual(len(self.starts()), 2)

    def test_a_folder_without_workloads(self):
        shutil.rmtree(self.workloads)
        self.assert_ends(self.evaluate(WORKLOAD), 1, "no workloads in", "bench/workloads of Bursar's sources")

    def test_a_folder_for_results_that_cannot_be_made(self):
        self.out.write_text("a file")
        self.assert_ends(self.evaluate(WORKLOAD), 1, "cannot make the folder")


if __name__ == "__main__":
    unittest.main()
