import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Thousands of short threads, some at a time, all of which compute something. With "rss": what memory it has then. */
public class ManyThreads {
    static long work(int seed) {
        long x = seed;
        for (int i = 0; i < 50_000; ++i) x = x * 31 + i;
        return x;
    }

    /** Such as "80100 kB". */
    static String residentMemory() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) return line.substring(6).trim();
        }
        throw new IOException("no VmRSS");
    }

    public static void main(String[] arguments) throws InterruptedException, IOException {
        int count = Integer.parseInt(arguments[0]);
        long[] results = new long[count];
        Thread[] threads = new Thread[8];
        for (int i = 0; i < count; i += threads.length) {
            for (int k = 0; k < threads.length; ++k) {
                int at = i + k;
                threads[k] = new Thread(() -> results[at] = work(at), "short");
                threads[k].start();
            }
            for (Thread thread : threads) thread.join();
        }
        long sum = 0;
        for (long result : results) sum = sum * 31 + result;
        System.out.println("sum " + sum);
        if (arguments.length > 1) System.out.println("rss " + residentMemory());
    }
}
