import java.lang.invoke.MethodHandles;
import java.util.function.Supplier;

/** When classes are initialised, and what is thrown when that fails. */
public class Initialisation {
  static int step;

  static String say(String text) {
    System.out.println(++step + " " + text);
    return text;
  }

  static class Parent {
    static {
      say("Parent");
    }

    static void inherited() {
      say("inherited");
    }
  }

  static class Child extends Parent implements WithDefault, WithoutDefault {
    static {
      say("Child");
    }

    static final int CONSTANT = 3;
    static final String NAME = "constant";
    static int variable = 4;
  }

  interface WithDefault {
    String FIELD = say("WithDefault");

    default void nothing() {}
  }

  interface WithoutDefault {
    String FIELD = say("WithoutDefault");

    static void call() {
      say("call");
    }
  }

  static class NativeFirst {
    static {
      say("NativeFirst");
    }

    static native int call(int number);
  }

  static class NativeInherited extends NativeFirst {
    static {
      say("NativeInherited");
    }
  }

  static class NativeInstance {
    static {
      say("NativeInstance");
    }

    native int call();
  }

  static class Arguments {
    static {
      say("Arguments");
    }

    Arguments(String text, int number) {
      say("made " + text);
    }
  }

  static class Reflected {
    static {
      say("Reflected");
    }

    static void call() {
      say("Reflected.call");
    }

    static int field = 3;
  }

  static class Handled {
    static {
      say("Handled");
    }

    static void call() {
      say("Handled.call");
    }
  }

  static class Referred {
    static {
      say("Referred");
    }

    static String call() {
      return say("Referred.call");
    }
  }

  static class Literal {
    static {
      say("never: Literal");
    }
  }

  static class Fails {
    static {
      say("Fails");
      if (step > 0) throw new IllegalStateException("fails");
    }

    static void call() {
      say("never");
    }
  }

  static class FailsNative {
    static {
      say("FailsNative");
      if (step > 0) throw new IllegalStateException("fails before a native call");
    }

    static native void call();
  }

  static class Cycle {
    static {
      say("Cycle sees " + Around.value);
    }

    static int value = 5;
  }

  static class Around {
    static {
      say("Around sees " + Cycle.value);
    }

    static int value = 6;
  }

  enum Colour {
    RED, GREEN;

    static {
      say("Colour");
    }
  }

  record Pair(int one) {
    static final String TEXT = say("Pair");
  }

  static class Slow {
    static int value;

    static {
      say("Slow");
      try {
        Thread.sleep(100);
      } catch (InterruptedException interrupted) {
        throw new AssertionError(interrupted);
      }
      value = 7;
    }

    static int get() {
      return value;
    }
  }

  public static void main(String[] arguments) throws Exception {
    say("main");
    System.out.println(Child.CONSTANT + Child.NAME);
    Child[] none = new Child[2];
    say("array " + none.length);
    Child.inherited();
    System.out.println(Child.variable);
    WithoutDefault.call();
    unsatisfied(() -> NativeFirst.call(argument()));
    unsatisfied(() -> NativeInherited.call(argument()));
    unsatisfied(() -> new NativeInstance().call());
    unsatisfied(() -> ((NativeInstance) null).call());
    new Arguments(say("argument"), argument());
    say(Literal.class.getName());
    Class<?> reflected = Class.forName("Initialisation$Reflected", false, Initialisation.class.getClassLoader());
    say("looked up");
    java.lang.reflect.Method method = reflected.getDeclaredMethod("call");
    say("found");
    method.invoke(null);
    var handle = MethodHandles.lookup().findStatic(Handled.class, "call", java.lang.invoke.MethodType.methodType(void.class));
    say("handle");
    try {
      handle.invoke();
    } catch (Throwable thrown) {
      throw new AssertionError(thrown);
    }
    Supplier<String> reference = Referred::call;
    say("reference");
    reference.get();
    for (int i = 0; i < 2; i++) {
      thrown(Fails::call);
      thrown(() -> Fails.call());
      thrown(FailsNative::call);
      thrown(() -> FailsNative.call());
    }
    say("cycle " + Cycle.value);
    say(Colour.valueOf("RED").name());
    say(new Pair(3).toString());
    Thread[] threads = new Thread[4];
    int[] seen = new int[4];
    for (int i = 0; i < 4; i++) {
      int index = i;
      threads[i] = new Thread(() -> seen[index] = Slow.get());
    }
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
    for (int each : seen) System.out.println(each);
    missing();
  }

  /** Links are missing only when they are used. */
  private static void missing() {
    say("before a missing class");
    thrown(() -> MissingClass.call());
    thrown(() -> new MissingClass());
    thrown(() -> System.out.println(MissingClass.class));
    thrown(() -> {
      Object any = "x";
      System.out.println(any instanceof MissingClass);
    });
    say("behind it");
  }

  private static int argument() {
    say("argument");
    return 1;
  }

  private static void unsatisfied(Runnable call) {
    thrown(call);
  }

  private static void thrown(Runnable call) {
    try {
      call.run();
      say("returned");
    } catch (Throwable thrown) {
      say(thrown + " cause " + thrown.getCause());
      thrown.printStackTrace(System.out);
    }
  }
}

/** Removed before the program runs. */
class MissingClass {
  static void call() {}
}
