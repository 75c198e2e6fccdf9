"""Signals do to a recorded program what they do to any."""

import os
import re
import signal
import time
import unittest

from runs import OLDEST, TransparencyCase, each_jdk_if_slow, finish, recording, start


class SignalTest(TransparencyCase):
    def signalled(self, jdk, number, record, words=(), to_jvm=False, options=()):
        command = self.java(jdk, *options, "Signals", *words)
        self.profile.unlink(missing_ok=True)
        process = start([*recording(self.profile), *command] if record else command, self.folder)
        jvm = int(process.stdout.readline().split()[1])
        if words:
            process.stdout.readline()
        time.sleep(0.2)
        os.kill(jvm if to_jvm else process.pid, number)
        if number == signal.SIGQUIT:
            time.sleep(1)
            os.kill(jvm, signal.SIGTERM)
        return finish(process)

    @each_jdk_if_slow
    def test_hooks_run_and_the_profile_is_saved(self, jdk):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(signal=number.name):
                plain = self.signalled(jdk, number, record=False)
                self.assertEqual(plain.status, 128 + number)
                self.assertEqual(plain.out, b"hook in hook\n")
                for to_jvm in (False, True):
                    self.assert_same(plain, self.signalled(jdk, number, record=True, to_jvm=to_jvm), 128 + number)
                    self.assert_profile("Signals.work")

    def test_a_handler_of_the_program_gets_the_signal(self):
        outcomes = [self.signalled(OLDEST, signal.SIGTERM, record, ["handles"]) for record in (False, True)]
        self.assert_same(*outcomes, 42)
        self.assert_profile("Signals.main")

    def test_a_signal_that_kills_a_jvm_at_once_is_named(self):
        for number in (signal.SIGUSR1, signal.SIGKILL):
            self.profile.unlink(missing_ok=True)
            outcome = self.signalled(OLDEST, number, record=True, to_jvm=True)
            self.assertEqual(outcome.status, 128 + number)
            self.assertIn(f"nothing was saved: signal {int(number)} ({number.name})", outcome.err.decode())
            self.assertEqual(list(self.folder.iterdir()), [])

    @each_jdk_if_slow
    def test_a_thread_dump_comes_out(self, jdk):
        outcome = self.signalled(jdk, signal.SIGQUIT, record=True)
        self.assertEqual(outcome.status, 128 + signal.SIGTERM)
        self.assertRegex(outcome.out.decode(), re.compile(r'Full thread dump .*"main".*at Signals\.main\(', re.DOTALL))


if __name__ == "__main__":
    unittest.main()
