import unittest

import bench_tree  # noqa: F401
from measure.harness_output import OutputError, WrongResult, parse

ITERATIONS = """setup cpu_ms 60.0
iter 1 ms 477.3 cpu_ms 480.0 checksum 54829b515e9429ae
warm after 1 iterations ms 480.2
[info] a line of a profiler
iter 2 ms 476.8 cpu_ms 490.0 checksum 54829b515e9429ae
truth calls dense->compute 32000000 sparse->compute 32000000
"""
RESULT = "result call-density-bias median_ms 475.3 median_cpu_ms 480.0 checksum 54829b515e9429ae OK\n"


class HarnessOutput(unittest.TestCase):
    def test_a_complete_run_is_read(self):
        output = parse(ITERATIONS + RESULT)
        self.assertEqual(output.setup_cpu_ms, 60.0)
        self.assertEqual(output.cpu_ms, [480.0, 490.0])
        self.assertEqual(output.wall_ms, [477.3, 476.8])
        self.assertEqual(output.warm_after, 1)
        self.assertEqual(output.checksum, "54829b515e9429ae")

    def test_a_run_without_warm_up_measures_from_the_start(self):
        self.assertEqual(parse(ITERATIONS.replace("warm after", "cold after") + RESULT).warm_after, 0)

    def refused(self, text: str, message: str, kind: type = OutputError) -> None:
        with self.assertRaisesRegex(kind, message):
            parse(text)

    def test_a_run_that_ended_early_is_refused(self):
        self.refused("", "no result line after 0 iterations")
        self.refused(ITERATIONS, "no result line after 2 iterations")
        self.refused(ITERATIONS + RESULT[:-4], "no result line after 2 iterations")

    def test_a_wrong_result_is_refused(self):
        self.refused(ITERATIONS + RESULT.replace("OK", "UNSTABLE"), "different checksums", WrongResult)
        self.refused(ITERATIONS + RESULT.replace("OK", "WRONG"), "WRONG", WrongResult)

    def test_missing_iterations_are_refused(self):
        self.refused(ITERATIONS.replace("iter 2", "iter 3") + RESULT, "iteration 3 follows iteration 1")
        self.refused("setup cpu_ms 60.0\n" + RESULT, "no iterations")

    def test_a_harness_built_from_older_sources_is_refused(self):
        self.refused(ITERATIONS.partition("\n")[2] + RESULT, "no setup line.*bench/workloads/setup")


if __name__ == "__main__":
    unittest.main()
