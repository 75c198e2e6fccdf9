import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** serialVersionUID where it is computed from a class's members, and what serialization writes. */
public class SerialVersions {
  static class Plain implements Serializable {
    int number = 3;
    String text = "x";
    transient Thread thread = Thread.currentThread();

    int method(long a) {
      return number;
    }
  }

  static class WithInitialiser implements Serializable {
    static final long started = System.nanoTime();
    private static int counter;
    protected double value;

    private static void hidden() {}

    public static synchronized int shown(String[] names, List<?> more) {
      return names.length;
    }
  }

  static class Deep extends WithInitialiser implements Comparable<Deep> {
    @Override
    public int compareTo(Deep other) {
      return 0;
    }
  }

  interface Api extends Serializable {
    default int answer() {
      return 42;
    }
  }

  static class Implemented implements Api {
    final Runnable action = (Runnable & Serializable) () -> System.out.println("ran " + answer());
  }

  static class Worker extends Thread implements Serializable {
    int state = 5;

    @Override
    public void run() {
      state++;
    }
  }

  record Pair(int a, String b) implements Serializable {}

  enum Kind { ONE, TWO }

  class Inner implements Serializable {
    int here = hashCode() == 0 ? 0 : 1;
  }

  static abstract class Abstract implements Serializable {
    abstract void run();

    native void nothing();
  }

  static final List<String> LIBRARY = List.of("java.util.ArrayList", "java.util.HashMap", "java.util.TreeMap",
      "java.lang.String", "java.lang.Throwable", "java.lang.Thread$State", "java.util.concurrent.ConcurrentHashMap",
      "java.util.BitSet", "java.math.BigInteger", "java.net.URI", "java.io.File", "java.time.LocalDate", "java.util.Locale",
      "java.util.Collections$EmptyList", "java.util.concurrent.locks.ReentrantLock", "java.util.regex.Pattern",
      "java.lang.invoke.SerializedLambda", "java.util.ImmutableCollections$ListN",
      "java.util.concurrent.atomic.AtomicInteger", "java.util.EnumMap", "java.util.Random",
      "java.lang.StringBuilder", "java.lang.Number", "java.security.Permissions");

  public static void main(String[] arguments) throws Exception {
    for (Class<?> nested : SerialVersions.class.getDeclaredClasses()) version(nested);
    for (String name : LIBRARY) version(Class.forName(name));
    Runnable lambda = (Runnable & Serializable) () -> System.out.println("lambda");
    List<Object> values = List.of(new Plain(), new Deep(), new Implemented(), new Pair(1, "b"), Kind.TWO, new Worker(),
        new HashMap<>(Map.of("k", 1)), lambda);
    for (Object value : values) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(value);
      }
      System.out.println(HexFormat.of().formatHex(bytes.toByteArray()));
      Object read = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
      if (read instanceof Runnable action) action.run();
      if (read instanceof Implemented made) made.action.run();
      System.out.println(read.getClass().getName().replaceAll("Lambda.*", "Lambda"));
    }
  }

  static void version(Class<?> type) {
    ObjectStreamClass description = ObjectStreamClass.lookupAny(type);
    ObjectStreamField[] fields = description.getFields();
    System.out.println(type.getName() + " " + description.getSerialVersionUID() + " " + Arrays.toString(fields));
  }
}
