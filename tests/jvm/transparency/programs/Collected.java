import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Finalizers, cleaners, references, unloading of classes. */
public class Collected {
  static final AtomicInteger finalized = new AtomicInteger();

  static class Finalized {
    @Override
    protected void finalize() {
      finalized.incrementAndGet();
    }
  }

  static class Empty {
    @Override
    protected void finalize() {}
  }

  static class CallsSuper {
    @Override
    protected void finalize() throws Throwable {
      super.finalize();
      finalized.incrementAndGet();
    }
  }

  static class Throws {
    @Override
    protected void finalize() {
      finalized.incrementAndGet();
      throw new IllegalStateException("ignored by the VM");
    }
  }

  static class ThrowsInConstructor {
    ThrowsInConstructor() {
      throw new IllegalStateException();
    }

    @Override
    protected void finalize() {
      finalized.incrementAndGet();
    }
  }

  public static void main(String[] arguments) throws Exception {
    make();
    await(() -> finalized.get() == 35);
    System.out.println("finalized " + finalized);
    System.out.println("waiting for a finalizer: " + pending(Finalized.class) + " " + pending(Empty.class));
    cleaner();
    references();
    unload();
  }

  private static void make() {
    for (int i = 0; i < 10; i++) {
      new Finalized();
      new Empty();
      new CallsSuper();
      new Throws();
      if (i % 2 == 0) {
        try {
          new ThrowsInConstructor();
        } catch (IllegalStateException expected) {
          continue;
        }
      }
    }
  }

  /** Finalizer.unfinalized holds everything that waits for its finalizer. */
  private static int pending(Class<?> type) throws Exception {
    Object kept = type.getDeclaredConstructor().newInstance();
    Class<?> finalizer = Class.forName("java.lang.ref.Finalizer");
    Field head = finalizer.getDeclaredField("unfinalized");
    Field next = finalizer.getDeclaredField("next");
    head.setAccessible(true);
    next.setAccessible(true);
    int found = 0;
    for (Object each = head.get(null); each != null; each = next.get(each)) {
      if (((java.lang.ref.Reference<?>) each).get() == kept) found++;
    }
    return found;
  }

  private static void cleaner() throws Exception {
    CountDownLatch cleaned = new CountDownLatch(3);
    Cleaner cleaner = Cleaner.create();
    for (int i = 0; i < 3; i++) cleaner.register(new Object(), cleaned::countDown);
    await(() -> cleaned.getCount() == 0);
    System.out.println("cleaned " + cleaned.getCount());
  }

  private static void references() throws Exception {
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    PhantomReference<Object> phantom = new PhantomReference<>(new Object(), queue);
    WeakReference<Object> weak = new WeakReference<>(new Object());
    Object strong = new Object();
    WeakReference<Object> kept = new WeakReference<>(strong);
    await(() -> weak.get() == null);
    System.out.println((queue.remove(10_000) == phantom) + " " + weak.get() + " " + (kept.get() == strong));
  }

  static class Unloadable extends ClassLoader {
    Class<?> define() throws Exception {
      byte[] bytes = Collected.class.getResourceAsStream("Collected$Small.class").readAllBytes();
      return defineClass("Collected$Small", bytes, 0, bytes.length);
    }
  }

  public static class Small implements Runnable {
    @Override
    public void run() {
      Runnable lambda = () -> "x".length();
      lambda.run();
    }
  }

  private static WeakReference<ClassLoader> loadAndForget() throws Exception {
    Unloadable loader = new Unloadable();
    ((Runnable) loader.define().getDeclaredConstructor().newInstance()).run();
    return new WeakReference<>(loader);
  }

  private static void unload() throws Exception {
    int unloaded = 0;
    for (int i = 0; i < 5; i++) {
      WeakReference<ClassLoader> loader = loadAndForget();
      await(() -> loader.get() == null);
      if (loader.get() == null) unloaded++;
    }
    System.out.println("unloaded " + unloaded);
  }

  interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition condition) throws Exception {
    for (int i = 0; i < 200 && !condition.holds(); i++) {
      System.gc();
      System.runFinalization();
      Thread.sleep(10);
    }
  }
}
