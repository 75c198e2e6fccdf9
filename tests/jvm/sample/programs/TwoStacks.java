/** Three parts of its time below `three`, one below `one`; a thread that sleeps; another that waits. */
public class TwoStacks {
    static volatile long sink;

    static long spin(long x) {
        for (int i = 0; i < 100_000; ++i) x = x * 31 + i;
        return x;
    }

    static void three() {
        for (int i = 0; i < 3; ++i) sink += spin(i);
    }

    static void one() {
        sink += spin(1);
    }

    static void idle(String name, Runnable what) {
        Thread thread = new Thread(what, name);
        thread.setDaemon(true);
        thread.start();
    }

    static void sleep() {
        try {
            Thread.sleep(1_000_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void await(Object lock) {
        synchronized (lock) {
            try {
                lock.wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void main(String[] arguments) {
        idle("sleeper", TwoStacks::sleep);
        idle("waiter", () -> await(new Object()));
        System.out.println("ready " + ProcessHandle.current().pid());
        long end = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000;
        while (System.nanoTime() < end) {
            three();
            one();
        }
        System.out.println("done");
    }
}
