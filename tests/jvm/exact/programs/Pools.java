import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.ThreadFactory;

/** Many threads at once: pools, a crowd that starts together, tasks that fork. */
public class Pools {
    // only Pools.* # the rest is about who waits for whom: a matter of time
    static int work(int n) {
        int total = 0;
        for (int i = 0; i < n; i++) total += step(i);
        return total;
    }
    static int step(int n) { return n & 1; }

    static void atOnce(int n) throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            threads.add(new Thread(() -> {
                waitFor(go);
                work(10);
            }, "crowd"));
        }
        for (Thread thread : threads) thread.start();
        go.countDown();
        for (Thread thread : threads) thread.join();
    }

    static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static int pool(int tasks) throws Exception {
        ThreadFactory named = task -> new Thread(task, "pooled");
        ExecutorService executor = Executors.newFixedThreadPool(3, named);
        List<Future<Integer>> results = new ArrayList<>();
        for (int i = 0; i < tasks; i++) results.add(executor.submit(() -> work(3)));
        int total = 0;
        for (Future<Integer> result : results) total += result.get();
        executor.shutdown();
        return total;
    }

    static class Sum extends RecursiveTask<Integer> {
        final int from, to;
        Sum(int from, int to) {
            this.from = from;
            this.to = to;
        }
        @Override protected Integer compute() {
            if (to - from == 1) return leaf(from);
            Sum left = new Sum(from, (from + to) / 2), right = new Sum((from + to) / 2, to);
            left.fork();
            return right.compute() + left.join();
        }
        static int leaf(int n) { return step(n); }
    }

    static int forks(int n) {
        ForkJoinPool pool = new ForkJoinPool(3);
        int total = pool.invoke(new Sum(0, n));
        pool.shutdown();
        return total;
    }

    // expect 600 Pools.lambda$atOnce$*;Pools.work;Pools.step
    // expect 120 Pools.lambda$pool$*;Pools.work;Pools.step
    // expect 256 Pools$Sum.compute;Pools$Sum.leaf;Pools.step
    // 511 tasks; 256 of them (those forked, and the first) come through the bridge method:
    // expect 767 Pools$Sum.compute
    // skip Pools$Sum.compute # which thread runs it, called by whom, is a matter of time
    public static void main(String[] args) throws Exception {
        atOnce(60);
        System.out.println(pool(40) + forks(256));
    }
}
