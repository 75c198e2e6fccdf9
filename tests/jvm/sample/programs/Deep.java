/**
 * Works at the bottom of 10,000 frames, or of as many as it is told, for so many rounds. With a third number, in four
 * threads, and exits with status 3 after so many milliseconds.
 */
public class Deep {
    static volatile long sink;

    static long down(int depth, int rounds) {
        if (depth > 0) return down(depth - 1, rounds) + 1;
        long x = 0;
        for (int round = 0; round < rounds; ++round) {
            for (int i = 0; i < 10_000; ++i) x = x * 31 + i;
            sink = x;
        }
        return 0;
    }

    static Thread thread(Runnable work) {
        Thread thread = new Thread(null, work, "deep", 64L << 20);
        thread.start();
        return thread;
    }

    public static void main(String[] arguments) throws InterruptedException {
        int depth = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 100_000;
        if (arguments.length > 2) {
            for (int i = 0; i < 4; ++i) thread(() -> down(depth, Integer.MAX_VALUE));
            Thread.sleep(Long.parseLong(arguments[2]));
            System.exit(3);
        }
        thread(() -> System.out.println("depth " + down(depth, rounds))).join();
    }
}
