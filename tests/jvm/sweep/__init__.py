"""The class-file sweep, in the order in which data flows: toolchain finds the JDKs and compiles the Java side (bursar/);
packs collects the classes and has them rewritten; verification lets a JVM verify them, and control shows that it would
notice; workload_runs runs real programs with them. session is the command around all of it."""
