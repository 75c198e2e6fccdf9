"""Other agents in the same JVM do their work, and so do we."""

import functools
import pathlib
import subprocess
import unittest
import zipfile

from runs import AGENT, HERE, OLDEST, TransparencyCase, each_jdk_if_slow, finish, launcher, scratch, start

ASM = pathlib.Path("/usr/share/java/asm.jar")
JACOCO = pathlib.Path("/usr/share/java/org.jacoco.agent.jar")
JACOCO_CORE = pathlib.Path("/usr/share/java/org.jacoco.core.jar")


def compiled(name, classpath):
    folder = scratch() / name
    folder.mkdir()
    subprocess.run([OLDEST.tool("javac"), "-cp", classpath, "-d", folder, *(HERE / "agents" / name).glob("*.java")], check=True)
    return folder


@functools.cache
def patching():
    """The agent's jar, and where the program is."""
    folder = compiled("patching", ASM)
    program = folder / "program"
    program.mkdir()
    (folder / "Patched.class").rename(program / "Patched.class")
    manifest = scratch() / "manifest"
    manifest.write_text("Premain-Class: Patching\nCan-Retransform-Classes: true\nCan-Redefine-Classes: true\n"
                        f"Class-Path: {ASM.as_uri()}\n")
    jar = scratch() / "patching.jar"
    names = sorted(path.name for path in folder.glob("*.class"))
    subprocess.run([OLDEST.tool("jar"), "cfm", jar, manifest, *names], cwd=folder, check=True)
    return jar, program


@unittest.skipUnless(ASM.exists(), f"{ASM} is not there (Debian: libasm-java)")
class JavaAgentTest(TransparencyCase):
    COUNTS = {"Patched.main;Patched.greet": 6, "Patched.main;Patched.greet;Patched.twice": 6,
              "Patched.main;Patched.twice": 20000}

    def assert_counts(self):
        found = dict(line.rsplit(" ", 1) for line in self.folded() if line.startswith("Patched.main;"))
        self.assertEqual({name: int(found.get(name, 0)) for name in self.COUNTS}, self.COUNTS)

    @each_jdk_if_slow
    def test_classes_can_be_changed_while_they_run(self, jdk):
        jar, program = patching()
        plain, recorded = self.run_both([*launcher(jdk), f"-javaagent:{jar}", "-cp", program, "Patched"])
        self.assert_same(plain, recorded)
        self.assertIn(b"refused 0\n", plain.out)
        self.assert_counts()

    @each_jdk_if_slow
    def test_the_order_of_agents_does_not_matter(self, jdk):
        jar, program = patching()
        ours = f"-agentpath:{AGENT}=mode=exact,output={self.profile}"
        outcomes = [finish(start([*launcher(jdk), f"-javaagent:{jar}", *more, "-cp", program, "Patched"], self.folder))
                    for more in ([], [ours])]
        self.assert_same(*outcomes)
        self.assert_counts()

    @each_jdk_if_slow
    def test_a_flight_recording_and_a_debugger_beside_us(self, jdk):
        jar, _ = patching()
        plain, recorded = self.run_both(self.java(
            jdk, f"-javaagent:{jar}", "-Xlog:disable", "-XX:StartFlightRecording:filename=flight.jfr,settings=profile",
            "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y", "Mixed"))
        self.assert_same(plain, recorded)
        self.assertGreater((self.folder / "recorded/flight.jfr").stat().st_size, 10000)
        self.assert_profile("Mixed.main;Mixed.fibonacci;Mixed.fibonacci")

    def test_twice_in_one_jvm_is_refused_or_harmless(self):
        ours = f"-agentpath:{AGENT}=mode=exact,output={self.profile}"
        outcome = finish(start([*launcher(OLDEST), ours, *self.java(OLDEST, ours, "Endings", "return")[1:]], self.folder))
        self.assertIn("already", outcome.err.decode(), outcome)
        self.assertNotIn("StackOverflowError", str(outcome))


@unittest.skipUnless(JACOCO.exists() and JACOCO_CORE.exists() and ASM.exists(), "JaCoCo is not there (Debian: libjacoco-java)")
class JacocoTest(TransparencyCase):
    def test_coverage_is_the_same(self):
        classpath = f"{JACOCO_CORE}:{ASM}"
        reader = compiled("coverage", classpath)
        with zipfile.ZipFile(JACOCO) as jar:
            agent = jar.extract("jacocoagent.jar", scratch())
        for program in ("Mixed", "LoaderLog"):
            with self.subTest(program=program):
                plain, recorded = self.run_both(self.java(OLDEST, f"-javaagent:{agent}=destfile=covered.exec", program))
                self.assert_same(plain, recorded)
                covered = [subprocess.run([*launcher(OLDEST), "-cp", f"{reader}:{classpath}", "Coverage",
                                           self.folder / name / "covered.exec"], check=True, stdout=subprocess.PIPE).stdout
                           for name in ("plain", "recorded")]
                self.assertIn(program.encode(), covered[0])
                self.assertEqual(covered[1].decode(), covered[0].decode())
                self.assert_profile(f"{program}.main;")


if __name__ == "__main__":
    unittest.main()
