import java.io.InputStream;
import java.lang.reflect.Method;

/**
 * Loads the same class again and again, each time with a loader of its own, runs it for a moment and lets it go: for
 * three seconds, or so many rounds, and then says what memory it has.
 */
public class Unloading {
    static class Worker {
        static long run(long end) {
            long x = 0;
            do {
                for (int i = 0; i < 10_000; ++i) x = x * 31 + i;
            } while (System.nanoTime() < end);
            return x == 42 ? 1 : 0;
        }
    }

    static class Loader extends ClassLoader {
        Class<?> define(byte[] bytes) {
            return defineClass("Unloading$Worker", bytes, 0, bytes.length);
        }
    }

    public static void main(String[] arguments) throws Exception {
        byte[] bytes;
        try (InputStream in = Unloading.class.getResourceAsStream("Unloading$Worker.class")) {
            bytes = in.readAllBytes();
        }
        int rounds = 0;
        int most = arguments.length > 0 ? Integer.parseInt(arguments[0]) : Integer.MAX_VALUE;
        long end = System.nanoTime() + (arguments.length > 0 ? 60_000_000_000L : 3_000_000_000L);
        while (rounds < most && System.nanoTime() < end) {
            Method run = new Loader().define(bytes).getDeclaredMethod("run", long.class);
            run.setAccessible(true);
            run.invoke(null, System.nanoTime() + (arguments.length > 0 ? 200_000 : 2_000_000));
            if (++rounds % 20 == 0) System.gc();
        }
        System.out.println(rounds > 50 ? "many rounds" : "only " + rounds);
        if (arguments.length > 0) System.out.println("rss " + ManyThreads.residentMemory());
    }
}
