/**
 * Four threads that compute for so many milliseconds: "short", in calls of a method that lasts microseconds; "long",
 * in one call from beginning to end; "exit", in short ones until the program exits with status 3 in the middle of it.
 */
public class Spinners {
    static volatile long sink;

    static long step(long x) {
        for (int i = 0; i < 2_000; ++i) x = x * 31 + i;
        return x;
    }

    static void inShortCalls(long end) {
        long x = 1;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 100; ++i) x = step(x);
        }
        sink = x;
    }

    static void inOneCall(long end) {
        long x = 1;
        do {
            for (int i = 0; i < 1_000_000; ++i) x = x * 31 + i;
        } while (System.nanoTime() < end);
        sink = x;
    }

    public static void main(String[] arguments) throws InterruptedException {
        long ms = Long.parseLong(arguments[1]);
        boolean isShort = !arguments[0].equals("long"), exits = arguments[0].equals("exit");
        long end = System.nanoTime() + (exits ? 60_000 : ms) * 1_000_000;
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; ++i) {
            threads[i] = new Thread(() -> {
                if (isShort) {
                    inShortCalls(end);
                } else {
                    inOneCall(end);
                }
            });
            threads[i].start();
        }
        if (exits) {
            Thread.sleep(ms);
            System.exit(3);
        }
        for (Thread thread : threads) thread.join();
        System.out.println("done");
    }
}
