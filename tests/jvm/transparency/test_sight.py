"""Programs that look around print the same whether they are recorded or not."""

import unittest

from runs import MODE, OLDEST, TransparencyCase, classes, each_jdk, each_jdk_if_slow, finish, recording, start

# A trace must not end because the JIT compiled something: that is a matter of time.
TRACES = ["-XX:-OmitStackTraceInFastThrow"]


class SightTest(TransparencyCase):
    def look(self, jdk, *words, options=(), debug="-g", status=0, given=None):
        plain, recorded = self.run_both(self.java(jdk, *options, *words, folder=classes(debug)), given)
        self.assert_same(plain, recorded, status)
        return plain

    @each_jdk
    def test_stack_traces_are_the_same(self, jdk):
        self.look(jdk, "Traces", options=TRACES)

    @each_jdk_if_slow
    def test_stack_traces_without_debug_tables_are_the_same(self, jdk):
        self.look(jdk, "Traces", options=TRACES, debug="-g:none")

    @each_jdk
    def test_words_about_null_are_the_same(self, jdk):
        self.look(jdk, "NullMessages")

    @each_jdk
    def test_words_about_null_without_names_of_locals_are_the_same(self, jdk):
        self.look(jdk, "NullMessages", debug="-g:none")

    @each_jdk
    def test_stack_walker_sees_the_same(self, jdk):
        self.look(jdk, "Walker")

    @each_jdk
    def test_methods_that_ask_who_calls_see_the_same(self, jdk):
        self.look(jdk, "CallerSensitive")

    @each_jdk
    def test_reflection_sees_the_same_members(self, jdk):
        plain, recorded = self.run_both(self.java(jdk, "Members"))
        self.assertEqual(recorded.err, plain.err)
        # In which order the VM lists members depends on where it put their names.
        self.assertEqual(sorted(recorded.out.decode().splitlines()), sorted(plain.out.decode().splitlines()))
        self.assertEqual((recorded.status, plain.status), (0, 0))

    @each_jdk
    def test_reflection_initialises_no_class(self, jdk):
        self.look(jdk, "Unready")

    @each_jdk
    def test_serial_versions_and_serialized_bytes_are_the_same(self, jdk):
        self.look(jdk, "SerialVersions")

    @unittest.skipIf(MODE == "burst", "copies of native methods show in stack traces (docs/burst.md)")
    @each_jdk
    def test_classes_are_initialised_at_the_same_time(self, jdk):
        self.look(jdk, "Initialisation")

    @each_jdk
    def test_class_loaders_are_asked_for_the_same(self, jdk):
        self.look(jdk, "LoaderLog")

    @each_jdk
    def test_threads_do_the_same(self, jdk):
        self.look(jdk, "ThreadsSeen")

    @unittest.skipIf(MODE == "cbs", "a thread is in native code while it tells a call (docs/cbs.md)")
    @each_jdk
    def test_a_thread_that_is_looked_at_shows_no_frame_of_ours(self, jdk):
        # Interpreted, a thread is inside a probe half of the time.
        self.look(jdk, "Watched", options=["-Xint"])

    @each_jdk
    def test_finalizers_cleaners_and_unloading_work(self, jdk):
        self.look(jdk, "Collected", options=["--add-opens=java.base/java.lang.ref=ALL-UNNAMED"])


class EndingTest(TransparencyCase):
    CASES = {"return": 0, "exit 0": 0, "exit 3": 3, "exit 255": 255, "uncaught": 1, "uncaught-error": 1, "halt": 7,
             "exit-with-hooks": 3, "halt-in-hook": 9, "hook-throws": 0, "thread-dies": 0, "thread-exits": 5,
             "threads-outlive-main": 0, "daemon-dropped": 0, "init-throws": 1}

    @each_jdk_if_slow
    def test_every_ending_is_the_same_and_leaves_a_profile(self, jdk):
        for words, status in self.CASES.items():
            with self.subTest(words=words):
                self.profile.unlink(missing_ok=True)
                plain, recorded = self.run_both(self.java(jdk, "Endings", *words.split()))
                self.assert_same(plain, recorded, status)
                self.assert_profile("Endings.main")

    @each_jdk_if_slow
    def test_much_output_arrives(self, jdk):
        self.assert_same(*self.run_both(self.java(jdk, "Endings", "flood", "50000")))

    @each_jdk_if_slow
    def test_input_arrives(self, jdk):
        given = "".join(f"line {i} {i * 2654435761 % 4294967296} äöü\n" for i in range(50000)).encode()
        self.assert_same(*self.run_both(self.java(jdk, "Endings", "stdin"), given))

    def test_out_of_memory_is_the_same(self):
        self.assert_same(*self.run_both(self.java(OLDEST, "-Xmx100m", "Endings", "out-of-memory")))

    def test_a_reader_that_goes_away_is_no_trouble(self):
        process = start([*recording(self.profile), *self.java(OLDEST, "Endings", "flood", "50000")], self.folder)
        process.stdout.readline()
        process.stdout.close()
        process.stdout = None
        self.assertEqual(finish(process).status, 0)
        self.assert_profile("Endings.main")


if __name__ == "__main__":
    unittest.main()
