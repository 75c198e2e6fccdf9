/** Works at the bottom of 10,000 frames. */
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

    public static void main(String[] arguments) throws InterruptedException {
        Thread thread = new Thread(null, () -> {
            System.out.println("depth " + down(10_000, 100_000));
        }, "deep", 64L << 20);
        thread.start();
        thread.join();
    }
}
