import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Threads by the hundred, a daemon that never ends, a thread that changes its name, thread locals. */
public class Threads {
    // skip java.util.concurrent.locks.* # who waits for whom is a matter of time
    // skip java.lang.Thread.join # likewise

    static final ThreadLocal<Integer> LOCAL = ThreadLocal.withInitial(Threads::initial);

    static int initial() { return 1; }
    static int work(int n) {
        int total = 0;
        for (int i = 0; i < n; i++) total += step(i);
        return total;
    }
    static int step(int n) { return n & 1; }

    static class Worker extends Thread {
        final int times;
        Worker(int number) {
            super("worker-" + number % 10);
            times = number % 7;
        }
        @Override public void run() { work(times + LOCAL.get()); }
    }

    static void hundreds(int n) throws InterruptedException {
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < n; i++) workers.add(new Worker(i));
        for (Worker worker : workers) {
            worker.start();
            worker.join();
        }
    }

    static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void daemon() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            work(20);
            started.countDown();
            waitFor(new CountDownLatch(1));
        }, "daemon");
        thread.setDaemon(true);
        thread.start();
        waitFor(started);
    }

    static void renamed() throws InterruptedException {
        Thread thread = new Thread(() -> {
            work(5);
            Thread.currentThread().setName("renamed");
            work(6);
        }, "before");
        thread.start();
        thread.join();
    }

    static void neverStarted() { new Thread(() -> work(1000), "never"); }

    // expect 300 Threads$Worker.run;Threads.work
    // expect 1197 Threads$Worker.run;Threads.work;Threads.step
    // expect 20 Threads.lambda$daemon$*;Threads.work;Threads.step
    // expect 11 Threads.lambda$renamed$*;Threads.work;Threads.step
    // expect 300 Threads.initial
    public static void main(String[] args) throws Exception {
        neverStarted();
        hundreds(300);
        renamed();
        daemon();
    }
}
