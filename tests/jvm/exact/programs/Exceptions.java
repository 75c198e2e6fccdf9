/** Exceptions through many frames: caught, rethrown, passed by finally, thrown by the JVM itself. */
public class Exceptions {
    // skip java.lang.Thread.join # whether the thread has ended by then is a matter of time
    static class Fails extends Exception {
        Fails(String why) { super(why); }
    }

    static class Resource implements AutoCloseable {
        final boolean fails;
        Resource(boolean fails) { this.fails = fails; }
        void use(boolean fail) throws Fails { if (fail) throw new Fails("use"); }
        @Override public void close() throws Fails {
            closing();
            if (fails) throw new Fails("close");
        }
        static void closing() { }
    }

    static void marker() { }
    static void cleanUp() { }
    static int value(int n) { return n; }

    static void down(int n) throws Fails {
        if (n == 0) throw new Fails("bottom");
        down(n - 1);
    }

    static int rethrown(int n) throws Fails {
        try {
            down(n);
            return 0;
        } catch (Fails why) {
            marker();
            throw why;
        } finally {
            cleanUp();
        }
    }

    static int wrapped(int n) {
        try {
            return rethrown(n);
        } catch (Fails why) {
            throw new IllegalStateException(why);
        }
    }

    @SuppressWarnings("finally")
    static int finallyWins(int n) {
        for (int i = 0; ; i++) {
            try {
                try {
                    down(n);
                } finally {
                    cleanUp();
                    if (i < 2) continue;
                    return value(i);
                }
            } catch (RuntimeException never) {
                marker();
            }
        }
    }

    static int resources(boolean use, boolean close) {
        try (Resource one = new Resource(close); Resource two = new Resource(close)) {
            one.use(false);
            two.use(use);
            return 0;
        } catch (Fails why) {
            return why.getSuppressed().length + 1;
        }
    }

    static synchronized int inSynchronized(int n) throws Fails {
        down(n);
        return 1;
    }

    static int inBlock(Object lock, int n) throws Fails {
        synchronized (lock) {
            down(n);
            synchronized (Exceptions.class) {
                return 1;
            }
        }
    }

    static class FailsToStart {
        static int value = start();
        static int start() { throw new UnsupportedOperationException(); }
    }

    static int caughtFar(int n) {
        try {
            return n == 0 ? inSynchronized(3) : caughtNear(n);
        } catch (Fails why) {
            marker();
            return 1;
        }
    }

    static int caughtNear(int n) {
        try {
            return caughtFar(n - 1) + inSynchronized(1);
        } catch (Fails why) {
            return 1;
        }
    }

    static class Handler implements Thread.UncaughtExceptionHandler {
        @Override public void uncaughtException(Thread thread, Throwable why) { handled(why); }
        static void handled(Throwable why) { }
    }

    static void dies(int n) {
        if (n == 0) throw new IllegalStateException("uncaught on purpose");
        dies(n - 1);
    }

    static void uncaught(int threads) throws InterruptedException {
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> dies(4), "dies");
            thread.setUncaughtExceptionHandler(new Handler());
            thread.start();
            thread.join();
        }
    }

    // expect 30 Exceptions.main;Exceptions.wrapped;Exceptions.rethrown
    // expect 30 Exceptions.rethrown;Exceptions.marker
    // expect 30 Exceptions.rethrown;Exceptions.cleanUp
    // expect 30 Exceptions.rethrown;Exceptions.down;Exceptions.down;Exceptions.down;Exceptions.down;Exceptions.down;Exceptions.down
    // expect 60 Exceptions.finallyWins;Exceptions.cleanUp
    // expect 20 Exceptions.finallyWins;Exceptions.value
    // expect 0 Exceptions.finallyWins;Exceptions.marker
    // expect 80 Exceptions$Resource.close;Exceptions$Resource.closing
    // expect 80 Exceptions$Resource.use
    // expect 20 Exceptions.main;Exceptions.inBlock;Exceptions.down
    // expect 1 Exceptions$FailsToStart.<clinit>;Exceptions$FailsToStart.start
    // expect 20 Exceptions.caughtFar;Exceptions.marker
    // expect 4 Exceptions$Handler.uncaughtException;Exceptions$Handler.handled
    // expect 20 Exceptions.dies
    public static void main(String[] args) throws InterruptedException {
        int total = 0;
        for (int i = 0; i < 30; i++) {
            try {
                wrapped(5);
            } catch (IllegalStateException expected) {
                total++;
            }
        }
        for (int i = 0; i < 20; i++) total += finallyWins(2);
        for (int i = 0; i < 10; i++) {
            total += resources(false, false) + resources(true, false) + resources(false, true) + resources(true, true);
        }
        for (int i = 0; i < 20; i++) {
            try {
                total += inBlock(new Object(), i);
            } catch (Fails expected) {
                total++;
            }
            try {
                total += FailsToStart.value;
            } catch (ExceptionInInitializerError | NoClassDefFoundError expected) {
                total++;
            }
            total += caughtFar(5);
        }
        uncaught(4);
        System.out.println(total);
    }
}
