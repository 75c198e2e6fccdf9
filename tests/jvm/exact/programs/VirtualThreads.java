import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;

/** Virtual threads by the thousand: sleeping, yielding, pinned by monitors, throwing. For JDK 21 and later. */
public class VirtualThreads {
    // jdk 21
    // not in traces
    // only VirtualThreads.* # the rest is about who waits for whom: a matter of time
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Object MONITOR = new Object();
    static int counter;

    static void step(int n) { inner(n); }
    static void inner(int n) { }
    static void afterwards() { }

    static void sleeps(int n) {
        for (int i = 0; i < n; i++) {
            step(i);
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            afterwards();
        }
    }

    static void yields(int n) {
        for (int i = 0; i < n; i++) {
            step(i);
            Thread.yield();
            afterwards();
        }
    }

    static void locks(int n) {
        for (int i = 0; i < n; i++) {
            LOCK.lock();
            try {
                counted();
            } finally {
                LOCK.unlock();
            }
        }
    }

    static void monitors(int n) {
        for (int i = 0; i < n; i++) {
            synchronized (MONITOR) {
                counted();
                if (i % 2 == 0) Thread.yield();
            }
        }
    }

    static void counted() { counter++; }

    static void deep(int n) {
        if (n == 0) Thread.yield();
        else deep(n - 1);
    }

    static void fails(int n) {
        Thread.yield();
        if (n == 0) throw new IllegalStateException("on purpose");
        fails(n - 1);
    }

    static void all(int i) {
        sleeps(2);
        yields(3);
        locks(2);
        monitors(2);
        deep(20);
        try {
            fails(4);
        } catch (IllegalStateException expected) {
            afterwards();
        }
    }

    // expect 2500 VirtualThreads.all
    // expect 5000 VirtualThreads.all;VirtualThreads.sleeps;VirtualThreads.step;VirtualThreads.inner
    // expect 5000 VirtualThreads.all;VirtualThreads.sleeps;VirtualThreads.afterwards
    // expect 7500 VirtualThreads.all;VirtualThreads.yields;VirtualThreads.step
    // expect 7500 VirtualThreads.all;VirtualThreads.yields;VirtualThreads.afterwards
    // expect 5000 VirtualThreads.all;VirtualThreads.locks;VirtualThreads.counted
    // expect 5000 VirtualThreads.all;VirtualThreads.monitors;VirtualThreads.counted
    // expect 52500 VirtualThreads.deep
    // expect 12500 VirtualThreads.fails
    // expect 2500 VirtualThreads.all;VirtualThreads.afterwards
    public static void main(String[] args) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            int number = i;
            threads.add(Thread.ofVirtual().name("virtual-" + i % 3).start(() -> all(number)));
        }
        for (Thread thread : threads) thread.join();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 2000; i++) {
                int number = i;
                executor.submit(() -> all(number));
            }
        }
        if (counter < 1) throw new AssertionError();
    }
}
