import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;

/** Calls that the VM links by what they are used for: of method handles and variable handles, and dynamic ones. */
public class Handles {
  static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  static final MethodHandle SUM = find("sum", int.class, int.class, int.class);
  static final MethodHandle TEXT;
  static final MethodHandle MADE;
  static final MethodHandle CHOICE =
      MethodHandles.guardWithTest(find("isEven", boolean.class, int.class, int.class), SUM, find("difference", int.class, int.class, int.class));
  static final VarHandle FIELD;

  static {
    try {
      TEXT = LOOKUP.findVirtual(Object.class, "toString", MethodType.methodType(String.class));
      MADE = LOOKUP.findConstructor(Handles.class, MethodType.methodType(void.class, int.class));
      FIELD = LOOKUP.findVarHandle(Handles.class, "field", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  volatile int field;
  long wide;

  Handles(int field) {
    this.field = field;
    wide = grown(field);
  }

  static MethodHandle find(String name, Class<?> result, Class<?>... parameters) {
    try {
      return LOOKUP.findStatic(Handles.class, name, MethodType.methodType(result, parameters));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static long grown(int n) {
    return n * 3L;
  }

  static int sum(int a, int b) {
    return a + b;
  }

  static int difference(int a, int b) {
    return a - b;
  }

  static boolean isEven(int a, int b) {
    return (a + b & 1) == 0;
  }

  @Override
  public String toString() {
    return "handles of " + field + " and " + wide + (field > 5 ? '!' : '?');
  }

  static int add(int n, IntBinaryOperator how) {
    int total = 0;
    for (int i = 0; i < n; i++) total += how.applyAsInt(i, n);
    return total;
  }

  static long work(int n) throws Throwable {
    Handles handles = (Handles) MADE.invokeExact(n);
    long total = 0;
    for (int i = 0; i < n; i++) {
      total += (int) SUM.invokeExact(i, n) + (Integer) SUM.invoke((short) i, (Integer) n) + (int) CHOICE.invokeExact(i, n);
      FIELD.compareAndSet(handles, (int) FIELD.getVolatile(handles), i);
      total += ((String) TEXT.invoke(handles)).length();
      int last = i;
      Supplier<String> late = () -> "late " + last;
      total += late.get().hashCode();
    }
    return total + add(n, Handles::sum) + add(n, (a, b) -> difference(a, b));
  }

  public static void main(String[] words) throws Throwable {
    int rounds = Integer.parseInt(words[0]);
    long total = 0;
    for (int i = 0; i < rounds; i++) total += work(100);
    System.out.println(total + " " + Handles.class.getDeclaredMethods().length + " " + MethodHandle.class.getDeclaredMethods().length);
  }
}
