import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.IntStream;

/** Threads: subclasses, locals, groups, uncaught exceptions, locking, interruption. */
public class ThreadsSeen {
  static class Named extends Thread {
    private long[] bursarCursor = {1, 2};
    final int result;

    Named(String name, int result) {
      super(name);
      this.result = result;
    }

    @Override
    public void run() {
      System.out.println(getName() + " " + result + " " + bursarCursor.length);
    }

    @Override
    public String toString() {
      return "Named";
    }
  }

  static final ThreadLocal<Integer> LOCAL = ThreadLocal.withInitial(() -> 7);
  static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

  public static void main(String[] arguments) throws Exception {
    Named named = new Named("named", 3);
    named.start();
    named.join();
    System.out.println(named + " " + named.isAlive() + " " + named.getState());
    try {
      named.start();
    } catch (IllegalThreadStateException expected) {
      System.out.println("started twice");
    }
    locals();
    uncaught();
    waiting();
    counting();
    interrupts();
    pools();
    enumerate();
    many();
    reentrant();
    illegal();
  }

  private static void locals() throws Exception {
    INHERITED.set("inherited");
    LOCAL.set(8);
    Thread thread = new Thread(() -> System.out.println(LOCAL.get() + " " + INHERITED.get()));
    thread.start();
    thread.join();
    System.out.println(LOCAL.get());
  }

  private static void uncaught() throws Exception {
    Thread thread = new Thread(() -> {
      throw new IllegalStateException("handled by a handler");
    }, "failing");
    thread.setUncaughtExceptionHandler((who, thrown) -> {
      System.out.println(who.getName() + " " + thrown);
      thrown.printStackTrace(System.out);
    });
    thread.start();
    thread.join();
    Thread other = new Thread(() -> {
      throw new IllegalStateException("handled by nobody");
    }, "unhandled");
    other.start();
    other.join();
  }

  private static int turn;

  private static void waiting() throws Exception {
    Object lock = new Object();
    List<String> order = new ArrayList<>();
    Thread[] threads = new Thread[3];
    for (int i = 0; i < threads.length; i++) {
      int index = i;
      threads[i] = new Thread(() -> {
        for (int round = 0; round < 50; round++) {
          synchronized (lock) {
            while (turn % 3 != index) {
              try {
                lock.wait();
              } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
              }
            }
            order.add(index + "");
            turn++;
            lock.notifyAll();
          }
        }
      });
    }
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
    System.out.println(String.join("", order));
  }

  private static int shared;

  private static synchronized void increment(int depth) {
    shared++;
    if (depth > 0) increment(depth - 1);
    if (shared % 1000 == 0) throw new IllegalStateException();
  }

  private static void counting() throws Exception {
    AtomicInteger thrown = new AtomicInteger();
    Thread[] threads = new Thread[4];
    CyclicBarrier barrier = new CyclicBarrier(threads.length);
    for (int i = 0; i < threads.length; i++) {
      threads[i] = new Thread(() -> {
        try {
          barrier.await();
        } catch (Exception failed) {
          throw new AssertionError(failed);
        }
        for (int j = 0; j < 5000; j++) {
          try {
            increment(3);
          } catch (IllegalStateException expected) {
            thrown.incrementAndGet();
          }
        }
      });
      threads[i].start();
    }
    for (Thread thread : threads) thread.join();
    System.out.println(shared + " " + (thrown.get() > 0) + " " + Thread.holdsLock(ThreadsSeen.class));
  }

  private static void interrupts() throws Exception {
    CountDownLatch ready = new CountDownLatch(1);
    Thread sleeper = new Thread(() -> {
      try {
        ready.countDown();
        Thread.sleep(100_000);
      } catch (InterruptedException interrupted) {
        System.out.println("woken " + Thread.currentThread().isInterrupted());
        Thread.currentThread().interrupt();
        System.out.println(Thread.interrupted() + " " + Thread.interrupted());
      }
    });
    sleeper.start();
    ready.await();
    sleeper.interrupt();
    sleeper.join();
  }

  private static void pools() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(3);
    List<Future<Integer>> futures = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      int number = i;
      futures.add(pool.submit(() -> {
        if (number == 13) throw new Exception("unlucky");
        return number * number;
      }));
    }
    for (Future<Integer> future : futures) {
      try {
        System.out.print(future.get() + " ");
      } catch (java.util.concurrent.ExecutionException failed) {
        System.out.print(failed.getMessage() + " ");
      }
    }
    System.out.println();
    pool.shutdown();
    System.out.println(pool.awaitTermination(10, TimeUnit.SECONDS));
    System.out.println(IntStream.range(0, 10000).parallel().map(x -> x % 7).sum());
    System.out.println(new ForkJoinPool(2).submit(() -> IntStream.range(0, 100).parallel().sum()).get());
  }

  private static void enumerate() {
    System.out.println(Thread.currentThread() + " " + Thread.currentThread().getPriority());
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) group = group.getParent();
    Thread[] all = new Thread[100];
    int count = group.enumerate(all, true);
    TreeSet<String> names = new TreeSet<>();
    for (int i = 0; i < count; i++) names.add(all[i].getName() + " " + all[i].isDaemon());
    names.removeIf(name -> name.startsWith("ForkJoinPool"));
    System.out.println(names);
    ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    System.out.println(Arrays.toString(bean.findDeadlockedThreads()));
    System.out.println(bean.getThreadInfo(Thread.currentThread().getId(), 3).getStackTrace()[2]);
  }

  private static void many() throws Exception {
    AtomicInteger sum = new AtomicInteger();
    for (int round = 0; round < 20; round++) {
      Thread[] threads = new Thread[50];
      for (int i = 0; i < threads.length; i++) {
        threads[i] = new Thread(() -> sum.addAndGet(recursive(10)));
        threads[i].start();
      }
      for (Thread thread : threads) thread.join();
    }
    System.out.println(sum);
  }

  private static int recursive(int depth) {
    return depth == 0 ? 1 : recursive(depth - 1) + 1;
  }

  private static void reentrant() {
    ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    lock.writeLock().lock();
    lock.writeLock().lock();
    System.out.println(lock.getWriteHoldCount() + " " + lock.toString().replaceAll("@[0-9a-f]+", ""));
    lock.writeLock().unlock();
    lock.writeLock().unlock();
  }

  private static void illegal() {
    try {
      new Object().wait(1);
    } catch (IllegalMonitorStateException | InterruptedException thrown) {
      System.out.println(thrown);
    }
    try {
      new Thread(() -> {}).setPriority(11);
    } catch (IllegalArgumentException thrown) {
      System.out.println(thrown);
    }
  }
}
