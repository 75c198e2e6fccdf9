"""When a profile cannot be written there is a clear word, the program ends as it would, and an older file stays."""

import os
import resource
import shutil
import signal
import subprocess
import unittest

from runs import AGENT, OLDEST, TransparencyCase, finish, recording, start


class UnsavedTest(TransparencyCase):
    def record(self, *words, output=None, options=("--force",), given=None, **more):
        stdin = subprocess.DEVNULL if given is None else subprocess.PIPE
        command = [*recording(output or self.profile, *options), *self.java(OLDEST, *words)]
        return finish(start(command, self.folder, stdin=stdin, **more), given)

    def assert_word(self, outcome, *words, status=1, out=b"main return\nend of main\n"):
        for word in ("bursar: ", *words):
            self.assertIn(word, outcome.err.decode())
        self.assertEqual((outcome.status, outcome.out), (status, out), outcome)

    def assert_only(self, *names):
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), sorted(names))

    def test_a_file_may_not_grow(self):
        self.profile.write_text("old")
        limit = 16 << 10
        outcome = self.record("Endings", "return",
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assert_word(outcome, "nothing was saved", "File too large")
        self.assertEqual(self.profile.read_text(), "old")
        self.assert_only("profile.bursar")

    @unittest.skipUnless(os.geteuid() == 0, "only root can mount a small disk")
    def test_a_full_disk(self):
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", disk], stderr=subprocess.PIPE)
        if mounted.returncode != 0:
            self.skipTest(f"cannot mount: {mounted.stderr.decode().strip()}")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        old = disk / "profile.bursar"
        old.write_text("old")
        outcome = self.record("Endings", "return", output=old)
        self.assert_word(outcome, "nothing was saved", "No space left on device")
        self.assertEqual(old.read_text(), "old")
        self.assertEqual(list(disk.iterdir()), [old])

    def test_a_folder_that_goes_away(self):
        folder = self.folder / "gone"
        folder.mkdir()
        process = start([*recording(folder / "x.bursar"), *self.java(OLDEST, "Endings", "stdin")], self.folder,
                        stdin=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), b"main stdin\n")
        shutil.rmtree(folder)
        outcome = finish(process, b"x\n")
        self.assert_word(outcome, "nothing was saved", "No such file or directory", out=b"x\n1 8cdc1683\nend of main\n")

    def test_a_program_that_failed_keeps_its_status(self):
        folder = self.folder / "gone"
        folder.mkdir()
        process = start([*recording(folder / "x.bursar"), *self.java(OLDEST, "Endings", "stdin-and-exit", "7")], self.folder,
                        stdin=subprocess.PIPE)
        process.stdout.readline()
        shutil.rmtree(folder)
        outcome = finish(process, b"")
        self.assertEqual(outcome.status, 7, outcome)
        self.assertIn("nothing was saved", outcome.err.decode())

    def test_a_place_that_cannot_be_written_is_refused_at_once(self):
        for place in ("/proc/x.bursar", "/nonexistent/x.bursar", "/dev/full"):
            self.assert_word(self.record("Endings", "return", output=place), place, out=b"")

    def test_a_killed_jvm_leaves_the_older_profile(self):
        self.profile.write_text("old")
        process = start([*recording(self.profile, "--force"), *self.java(OLDEST, "Signals")], self.folder)
        os.kill(int(process.stdout.readline().split()[1]), signal.SIGKILL)
        self.assert_word(finish(process), "nothing was saved", "SIGKILL", status=128 + signal.SIGKILL, out=b"")
        self.assertEqual(self.profile.read_text(), "old")
        self.assert_only("profile.bursar")

    def test_a_crash_is_named_and_leaves_the_older_profile(self):
        self.profile.write_text("old")
        outcome = self.record("Crash", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        self.assertEqual(outcome.status, 128 + signal.SIGABRT, outcome)
        self.assertTrue(outcome.out.startswith(b"about to crash\n#\n# A fatal error"), outcome)
        self.assertRegex(outcome.err.decode(), r"nothing was saved: .* the JVM crashed, hs_err_pid\d+\.log tells more")
        self.assertEqual(self.profile.read_text(), "old")
        self.assertEqual(len(list(self.folder.glob("hs_err_pid*.log"))), 1)

    def test_a_jvm_that_does_not_start(self):
        outcome = self.record("-XX:NoSuchOption", "Endings", "return")
        self.assertEqual(outcome.status, 1)
        self.assertIn("Unrecognized VM option", outcome.err.decode())
        self.assertIn("nothing was saved", outcome.err.decode())
        self.assert_only()


class AgentOptionsTest(TransparencyCase):
    NONSENSE = {"nonsense": "'nonsense' is not key=value", "mode=none": "no mode 'none'", "output=": "output is empty",
                "max_contexts=0": "max_contexts is '0'", "call_sites=2": "call_sites is '2'",
                "colour=red": "no option 'colour'"}

    def test_nonsense_is_refused(self):
        for options, word in self.NONSENSE.items():
            with self.subTest(options=options):
                outcome = finish(start(self.java(OLDEST, f"-agentpath:{AGENT}={options}", "Endings", "return"), self.folder))
                self.assertIn("bursar: agent options: ", outcome.err.decode())
                self.assertIn(word, outcome.err.decode())
                self.assertEqual((outcome.status, list(self.folder.iterdir())), (1, []))

    def test_a_profile_that_cannot_be_saved_is_no_harm_to_the_program(self):
        agent = f"-agentpath:{AGENT}=output=/nonexistent/x.bursar"
        outcome = finish(start(self.java(OLDEST, agent, "Endings", "return"), self.folder))
        self.assertEqual((outcome.status, outcome.out), (0, b"main return\nend of main\n"))
        self.assertIn("bursar: cannot write the profile to /nonexistent/x.bursar", outcome.err.decode())

    def test_a_running_jvm_is_told_how_it_is_done(self):
        process = start(self.java(OLDEST, "Signals"), self.folder)
        jvm = int(process.stdout.readline().split()[1])
        subprocess.run([OLDEST.tool("jcmd"), str(jvm), "JVMTI.agent_load", AGENT, "mode=exact"], stdout=subprocess.PIPE)
        process.terminate()
        outcome = finish(process)
        self.assertEqual((outcome.status, outcome.out), (128 + signal.SIGTERM, b"hook in hook\n"))
        self.assertIn("use `bursar record", outcome.err.decode())


if __name__ == "__main__":
    unittest.main()
