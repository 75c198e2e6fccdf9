"""bursar attach: a JVM that runs already."""

import os
import pathlib
import re
import signal
import subprocess
import time
import unittest
import zipfile

from runs import BURSAR, OLDEST, SampleCase, classes, each_jdk, environment, java

WARNS = 21  # from here on about agents that come later


class AttachCase(SampleCase):
    def jvm(self, jdk, ms=60_000, options=()):
        process = self.start(java(jdk, "TwoStacks", str(ms), options=options))
        line = process.stdout.readline()
        self.assertTrue(line.startswith("ready "), line)
        return process

    def attach(self, process, *words, status=0):
        return self.run_bursar("attach", process.pid, *words, status=status)

    def end(self, process):
        """It ran on undisturbed."""
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (143, ""))
        return err

    def assert_nothing_left(self, process):
        there = [path.name for path in pathlib.Path("/tmp").iterdir()
                 if re.match(rf"bursar-.*-{process.pid}-|\.attach_pid{process.pid}$", path.name)]
        self.assertEqual(there, [])


class AttachTest(AttachCase):
    @each_jdk
    def test_twice_in_a_row(self, jdk):
        process = self.jvm(jdk)
        for _ in range(2):
            out, err = self.attach(process, "--duration", "2s", "--force", "-o", self.profile)
            self.assertEqual(out, "")
            self.assertRegex(err, r"^bursar: [\d,]+ samples in [\d,]+ contexts → .*profile.bursar \(bursar report ")
            self.assert_sound()
            report = self.report()
            self.assertEqual(report["mode"], "sample")
            self.assertGreater(report["total_samples"], 40)
            self.assertLess(report["total_samples"], 400)
            three, one = self.samples("TwoStacks.three"), self.samples("TwoStacks.one")
            self.assertGreater(three, one)
            self.assertGreater(one, 5)
        self.assert_nothing_left(process)
        said = self.end(process)
        if jdk.feature >= WARNS:
            self.assertIn("agent has been loaded dynamically", said)
        else:
            self.assertEqual(said, "")

    @each_jdk
    def test_start_status_dump_and_stop(self, jdk):
        process = self.jvm(jdk)
        self.assertEqual(self.attach(process, "status")[0], "nothing is being recorded\n")
        self.attach(process, "start", "--force", "-o", self.profile)
        self.assertIn("being recorded already", self.attach(process, "start", "-o", "b", status=1)[1])
        time.sleep(1)
        self.assertRegex(self.attach(process, "status")[0], rf"^mode sample, \d\.\d s, \d+ samples so far → {self.profile}\n$")
        first = self.folder / "first.bursar"
        self.attach(process, "dump", "--force", "-o", first)
        time.sleep(0.5)
        _, err = self.attach(process, "stop")
        self.assertIn(f"→ {self.profile}", err)
        dumped = int(re.search(r"^  ([\d,]+) samples$", self.run_bursar("report", first)[0], re.MULTILINE)[1])
        self.assertGreater(self.report()["total_samples"], dumped)
        self.assertGreater(dumped, 20)
        self.assertIn("nothing is being recorded", self.attach(process, "stop", status=1)[1])
        self.assertEqual(self.attach(process, "status")[0], "nothing is being recorded\n")
        self.end(process)

    def test_by_name_with_file_patterns(self):
        name = f"only-{os.getpid()}.jar"
        with zipfile.ZipFile(self.folder / name, "w") as jar:
            jar.writestr("META-INF/MANIFEST.MF", "Main-Class: TwoStacks\n")
            for file in classes(OLDEST).glob("TwoStacks*.class"):
                jar.write(file, file.name)
        process = self.start([OLDEST.tool("java"), "-jar", name, "60000"])
        self.assertTrue(process.stdout.readline().startswith("ready "))
        for number in (1, 2):
            _, err = self.run_bursar("attach", name[:-4], "--duration", "1s", "-o", self.folder / "run-%p-%n.bursar")
            self.assertIn(f"run-{process.pid}-{number}.bursar", err)
            self.run_bursar("validate", self.folder / f"run-{process.pid}-{number}.bursar")
        self.end(process)

    def test_interrupted_it_saves(self):
        process = self.jvm(OLDEST)
        command = self.start([BURSAR, "attach", process.pid, "--duration", "1h", "-o", self.profile])
        time.sleep(1.5)
        command.send_signal(signal.SIGINT)
        _, err = command.communicate(timeout=60)
        self.assertEqual(command.returncode, 0, err)
        self.assertIn("samples in", err)
        self.assert_sound()
        self.end(process)

    @each_jdk
    def test_a_jvm_that_ends_first_saves(self, jdk):
        process = self.jvm(jdk, ms=2500)
        _, err = self.attach(process, "--duration", "1h", "--force", "-o", self.profile)
        self.assertIn("samples in", err)
        self.assert_sound()
        self.assertEqual(process.communicate(timeout=60)[0], "done\n")
        self.assert_nothing_left(process)

    def test_a_jvm_that_is_killed_does_not(self):
        process = self.jvm(OLDEST)
        command = self.start([BURSAR, "attach", process.pid, "--duration", "1h", "-o", self.profile])
        time.sleep(1)
        process.kill()
        process.wait()
        _, err = command.communicate(timeout=60)
        self.assertEqual(command.returncode, 1)
        self.assertIn("nothing was saved: process", err)
        self.assertFalse(self.profile.exists())
        self.assert_nothing_left(process)

    def test_after_start_the_jvm_saves_at_its_end(self):
        process = self.jvm(OLDEST, ms=2500)
        self.attach(process, "start", "-o", self.profile)
        _, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertGreater(self.report()["total_samples"], 20)
        self.assert_nothing_left(process)

    @each_jdk
    def test_a_jvm_that_sigquit_would_end(self, jdk):
        process = self.jvm(jdk, options=["-Xrs"])
        self.attach(process, "--duration", "1s", "--force", "-o", self.profile)
        self.assertGreater(self.samples("TwoStacks.three"), 10)
        self.assertIsNone(process.poll())

    @unittest.skipUnless(os.geteuid() == 0, "only root may attach to another user's JVM")
    def test_another_users_jvm(self):
        self.folder.chmod(0o755)
        self.folder.parent.chmod(0o755)
        process = subprocess.Popen(java(OLDEST, "TwoStacks", "60000"), cwd="/", text=True, user=65534, group=65534,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.clear_away, process)
        if not process.stdout.readline().startswith("ready"):
            self.skipTest(f"another user cannot run java here: {process.communicate()[1]}")
        if not os.access(BURSAR.parent, os.X_OK):
            self.skipTest("another user cannot read the agent")
        self.attach(process, "--duration", "1s", "-o", self.profile)
        self.assert_sound()
        self.assertEqual(self.profile.stat().st_uid, 0)
        self.assertGreater(self.samples("TwoStacks.three"), 10)
        self.assert_nothing_left(process)


class ClassBytesTest(AttachCase):
    """What the VM hands out as the bytes of every class, before, while and after we are there.

    HotSpot makes these bytes anew from what it keeps of a class, and those of some (Double, Math) differ from one time to
    the next in a JVM that nobody touches. So each time they are compared with those of a JVM that is left alone.
    """

    def program(self, jdk):
        jar = self.folder / "class-bytes.jar"
        with zipfile.ZipFile(jar, "w") as made:
            made.writestr("META-INF/MANIFEST.MF", "Premain-Class: ClassBytes\nCan-Retransform-Classes: true\n\n")
        return java(jdk, "ClassBytes", options=[f"-javaagent:{jar}"])

    def started(self, command):
        process = subprocess.Popen([str(word) for word in command], cwd=self.folder, env=environment(), text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.stdin.close)
        self.addCleanup(self.clear_away, process)
        line = process.stdout.readline()
        self.assertTrue(line.startswith("ready "), line or process.stderr.read())
        return process

    def bytes_of(self, process):
        """Hashes by loader and class."""
        file = self.folder / "hashes"
        process.stdin.write(f"{file}\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), "written\n")
        return dict(line.rsplit(" ", 1) for line in file.read_text().splitlines())

    def assert_alike(self, process, alone):
        ours, theirs = self.bytes_of(process), self.bytes_of(alone)
        both = ours.keys() & theirs.keys()
        self.assertGreater(len(both), 0.97 * len(theirs))
        self.assertIn("jdk.internal.loader.ClassLoaders$AppClassLoader ClassBytes$Busy", both)
        self.assertEqual([name for name in sorted(both) if ours[name] != theirs[name]], [])
        self.assertEqual([name for name in ours if "ursar" in name], [])

    @each_jdk
    def test_attaching_and_detaching_leaves_every_class_byte_for_byte(self, jdk):
        process, alone = self.started(self.program(jdk)), self.started(self.program(jdk))
        self.assert_alike(process, alone)
        self.attach(process, "start", "--force", "-o", self.profile)
        time.sleep(1)
        self.assert_alike(process, alone)
        self.attach(process, "stop")
        self.assert_alike(process, alone)
        self.attach(process, "--duration", "2s", "--force", "-o", self.profile)
        self.assert_alike(process, alone)
        self.assertGreater(self.samples("ClassBytes$Busy.run"), 10)

    def test_it_would_see_a_change(self):
        plain = self.bytes_of(self.started(self.program(OLDEST)))
        recorded = self.started([BURSAR, "record", "--mode", "exact", "-o", self.profile, "--", *self.program(OLDEST)])
        boot = "boot java/lang/Integer"
        self.assertNotEqual(self.bytes_of(recorded)[boot], plain[boot])
        recorded.stdin.close()
        self.assertEqual(recorded.wait(timeout=60), 0)


class RefusalTest(AttachCase):
    def refused(self, process, *words, status=1):
        out, err = self.attach(process, *words, status=status)
        self.assertEqual(out, "")
        return err

    def test_no_such_process_and_no_jvm(self):
        self.assertIn("there is no process 4194000", self.run_bursar("attach", "4194000", status=1)[1])
        self.assertIn("is no HotSpot JVM", self.run_bursar("attach", str(os.getpid()), status=1)[1])
        self.assertIn("there is no process 0", self.run_bursar("attach", "0", status=1)[1])
        for word in ("no.such.Main", "1.5", "-1"):
            self.assertRegex(self.run_bursar("attach", word, status=1)[1], "no JVM")

    def test_modes_that_must_be_there_from_the_start(self):
        for mode in ("exact", "adaptive", "burst", "cbs", "paths", "exact-paths", "trace"):
            err = self.run_bursar("attach", "1", "--mode", mode, status=2)[1]
            self.assertIn(f"bursar record --mode {mode} -- java", err)
            self.assertIn("as events" if mode == "cbs" else "fields to java.lang.Thread", err)
            self.assertIn("attach in mode sample", err)

    @unittest.skipUnless(os.geteuid() == 0, "only root can try it as somebody else")
    def test_another_user_does_not_get_in(self):
        process = self.jvm(OLDEST)
        try:
            tried = subprocess.run([BURSAR, "attach", str(process.pid), "--duration", "1s", "-o", "/tmp/not-allowed.bursar"],
                                   cwd="/", user=65534, group=65534, capture_output=True, text=True, timeout=60)
        except PermissionError:
            self.skipTest("another user cannot run bursar here")
        self.assertEqual((tried.returncode, tried.stdout), (1, ""))
        self.assertRegex(tried.stderr, "user|allowed|permi")
        self.assertEqual(self.attach(process, "status")[0], "nothing is being recorded\n")
        self.end(process)

    def test_a_jvm_that_lets_nobody_in(self):
        process = self.jvm(OLDEST, options=["-XX:+DisableAttachMechanism"])
        self.assertIn("-XX:+DisableAttachMechanism", self.refused(process))
        self.end(process)

    def test_an_output_that_cannot_be_written(self):
        process = self.jvm(OLDEST)
        self.assertIn("cannot write", self.refused(process, "-o", "/nonexistent/x"))
        self.profile.write_text("old")
        self.assertIn("--force replaces it", self.refused(process, "-o", self.profile))
        self.assertEqual(self.attach(process, "status")[0], "nothing is being recorded\n")
        self.assertEqual(self.profile.read_text(), "old")
        self.end(process)

    def test_a_jvm_that_is_recorded_from_its_start(self):
        recording = self.start([BURSAR, "record", "-o", self.profile, "--", *java(OLDEST, "TwoStacks", "5000")])
        jvm = int(recording.stdout.readline().split()[1])
        self.assertIn("mode adaptive records this JVM from its start",
                      self.run_bursar("attach", str(jvm), "-o", "x.bursar", status=1)[1])
        self.assertEqual(self.run_bursar("attach", str(jvm), "status")[0], "mode adaptive, from the JVM's start to its end\n")
        self.assertEqual(recording.communicate(timeout=120)[0], "done\n")
        self.assert_sound()

    def test_more_patterns_than_a_jvm_takes(self):
        process = self.jvm(OLDEST)
        patterns = [word for i in range(100) for word in ("--include", f"com.acme.some.thing{i}.*")]
        self.assertIn("1024 bytes of options", self.refused(process, *patterns, "-o", self.profile))
        self.end(process)


if __name__ == "__main__":
    unittest.main()
