package bench;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Runs one workload: Harness WORKLOAD ITERATIONS [options]. With a warm-up, further iterations run before the ITERATIONS
 * asked for, until the program has done --warmup-iterations of them and --warmup-seconds have passed, whichever is later.
 * The seconds must have passed by the clock and as CPU time of the process: on a busy machine the compilers get little of it.
 */
public final class Harness {
    private static final String USAGE = "usage: Harness <workload> <iterations> [--seed n] [--threads n] [--expect hex] [--stats]"
            + " [--warmup-iterations n] [--warmup-seconds s]";

    /** CPU time counts all threads of the JVM, so also its collector and compilers. */
    private static final com.sun.management.OperatingSystemMXBean OS =
            (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final List<Double> ms = new ArrayList<>();
    private final List<Double> cpuMs = new ArrayList<>();
    private long checksum;
    private boolean same = true;

    private Harness() { }

    public static void main(String[] args) throws Exception {
        if (args.length < 2) refuse("too few arguments");
        Locale.setDefault(Locale.ROOT);
        Workload w = (Workload) Class.forName("bench." + className(args[0])).getDeclaredConstructor().newInstance();
        int iterations = Integer.parseInt(args[1]);
        if (iterations < 1) refuse("iterations must be 1 or more");
        w.seed = 42;
        w.threads = w.defaultThreads();
        Long expect = null;
        boolean stats = false;
        int warmupIterations = 0;
        double warmupSeconds = 0;
        for (int i = 2; i < args.length; i++) {
            if (args[i].equals("--stats")) {
                stats = true;
                continue;
            }
            if (i + 1 == args.length) refuse("no value for " + args[i]);
            String value = args[i + 1];
            switch (args[i++]) {
                case "--seed": w.seed = Long.parseLong(value); break;
                case "--threads": w.threads = Integer.parseInt(value); break;
                case "--expect": expect = Long.parseUnsignedLong(value, 16); break;
                case "--warmup-iterations": warmupIterations = Integer.parseInt(value); break;
                case "--warmup-seconds": warmupSeconds = Double.parseDouble(value); break;
                default: refuse("no such option: " + args[i - 1]);
            }
        }

        w.setup();
        DepthSampler sampler = stats ? new DepthSampler() : null;
        if (sampler != null) sampler.start();
        System.out.printf("setup cpu_ms %.1f%n", OS.getProcessCpuTime() / 1e6);
        Harness h = new Harness();
        boolean warmup = warmupIterations > 0 || warmupSeconds > 0;
        if (warmup) {
            long t0 = System.nanoTime(), cpu0 = OS.getProcessCpuTime();
            while (h.ms.size() < warmupIterations || (System.nanoTime() - t0) / 1e9 < warmupSeconds
                    || (OS.getProcessCpuTime() - cpu0) / 1e9 < warmupSeconds) h.iterate(w);
            System.out.printf("warm after %d iterations ms %.1f%n", h.ms.size(), (System.nanoTime() - t0) / 1e6);
        }
        for (int i = 0; i < iterations; i++) h.iterate(w);
        if (w.groundTruth() != null) System.out.println("truth " + w.groundTruth());
        if (sampler != null) {
            sampler.finish();
            printStats(sampler);
        }
        // Without a warm-up, the last half of the iterations stands for the warmed-up program.
        int measured = warmup ? iterations : iterations - iterations / 2;
        boolean ok = h.same && (expect == null || expect == h.checksum);
        System.out.printf("result %s median_ms %.1f median_cpu_ms %.1f checksum %016x %s%n", args[0],
                tailMedian(h.ms, measured), tailMedian(h.cpuMs, measured), h.checksum,
                ok ? "OK" : h.same ? "WRONG" : "UNSTABLE");
        System.exit(ok ? 0 : 1); // some of the programs leave non-daemon threads behind
    }

    private static void refuse(String why) {
        System.err.println(why + "\n" + USAGE);
        System.exit(2);
    }

    private void iterate(Workload w) throws Exception {
        long cpu0 = OS.getProcessCpuTime();
        long t0 = System.nanoTime();
        long c = w.iterate();
        ms.add((System.nanoTime() - t0) / 1e6);
        cpuMs.add((OS.getProcessCpuTime() - cpu0) / 1e6);
        int n = ms.size();
        same &= n == 1 || c == checksum;
        checksum = c;
        System.out.printf("iter %d ms %.1f cpu_ms %.1f checksum %016x%n", n, ms.get(n - 1), cpuMs.get(n - 1), c);
    }

    private static double tailMedian(List<Double> v, int count) {
        double[] tail = v.subList(v.size() - count, v.size()).stream().mapToDouble(x -> x).sorted().toArray();
        return tail[tail.length / 2];
    }

    /** lusearch -> Lusearch, call-density-bias -> CallDensityBias. */
    private static String className(String workload) {
        StringBuilder sb = new StringBuilder();
        for (String part : workload.split("-")) sb.append(Character.toUpperCase(part.charAt(0))).append(part.substring(1));
        return sb.toString();
    }

    private static void printStats(DepthSampler s) {
        long peak = 0;
        for (MemoryPoolMXBean p : ManagementFactory.getMemoryPoolMXBeans())
            if (p.getType() == java.lang.management.MemoryType.HEAP) peak += p.getPeakUsage().getUsed();
        System.gc();
        Runtime r = Runtime.getRuntime();
        System.out.printf("stats heap_live_mb %d heap_peak_mb %d classes %d depth_mean %.0f depth_p95 %d depth_max %d threads %d%n",
                (r.totalMemory() - r.freeMemory()) >> 20, peak >> 20,
                ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount(),
                s.mean(), s.percentile(0.95), s.percentile(1.0), s.maxThreads);
    }
}
