import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Stack traces: frames, line numbers, causes, suppressed ones. */
public class Traces {
  interface Shape {
    default double area() {
      throw new UnsupportedOperationException("area");
    }
  }

  static class Base implements AutoCloseable {
    Base(int depth) {
      if (depth == 0) throw new IllegalArgumentException("constructor");
    }

    @Override
    public void close() {
      throw new IllegalStateException("close");
    }
  }

  static class Derived extends Base {
    Derived(int depth) {
      super(check(depth));
    }

    private static int check(int depth) {
      if (depth < 0) throw new IllegalArgumentException("argument of super");
      return depth;
    }
  }

  static class Initialiser {
    static int value = compute();

    static int compute() {
      return Integer.parseInt("x");
    }
  }

  public static void main(String[] arguments) throws Throwable {
    show("plain", () -> nested(3));
    show("constructor", () -> new Derived(0));
    show("super argument", () -> new Derived(-1));
    show("default method", () -> new Shape() {}.area());
    show("suppressed", Traces::suppressed);
    show("cause", Traces::caused);
    show("lambda", () -> ((IntUnaryOperator) x -> x / (x - x)).applyAsInt(3));
    show("stream", () -> Stream.of(1, 2, 3).map(x -> 6 / (3 - x)).collect(Collectors.toList()));
    show("reflection", () -> Traces.class.getDeclaredMethod("nested", int.class).invoke(null, 2));
    show("static init", () -> Initialiser.value);
    show("static init again", () -> Initialiser.value);
    show("array", () -> new int[2][3][1].clone()[2][1]);
    show("store", () -> {
      Object[] strings = new String[1];
      strings[0] = 1;
      return null;
    });
    show("cast", () -> {
      Object text = "text";
      return (Integer) text;
    });
    show("negative", () -> new int[Integer.parseInt("-1")]);
    show("synchronized", Traces::locked);
    show("finally", Traces::finallyRethrows);
    show("handle", () -> {
      try {
        return java.lang.invoke.MethodHandles.lookup()
            .findStatic(Traces.class, "nested", java.lang.invoke.MethodType.methodType(int.class, int.class))
            .invoke(1);
      } catch (Throwable thrown) {
        throw new Exception(thrown);
      }
    });
    show("proxy", () -> {
      Runnable proxy = (Runnable) java.lang.reflect.Proxy.newProxyInstance(
          Traces.class.getClassLoader(), new Class<?>[] {Runnable.class}, (self, method, values) -> {
            throw new Exception("checked " + method);
          });
      proxy.run();
      return null;
    });
    show("future", () -> {
      FutureTask<Integer> task = new FutureTask<>(() -> nested(1));
      task.run();
      return task.get();
    });
    show("library", () -> List.of(1, 2).iterator().next() + new ArrayList<Integer>().iterator().next());
    show("concat", () -> "a" + new Object() {
      @Override
      public String toString() {
        throw new IllegalStateException("toString");
      }
    });
    show("monitor", () -> {
      new Object().notify();
      return null;
    });
    overflow();
    filled();
    traceOfThread();
    hot();
  }

  private static int nested(int depth) {
    if (depth > 0) {
      return 1
          + nested(depth - 1);
    }
    throw new IllegalArgumentException("deep");
  }

  private static Object suppressed() throws Exception {
    try (Base one = new Base(1); Base two = new Base(2)) {
      nested(0);
    }
    return null;
  }

  private static Object caused() {
    try {
      return nested(1);
    } catch (IllegalArgumentException thrown) {
      throw new RuntimeException("outer", new Exception("middle", thrown));
    }
  }

  private static synchronized Object locked() {
    synchronized (Traces.class) {
      synchronized (new Object()) {
        return nested(0);
      }
    }
  }

  private static Object finallyRethrows() {
    try {
      nested(0);
    } finally {
      nested(1);
    }
    return null;
  }

  private static void show(String name, Callable<?> body) {
    System.out.println("== " + name);
    try {
      System.out.println("returned " + body.call());
    } catch (Throwable thrown) {
      thrown.printStackTrace(System.out);
      thrown.printStackTrace();
      for (StackTraceElement element : thrown.getStackTrace()) {
        System.out.println(element.getModuleName() + " " + element.getModuleVersion() + " "
            + element.getClassLoaderName() + " " + element.getFileName() + " " + element.isNativeMethod());
      }
    }
  }

  static int depth;

  private static int recurse(int x) {
    depth++;
    return recurse(x + 1) + 1;
  }

  private static void overflow() {
    for (int round = 0; round < 20; round++) {
      depth = 0;
      try {
        recurse(0);
        System.out.println("no overflow");
      } catch (StackOverflowError error) {
        StackTraceElement[] frames = error.getStackTrace();
        // Where in a method the stack ends depends on whether the JIT has compiled it.
        System.out.println("overflow: " + frames.length + " frames, in " + frames[0].getMethodName() + ", " + frames[1]
            + ", deep " + (depth > 1000));
        for (StackTraceElement frame : frames) {
          if (!frame.getMethodName().equals("recurse")) System.out.println("foreign frame " + frame);
        }
      }
    }
    try {
      new HashRecursion().hashCode();
    } catch (StackOverflowError error) {
      long foreign = Stream.of(error.getStackTrace())
          .filter(frame -> (frame + "").toLowerCase().contains("bursar")).count();
      System.out.println("overflow in a library: foreign frames " + foreign);
    }
  }

  static class HashRecursion {
    final List<Object> list = new ArrayList<>();

    {
      list.add(this);
    }

    @Override
    public int hashCode() {
      return list.hashCode();
    }
  }

  private static void filled() {
    Throwable thrown = new Throwable("filled");
    refill(thrown);
    thrown.printStackTrace(System.out);
    thrown.setStackTrace(new StackTraceElement[] {new StackTraceElement("A", "b", "C.java", 7)});
    thrown.printStackTrace(System.out);
  }

  private static void refill(Throwable thrown) {
    thrown.fillInStackTrace();
  }

  private static void traceOfThread() throws Exception {
    for (StackTraceElement frame : Thread.currentThread().getStackTrace()) System.out.println(plain("thread " + frame));
    Thread.dumpStack();
    Thread waiting = new Thread(() -> {
      synchronized (Traces.class) {
        try {
          Traces.class.wait();
        } catch (InterruptedException interrupted) {
          System.out.println("interrupted");
        }
      }
    }, "waiting");
    waiting.start();
    while (waiting.getState() != Thread.State.WAITING) Thread.sleep(1);
    for (StackTraceElement frame : waiting.getStackTrace()) System.out.println(plain("waiting " + frame));
    for (StackTraceElement frame : Thread.getAllStackTraces().get(waiting)) System.out.println(plain("all " + frame));
    waiting.interrupt();
    waiting.join();
  }

  private static String plain(String text) {
    return text.replaceAll("\\$\\$Lambda.[0-9a-f$/x]+", "…");
  }

  /** Once compiled, exceptions come out of compiled code. */
  private static void hot() {
    List<String> last = new ArrayList<>();
    int caught = 0;
    for (int i = 0; i < 30000; i++) {
      try {
        caught += thrower(i);
      } catch (ArithmeticException | IllegalArgumentException thrown) {
        caught++;
        if (i % 10000 < 2) last.add(i + " " + thrown + " " + List.of(thrown.getStackTrace()));
      }
    }
    last.forEach(System.out::println);
    System.out.println("caught " + caught);
  }

  private static int thrower(int i) {
    if (i % 2 == 0) throw new IllegalArgumentException("even");
    return inner(i);
  }

  private static int inner(int i) {
    return i / (i - i);
  }
}
