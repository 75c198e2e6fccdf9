"""bursar record, with fake_java in the place of a JVM. BURSAR in the environment names the command."""

import json
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
BURSAR = pathlib.Path(os.environ["BURSAR"]).resolve()
JVM_OPTIONS = ["-XX:-DontCompileHugeMethods", "-Xss4m"]
SAVED = "1,234,567 calls in 45,678 contexts"


class RecordCase(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="bursar-record-")
        self.addCleanup(place.cleanup)
        self.root = pathlib.Path(place.name).resolve()
        self.work = self.root / "work"
        self.jdk = self.root / "jdk"
        self.temporary = self.root / "tmp"
        for folder in (self.work, self.temporary, self.jdk / "bin", self.jdk / "lib/server"):
            folder.mkdir(parents=True)
        self.java = self.jdk / "bin/java"
        shutil.copy(HERE / "fake_java", self.java)
        (self.jdk / "lib/server/libjvm.so").touch()
        self.release('JAVA_VERSION="17.0.9"\n')
        self.agent = self.root / "libbursar.so"
        self.agent.touch()
        self.log = self.root / "log"
        self.environment = {
            "PATH": f"{self.jdk / 'bin'}:/usr/bin:/bin",
            "TMPDIR": str(self.temporary),
            "BURSAR_AGENT": str(self.agent),
            "FAKE_LOG": str(self.log),
            "LC_ALL": "C.UTF-8",
        }

    def release(self, text):
        (self.jdk / "release").write_text(text)

    def script(self, text, name="run.sh"):
        path = self.work / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def start(self, *arguments, steps="save;exit 0", bursar=BURSAR, **more):
        environment = {**self.environment, "FAKE_STEPS": steps}
        return subprocess.Popen([bursar, "record", *arguments], cwd=self.work, env=environment, text=True,
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

    def finish(self, process):
        out, err = process.communicate(timeout=60)
        self.assertEqual(list(self.temporary.iterdir()), [], "temporary files stay")
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def record(self, *arguments, **more):
        return self.finish(self.start(*arguments, **more))

    def entries(self):
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []

    def await_entry(self, key):
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            for entry in self.entries():
                if key in entry:
                    return entry[key]
            time.sleep(0.01)
        self.fail(f"the program never logged {key}")

    def assert_refused(self, done, status, *words):
        self.assertEqual(done.returncode, status, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(self.entries(), [], "the program was started")


class LaunchTest(RecordCase):
    def test_java_gets_the_agent_first_and_its_arguments_as_they_were(self):
        words = ["-cp", "a b", "Main", "", "--", "[x,y]", "it's", "--mode", "-o", "%p", "$HOME", "*", "a\nb", "ä\udcff"]
        done = self.record("--", "java", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        [given] = self.entries()
        first = 2 + len(JVM_OPTIONS)
        agent, *options = given["arguments"][1:first]
        self.assertTrue(agent.startswith(f"-agentpath:{self.agent}=mode=adaptive,"), agent)
        self.assertEqual(options, JVM_OPTIONS)
        self.assertEqual(given["arguments"][first:], words)
        self.assertEqual(given["environment"], {**self.environment, "FAKE_STEPS": "save;exit 0"})
        self.assertEqual(given["folder"], str(self.work))
        self.assertEqual(given["group"], os.getpgrp())

    def test_the_agent_is_told_everything(self):
        done = self.record("--mode", "exact", "-o", "a,b=c %.bursar", "--call-sites", "--max-contexts", "77", "--include",
                           "a.*", "--include", "b.C", "--exclude", "b.C.d", "--", self.java, "a b", "x=1,2")
        self.assertEqual(done.returncode, 0, done.stderr)
        [given] = self.entries()
        pairs = [pair for pair in given["agent"] if pair[0] != "status"]
        self.assertEqual(pairs, [
            ["mode", "exact"], ["output", str(self.work / "a,b=c %.bursar")], ["call_sites", "1"], ["max_contexts", "77"],
            ["include", "a.*"], ["include", "b.C"], ["exclude", "b.C.d"], ["command", f"{self.java} 'a b' x=1,2"]])
        self.assertTrue(dict(given["agent"])["status"].startswith(str(self.temporary)))
        self.assertTrue((self.work / "a,b=c %.bursar").exists())

    def test_the_agent_is_told_how_to_trace(self):
        done = self.record("--mode", "trace", "--max-size", "2M", "--skip", "1.5s", "--", "java", "Main")
        self.assertEqual(done.returncode, 0, done.stderr)
        given = dict(self.entries()[0]["agent"])
        self.assertEqual(given["mode"], "trace")
        self.assertEqual(given["output"], str(self.work / "profile.trace"))
        self.assertEqual((given["max_size"], given["skip_ms"]), ("2097152", "1500"))

    def test_a_long_command_line_is_cut_for_the_agent_only(self):
        done = self.record("--", "java", "x" * 10000)
        self.assertEqual(done.returncode, 0, done.stderr)
        [given] = self.entries()
        self.assertEqual(given["arguments"][-1], "x" * 10000)
        self.assertLessEqual(len(dict(given["agent"])["command"].encode()), 4096)

    def test_a_script_gets_the_agent_through_its_environment(self):
        self.environment["JAVA_TOOL_OPTIONS"] = "-Dx=1"
        self.script('#!/bin/sh\nexec java Main "$@"\n')
        done = self.record("--", "./run.sh", "a 'b'", "")
        self.assertEqual(done.returncode, 0, done.stderr)
        [given] = self.entries()
        self.assertEqual(given["arguments"][1:], ["Main", "a 'b'", ""])
        value = given["environment"]["JAVA_TOOL_OPTIONS"]
        self.assertTrue(value.startswith(f"-Dx=1 -agentpath:{self.agent}=mode=adaptive,"), value)
        self.assertTrue(value.endswith(" " + " ".join(JVM_OPTIONS)), value)
        self.assertEqual(dict(given["agent"])["command"], "./run.sh 'a '\\''b'\\''' ''")
        self.assertIn("JAVA_TOOL_OPTIONS", done.stderr)
        self.assertIn(SAVED, done.stderr)

    def test_standard_input_and_output_are_the_programs(self):
        self.script('read line; echo "got $line"; echo oops >&2; java\n')
        process = self.start("--quiet", "--", "./run.sh")
        out, err = process.communicate("hello\n", timeout=60)
        self.assertEqual((out, err, process.returncode), ("got hello\n", "oops\n", 0))

    def test_signals_are_as_they_were_when_bursar_started(self):
        probe = self.script("#!/bin/sh\nexec grep -E '^Sig(Ign|Blk)' /proc/self/status\n", "probe")
        reset = [signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGQUIT, signal.SIGCHLD, signal.SIGTERM]

        def before(ignored):
            for number in reset:
                signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)

        for ignored in ([], [signal.SIGHUP], [signal.SIGPIPE, signal.SIGINT]):
            def prepare(ignored=ignored):
                before(ignored)
                if signal.SIGHUP in ignored:
                    signal.signal(signal.SIGHUP, signal.SIG_IGN)

            plain = subprocess.run([probe], capture_output=True, text=True, preexec_fn=prepare, restore_signals=False)
            done = self.record("--", probe, preexec_fn=prepare, restore_signals=False)
            self.assertIn("SigIgn", plain.stdout)
            self.assertEqual(done.stdout, plain.stdout)


class EndTest(RecordCase):
    def test_success_is_said_in_one_line(self):
        done = self.record("--mode", "exact", "--", "java", "Main")
        self.assertEqual(done.stderr, f"bursar: {SAVED} → profile.bursar (bursar report profile.bursar)\n")
        self.assertEqual((done.stdout, done.returncode), ("", 0))

    def test_an_estimate_is_said_to_be_one(self):
        done = self.record("--", "java", "Main")
        self.assertIn(f"bursar: about {SAVED} → profile.bursar", done.stderr)
        self.assertRegex(done.stderr, r"estimates of a run of \d\.\d s are rough; --mode exact counts every call")

    def test_quiet_says_only_what_went_wrong(self):
        self.assertEqual(self.record("--quiet", "--", "java").stderr, "")
        self.assertIn("disk full", self.record("--quiet", "-o", "b", "--", "java", steps="say error=disk full").stderr)

    def test_the_exit_status_is_the_programs(self):
        for status in (1, 2, 3, 126, 127, 143, 255):
            done = self.record("-o", f"{status}.bursar", "--", "java", steps=f"save;exit {status}")
            self.assertEqual(done.returncode, status)
            self.assertIn(SAVED, done.stderr)

    def test_a_profile_that_could_not_be_saved_turns_success_into_failure(self):
        done = self.record("--", "java", steps="say error=cannot write x: No space left on device;exit 0")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "bursar: nothing was saved: cannot write x: No space left on device\n")
        self.assertEqual(self.record("--", "java", steps="say error=x;exit 4").returncode, 4)

    def test_an_agent_that_never_came_to_its_end(self):
        done = self.record("--", "java", steps="exit 0")
        self.assertEqual(done.returncode, 1)
        self.assertIn("nothing was saved: the program ended with exit status 0; its JVM did not start", done.stderr)
        self.script("exit 0\n")
        self.assertIn("did it start java?", self.record("--", "./run.sh").stderr)

    def test_sigkill_leaves_an_older_file_alone(self):
        old = self.work / "profile.bursar"
        old.write_text("older")
        done = self.record("--force", "--", "java", steps="kill 9")
        self.assertEqual(done.returncode, 128 + 9)
        self.assertEqual(done.stderr,
                         "bursar: nothing was saved: signal 9 (SIGKILL) ended the program before it could save\n")
        self.assertEqual([p.name for p in self.work.iterdir()], ["profile.bursar"])
        self.assertEqual(old.read_text(), "older")

    def test_a_crash_points_at_the_jvms_report(self):
        done = self.record("--", "java", steps="crash")
        [report] = self.work.glob("hs_err_pid*.log")
        self.assertEqual(done.returncode, 128 + signal.SIGABRT)
        self.assertIn(f"signal 6 (SIGABRT) ended the program before it could save; the JVM crashed, {report.name}",
                      done.stderr)

    def test_a_signal_after_saving_is_named(self):
        done = self.record("--", "java", steps="save;kill 15")
        self.assertEqual(done.returncode, 143)
        self.assertIn(SAVED, done.stderr)
        self.assertIn("signal 15 (SIGTERM) ended the program", done.stderr)

    def test_a_killed_jvm_in_a_script_is_recognised_by_the_shells_status(self):
        self.script("#!/bin/sh\njava\nexit $?\n")
        done = self.record("--", "./run.sh", steps="kill 9")
        self.assertEqual(done.returncode, 137)
        self.assertIn("exit status 137, as if signal 9 (SIGKILL) had ended it", done.stderr)

    def test_several_jvms_have_a_file_each(self):
        self.script("java\njava\n")
        done = self.record("-o", "run-%p.bursar", "--", "./run.sh")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(list(self.work.glob("run-*.bursar"))), 2)
        self.assertIn("2,469,134 calls in 91,356 contexts of 2 JVMs → run-%p.bursar", done.stderr)

    def test_several_jvms_with_one_file_are_told_of_the_pattern(self):
        self.script("FAKE_STEPS=save java\nFAKE_STEPS='say error=profile.bursar exists' java\n")
        done = self.record("--", "./run.sh")
        self.assertEqual(done.returncode, 1)
        self.assertIn(SAVED, done.stderr)
        self.assertIn("a profile was not saved: profile.bursar exists", done.stderr)
        self.assertIn("%p in the name", done.stderr)
        self.script("java\njava\n")
        done = self.record("-o", "b.bursar", "--", "./run.sh")
        self.assertEqual(done.returncode, 1)
        self.assertIn("2 JVMs wrote b.bursar, which holds the last one only", done.stderr)

    def test_a_reader_of_stderr_that_goes_away_does_not_change_the_exit_status(self):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run([BURSAR, "record", "--", "java"], cwd=self.work, stderr=writing,
                              env={**self.environment, "FAKE_STEPS": "save;exit 5"}, timeout=60)
        os.close(writing)
        self.assertEqual(done.returncode, 5)


class SignalTest(RecordCase):
    def check_passed_on(self, name, send):
        process = self.start("--", "java", steps="wait;save;exit 9", start_new_session=True)
        self.await_entry("waiting")
        send(process)
        done = self.finish(process)
        self.assertEqual(self.await_entry("came"), [name])
        self.assertEqual(done.returncode, 9)
        self.assertIn(SAVED, done.stderr)

    def test_what_is_sent_to_bursar_reaches_the_program(self):
        for name in ("SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGINT", "SIGALRM"):
            with self.subTest(name):
                self.check_passed_on(name, lambda process: process.send_signal(getattr(signal, name)))
            self.log.unlink()
            (self.work / "profile.bursar").unlink()

    def test_a_terminals_interrupt_reaches_the_program_once(self):
        main, terminal = os.openpty()
        attach = ("import fcntl, os, sys, termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
                  "os.execv(sys.argv[1], sys.argv[1:])")
        process = subprocess.Popen(
            [sys.executable, "-c", attach, BURSAR, "record", "--", "java"], cwd=self.work, stdin=terminal,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**self.environment, "FAKE_STEPS": "wait;save;exit 9"})
        self.await_entry("waiting")
        os.write(main, b"\x03")
        done = self.finish(process)
        os.close(main)
        os.close(terminal)
        self.assertEqual(self.await_entry("came"), ["SIGINT"])
        self.assertEqual(done.returncode, 9)
        self.assertIn(SAVED, done.stderr)


class RefusalTest(RecordCase):
    def test_an_existing_output_is_not_replaced_without_force(self):
        old = self.work / "profile.bursar"
        old.write_text("older")
        self.assert_refused(self.record("--", "java"), 1, "profile.bursar exists; --force replaces it")
        self.assertEqual(old.read_text(), "older")
        done = self.record("--force", "--", "java")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(old.read_text(), "a profile")

    def test_a_link_stays_and_what_it_leads_to_is_replaced(self):
        (self.root / "store").mkdir()
        real = self.root / "store/real.bursar"
        real.write_text("older")
        (self.work / "link.bursar").symlink_to(real)
        self.assertEqual(self.record("--force", "-o", "link.bursar", "--", "java").returncode, 0)
        self.assertEqual(dict(self.entries()[0]["agent"])["output"], str(real))

    def test_an_output_that_cannot_be_written_is_found_out_before(self):
        self.assert_refused(self.record("-o", "nowhere/x.bursar", "--", "java"), 1, "cannot write nowhere/x.bursar")
        self.assert_refused(self.record("-o", "/proc/x.bursar", "--", "java"), 1, "cannot write /proc/x.bursar")
        self.assert_refused(self.record("-o", ".", "--", "java"), 1, ". is a directory")
        self.assert_refused(self.record("-o", "/dev/null", "--", "java"), 1, "/dev/null is not a regular file")
        self.assert_refused(self.record("-o", "-", "--", "java"), 1, "name a file")
        self.assert_refused(self.record("-o", "", "--", "java"), 1, "empty")
        self.assertEqual(list(self.work.iterdir()), [])

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_without_write_permission(self):
        self.work.chmod(0o555)
        self.addCleanup(self.work.chmod, 0o755)
        self.assert_refused(self.record("--", "java"), 1, "cannot write profile.bursar: Permission denied")

    def test_no_folder_for_temporary_files(self):
        self.environment["TMPDIR"] = str(self.root / "nowhere")
        self.assert_refused(self.record("--", "java"), 1, "cannot create a temporary file", "TMPDIR")

    def test_a_program_that_is_not_there_or_cannot_be_run(self):
        self.assert_refused(self.record("--", "no such"), 127, "cannot run 'no such': no such program")
        self.assert_refused(self.record("--", ""), 127, "cannot run '': no such program")
        self.assert_refused(self.record("--", "./nowhere/java"), 127, "no such program")
        self.script("exit 0\n").chmod(stat.S_IRUSR)
        self.assert_refused(self.record("--", "./run.sh"), 126, "Permission denied")
        self.assert_refused(self.record("--", "/tmp"), 126, "Is a directory")
        self.script("#!/nowhere/sh\n", "broken")
        self.assert_refused(self.record("--", "./broken"), 126, "the interpreter in its first line is missing")

    def test_a_jvm_that_cannot_be_profiled(self):
        self.release('JAVA_VERSION="11.0.2"\nIMPLEMENTOR="Acme"\n')
        link = self.root / "java-link"
        link.symlink_to(self.java)
        for java in ("java", self.java, link):
            self.assert_refused(self.record("--", java), 1, f"{self.jdk} is Java 11.0.2 (Acme); Bursar profiles Java 17 to 25")
        self.release('JAVA_VERSION="21.0.2"\nJVM_VARIANT="Openj9"\n')
        self.assert_refused(self.record("--", "java"), 1, "OpenJ9")
        self.release('JAVA_VERSION="21.0.2"\n')
        (self.jdk / "lib/server/libjvm.so").unlink()
        self.assert_refused(self.record("--", "java"), 1, "has no HotSpot server JVM")
        (self.jdk / "release").unlink()
        self.assertEqual(self.record("--", "java").returncode, 0, "unknown, so the agent judges")

    def test_the_agent_is_beside_the_command_or_in_lib(self):
        del self.environment["BURSAR_AGENT"]
        for folder in ("bin", "lib"):
            (self.root / folder).mkdir()
        bursar = self.root / "bin/bursar"
        shutil.copy(BURSAR, bursar)
        self.assert_refused(self.record("--", "java", bursar=bursar), 1, "the agent libbursar.so is neither in", "BURSAR_AGENT")
        for place in ("lib/libbursar.so", "bin/libbursar.so"):
            (self.root / place).touch()
            self.assertEqual(self.record("--force", "--", "java", bursar=bursar).returncode, 0)
            self.assertTrue(self.entries()[-1]["arguments"][1].startswith(f"-agentpath:{self.root / place}="))
        self.environment["BURSAR_AGENT"] = "/nowhere/agent.so"
        done = self.record("--force", "--", "java", bursar=bursar)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot read the agent /nowhere/agent.so", done.stderr)

    def test_options_of_other_modes(self):
        cases = {
            ("--mode", "exact", "--burst-length", "1ms"): "--burst-length is for mode burst, adaptive",
            ("--mode", "burst", "--reenable", "0.5"): "--reenable is for mode adaptive",
            ("--mode", "trace", "--interval", "1ms"): "--interval is for mode sample, burst, adaptive",
        }
        for arguments, words in cases.items():
            with self.subTest(arguments):
                self.assert_refused(self.record(*arguments, "--", "java"), 2, words)

    def test_wrong_usage(self):
        cases = {
            (): "no program to run: bursar record [OPTIONS] -- java",
            ("--",): "no program to run",
            ("-o", "x", "java", "-jar", "app.jar"): "the program goes behind two dashes: bursar record [OPTIONS] -- java",
            ("--qiet", "--", "java"): "unknown option --qiet (did you mean --quiet?)",
            ("--mode", "wall", "--", "java"): "wall is unknown; there is adaptive, exact, sample, burst, cbs, trace",
            ("--reenable", "2", "--", "java"): "2 is not a number from 0 to 1",
            ("--include", "java/util/*", "--", "java"): "has slashes for dots",
            ("--exclude", "a..b", "--", "java"): "a..b is not a pattern",
            ("--max-contexts", "0", "--", "java"): "0 is not a number",
            ("stray", "--", "java"): "unexpected argument stray",
        }
        for arguments, words in cases.items():
            with self.subTest(arguments):
                self.assert_refused(self.record(*arguments), 2, words, "Try: bursar record --help")


if __name__ == "__main__":
    unittest.main()
