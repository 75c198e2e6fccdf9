/**
 * Goes down so many calls once, and works there in short ones for so many milliseconds. It allocates nothing meanwhile,
 * so that no object on the stack moves.
 */
public class LongLived {
    static volatile long sink;

    static long left(long x) {
        for (int i = 0; i < 3_000; ++i) x = x * 31 + i;
        return x;
    }

    static long right(long x) {
        for (int i = 0; i < 3_000; ++i) x = x * 37 + i;
        return x;
    }

    static void work(long end) {
        long x = 1;
        for (long round = 0; System.nanoTime() < end; ++round) {
            x = round % 2 == 0 ? left(x) : right(x);
        }
        sink = x;
    }

    static int down(int depth, long end) {
        if (depth > 0) return down(depth - 1, end) + 1;
        work(end);
        return 0;
    }

    public static void main(String[] arguments) throws InterruptedException {
        int depth = Integer.parseInt(arguments[0]);
        long ms = Long.parseLong(arguments[1]);
        Thread thread = new Thread(null, () -> {
            System.out.println("depth " + down(depth, System.nanoTime() + ms * 1_000_000));
        }, "deep", 64L << 20);
        thread.start();
        thread.join();
    }
}
