import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** StackWalker with every option, from every kind of caller. */
public class Walker {
  static final List<Set<StackWalker.Option>> OPTIONS = List.of(
      EnumSet.noneOf(StackWalker.Option.class),
      EnumSet.of(StackWalker.Option.RETAIN_CLASS_REFERENCE),
      EnumSet.of(StackWalker.Option.RETAIN_CLASS_REFERENCE, StackWalker.Option.SHOW_REFLECT_FRAMES),
      EnumSet.of(StackWalker.Option.RETAIN_CLASS_REFERENCE, StackWalker.Option.SHOW_HIDDEN_FRAMES));
  static final StackWalker CALLER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  // With an argument, positions too.
  static boolean positions;

  public static void main(String[] arguments) throws Exception {
    positions = arguments.length > 0;
    here("main");
    run("lambda", () -> here("lambda"));
    run("method reference", Walker::reference);
    run("stream", () -> Stream.of("x").map(Walker::here).collect(Collectors.toList()));
    run("reflection", () -> Walker.class.getDeclaredMethod("here", String.class).invoke(null, "reflection"));
    run("constructor", () -> Made.class.getDeclaredConstructor().newInstance().getClass());
    run("initialiser", () -> Initialised.value);
    run("handle", () -> {
      try {
        return java.lang.invoke.MethodHandles.lookup().findStatic(Walker.class, "here",
            java.lang.invoke.MethodType.methodType(int.class, String.class)).invokeWithArguments("handle");
      } catch (Throwable thrown) {
        throw new Exception(thrown);
      }
    });
    run("proxy", () -> {
      Supplier<?> proxy = (Supplier<?>) java.lang.reflect.Proxy.newProxyInstance(Walker.class.getClassLoader(),
          new Class<?>[] {Supplier.class}, (self, method, values) -> here("proxy"));
      return proxy.get();
    });
    run("comparator", () -> {
      Integer[] data = {3, 1};
      java.util.Arrays.sort(data, (a, b) -> {
        here("comparator");
        return a - b;
      });
      return data[0];
    });
    run("privileged", () -> java.security.AccessController.doPrivileged(
        (java.security.PrivilegedAction<Integer>) () -> here("privileged")));
    run("caller", Walker::askCaller);
    run("many", () -> deep(200));
    Thread thread = new Thread(() -> here("thread"), "walker");
    thread.start();
    thread.join();
  }

  static class Made {
    Made() {
      here("constructor");
    }
  }

  static class Initialised {
    static int value = here("initialiser");
  }

  private static Object askCaller() {
    System.out.println(CALLER.getCallerClass());
    return Asked.ask();
  }

  static class Asked {
    static Class<?> ask() {
      return CALLER.getCallerClass();
    }
  }

  private static int deep(int depth) {
    if (depth > 0) return deep(depth - 1);
    return CALLER.walk(frames -> (int) frames.filter(frame -> frame.getMethodName().equals("deep")).count());
  }

  static int reference() {
    return here("reference");
  }

  static int here(String name) {
    for (Set<StackWalker.Option> options : OPTIONS) {
      System.out.println("-- " + name + " " + options);
      StackWalker walker = StackWalker.getInstance(options);
      walker.forEach(frame -> {
        // Hidden classes are numbered by address.
        String line = frame.toString().replaceAll("(0x|\\$\\$Lambda.)[0-9a-f$/x]+", "…");
        String method = options.isEmpty() ? "" : frame.getDescriptor().replaceAll("0x[0-9a-f]+", "…");
        System.out.println(line + " " + frame.getMethodName() + method + " " + frame.getLineNumber() + " "
            + frame.isNativeMethod() + (options.isEmpty() ? "" : " " + frame.getDeclaringClass().isHidden()
                + " " + frame.getMethodType().parameterCount())
            + (positions ? " bci " + frame.getByteCodeIndex() : ""));
      });
    }
    return 1;
  }

  private static void run(String name, Callable<?> body) throws Exception {
    System.out.println("== " + name + ": " + body.call());
  }
}
