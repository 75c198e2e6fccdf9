"""A recorded program prints the same whatever options its JVM gets."""

import unittest

from runs import HERE, SLOW, TransparencyCase, each_jdk_if_slow, launcher

QUICK = ["-Xint", "-XX:TieredStopAtLevel=1", "-Xverify:all -XX:+UseParallelGC", "-Xcheck:jni"]
SLOWER = [
    "-Xcomp", "-XX:-TieredCompilation", "-XX:-UseCompressedOops", "-XX:-UseCompressedClassPointers -Xlog:disable",
    "-XX:+IgnoreUnrecognizedVMOptions -XX:+UseCompactObjectHeaders", "-XX:+UseSerialGC", "-XX:+UseZGC", "-XX:+UseShenandoahGC",
    "-XX:+UseStringDeduplication", "-Xmx40m", "-Xss256k", "-ea -esa", "-Xshare:off", "-XX:ActiveProcessorCount=1",
    "--enable-preview", "-XX:+UnlockDiagnosticVMOptions -XX:+VerifyBeforeExit",
    "-XX:+UnlockDiagnosticVMOptions -XX:+StressLCM -XX:+StressGCM",
    "-XX:+UnlockDiagnosticVMOptions -XX:+IgnoreUnrecognizedVMOptions -XX:+BytecodeVerificationLocal",
]


class JvmOptionsTest(TransparencyCase):
    @each_jdk_if_slow
    def test_each_option(self, jdk):
        for options in QUICK + SLOWER if SLOW else QUICK:
            with self.subTest(options=options):
                plain, recorded = self.run_both(self.java(jdk, *options.split(), "Mixed"))
                self.assert_same(plain, recorded)
                self.assert_profile("Mixed.main;Mixed.fibonacci;Mixed.fibonacci")

    @unittest.skipUnless(SLOW, "compiles")
    @each_jdk_if_slow
    def test_a_program_from_its_source(self, jdk):
        plain, recorded = self.run_both([*launcher(jdk), HERE / "programs/Mixed.java"])
        self.assert_same(plain, recorded)


if __name__ == "__main__":
    unittest.main()
