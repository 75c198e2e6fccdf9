/** Threads that wait for one lock; whoever has it calls work() as often in first() as in second(). */
public final class Contenders {
    private static final Object LOCK = new Object();

    static long work(long s) {
        for (int i = 60; i > 0; i--) {
            s ^= s << 13;
            s ^= s >>> 7;
            s ^= s << 17;
        }
        return s;
    }

    static long first(long s) {
        for (int i = 0; i < 50; i++) s = work(s);
        return s;
    }

    static long second(long s) {
        for (int i = 0; i < 50; i++) s = work(s);
        return s;
    }

    public static void main(String[] args) throws Exception {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000;
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            long seed = t + 1;
            threads[t] = new Thread(() -> {
                long s = seed;
                while (System.nanoTime() < end) {
                    synchronized (LOCK) {
                        s = second(first(s));
                    }
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) thread.join();
        System.out.println("done");
    }
}
