import tempfile
import unittest
from pathlib import Path

import bench_tree  # noqa: F401
from measure import variant
from measure.variant import VariantError, parse

JAVA = ["/jdk/bin/java", "-Xmx512m", "-Dx={out}", "bench.Harness", "fop"]


class VariantSpecification(unittest.TestCase):
    def test_options_alone_are_jvm_options(self):
        found = parse("jfr=-XX:StartFlightRecording:filename={out}.jfr '-Dname=a b'")
        self.assertEqual(found.name, "jfr")
        self.assertEqual(found.prefix, ())
        self.assertEqual(found.jvm_options, ("-XX:StartFlightRecording:filename={out}.jfr", "-Dname=a b"))

    def test_an_empty_specification_is_the_baseline_again(self):
        self.assertEqual(parse("null=").command(JAVA[:2], "o", "fop"), JAVA[:2])

    def test_words_before_java_are_put_in_front_and_words_after_it_are_options(self):
        found = parse("t=env A=1 {java} -Xint")
        self.assertEqual(found.prefix, ("env", "A=1"))
        self.assertEqual(found.jvm_options, ("-Xint",))
        expected = ["env", "A=1", "/jdk/bin/java", "-Xmx512m", "-Dx=/tmp/o", *JAVA[3:]]
        self.assertEqual(found.command(JAVA, "/tmp/o", "fop"), expected)

    def test_the_workload_is_named_where_it_is_asked_for(self):
        found = parse("t=env FILE=/p/{workload}.json {java} -Dof={workload}")
        java = ["java", *found.jvm_options]
        self.assertEqual(found.command(java, "o", "fop"), ["env", "FILE=/p/fop.json", "java", "-Dof=fop"])

    def refused(self, text: str, message: str) -> None:
        with self.assertRaisesRegex(VariantError, message):
            parse(text)

    def test_what_makes_no_sense_is_refused(self):
        self.refused("-Xint", "is not NAME=SPEC")
        self.refused("a b=-Xint", "is not NAME=SPEC")
        self.refused("a='unclosed", "variant a: No closing quotation")
        self.refused("a=env {java} {java}", "once")
        self.refused("a=sh -c 'exec {java}'", "a word of its own")
        self.refused("a=-Dx={output}", r"\{output\}.*only \{java\}")
        self.refused("a=bursar record", r"'bursar' is no JVM option; a command needs \{java\}")
        self.refused("a=no/such/profiler {java}", "no such command: no/such/profiler")

    def test_the_fingerprint_follows_the_files_it_names(self):
        with tempfile.TemporaryDirectory() as folder:
            agent = Path(folder, "agent.so")
            agent.write_text("1")
            found = parse(f"a=-agentpath:{agent}=interval=1")
            before = variant.fingerprint(found)
            agent.write_text("2")
            self.assertNotEqual(variant.fingerprint(found), before)

    def test_the_fingerprint_follows_the_libraries_beside_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            command = Path(folder, "profiler")
            command.write_text("#!/bin/sh\n")
            command.chmod(0o755)
            found = parse(f"a={command} {{java}}")
            before = variant.fingerprint(found)
            self.assertEqual(variant.fingerprint(found), before)
            Path(folder, "libprofiler.so").write_text("x")
            self.assertNotEqual(variant.fingerprint(found), before)


if __name__ == "__main__":
    unittest.main()
