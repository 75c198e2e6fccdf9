import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ResourceBundle;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** Methods of the class library that look who calls them. */
public class CallerSensitive {
  private volatile int count = 3;
  private volatile String text = "text";

  static class Other {
    private volatile int hidden = 4;

    private Other() {}

    private static String secret() {
      return "secret";
    }

    static Class<?> forName(String name) throws Exception {
      return Class.forName(name);
    }
  }

  public static void main(String[] arguments) throws Exception {
    show("forName", () -> Class.forName("CallerSensitive$Late"));
    show("forName elsewhere", () -> Other.forName("CallerSensitive$Later"));
    show("forName reflective", () -> Class.class.getMethod("forName", String.class).invoke(null, "CallerSensitive$Other"));
    show("forName missing", () -> Class.forName("no.such.Class"));
    show("logger", () -> System.getLogger("x").getName());
    show("lookup", MethodHandles::lookup);
    show("lookup in class", () -> MethodHandles.lookup().lookupClass());
    show("lookup in other", () -> MethodHandles.privateLookupIn(Other.class, MethodHandles.lookup())
        .findStatic(Other.class, "secret", MethodType.methodType(String.class)).invoke());
    show("lookup refused",
        () -> MethodHandles.publicLookup().findStatic(Other.class, "secret", MethodType.methodType(String.class)));
    show("reveal", () -> {
      MethodType type = MethodType.methodType(void.class, String[].class);
      MethodHandle handle = MethodHandles.lookup().findStatic(CallerSensitive.class, "main", type);
      return MethodHandles.lookup().revealDirect(handle);
    });
    show("reveal object", () -> MethodHandles.lookup().revealDirect(
        MethodHandles.lookup().findVirtual(Object.class, "hashCode", MethodType.methodType(int.class))));
    CallerSensitive made = new CallerSensitive();
    show("updater", () -> AtomicIntegerFieldUpdater.newUpdater(CallerSensitive.class, "count").incrementAndGet(made));
    show("updater text", () -> AtomicReferenceFieldUpdater.newUpdater(CallerSensitive.class, String.class, "text").get(made));
    show("updater nestmate", () -> AtomicIntegerFieldUpdater.newUpdater(Other.class, "hidden"));
    show("updater foreign", () -> AtomicIntegerFieldUpdater.newUpdater(Thread.class, "no"));
    show("new instance", () -> Class.forName("java.util.ArrayList").newInstance());
    show("new instance private", () -> Other.class.newInstance().hidden);
    show("new instance of another package", () -> Class.forName("java.util.Collections$EmptyList").newInstance());
    show("constructor", () -> {
      Constructor<?> constructor = Class.forName("java.util.Collections$EmptyList").getDeclaredConstructor();
      return constructor.newInstance();
    });
    show("field", () -> {
      Field field = String.class.getDeclaredField("value");
      return field.get("x");
    });
    show("accessible", () -> {
      Field field = String.class.getDeclaredField("value");
      field.setAccessible(true);
      return field;
    });
    show("can access", () -> Other.class.getDeclaredMethod("secret").canAccess(null));
    show("invoke private", () -> Other.class.getDeclaredMethod("secret").invoke(null));
    show("var handle", () -> {
      VarHandle handle = MethodHandles.lookup().findVarHandle(CallerSensitive.class, "count", int.class);
      return (int) handle.getAndAdd(new CallerSensitive(), 4);
    });
    show("context loader", () -> Thread.currentThread().getContextClassLoader() == CallerSensitive.class.getClassLoader());
    show("loader", () -> CallerSensitive.class.getClassLoader().getParent().getName());
    show("module", () -> CallerSensitive.class.getModule() + " " + Object.class.getModule().getDescriptor().name());
    show("package", () -> Package.getPackage("java.lang"));
    show("bundle", () -> ResourceBundle.getBundle("no.such.bundle"));
    show("resource", () -> Object.class.getResourceAsStream("Object.class").readAllBytes().length > 100);
    show("resource as the program has it", () -> java.util.Arrays.hashCode(
        CallerSensitive.class.getResourceAsStream("CallerSensitive.class").readAllBytes()));
    show("driver", () -> java.sql.DriverManager.getConnection("jdbc:none"));
    show("load", () -> {
      System.loadLibrary("nosuch");
      return null;
    });
    show("unsafe", () -> {
      Field field = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
      field.setAccessible(true);
      sun.misc.Unsafe unsafe = (sun.misc.Unsafe) field.get(null);
      return unsafe.objectFieldOffset(CallerSensitive.class.getDeclaredField("count"));
    });
    show("define", () -> MethodHandles.lookup().defineClass(new byte[] {1, 2, 3}));
    show("hidden", () -> {
      byte[] bytes = Other.class.getResourceAsStream("CallerSensitive$Late.class").readAllBytes();
      MethodHandles.Lookup lookup = MethodHandles.lookup().defineHiddenClass(bytes, true);
      Class<?> hidden = lookup.lookupClass();
      return hidden.isHidden() + " " + plain(hidden.getName()) + " " + hidden.getDeclaredMethods().length;
    });
    show("invoke invoke", () -> Method.class.getMethod("invoke", Object.class, Object[].class)
        .invoke(Other.class.getDeclaredMethod("secret"), null, null));
  }

  static class Late {
    static {
      System.out.println("late");
    }

    static void nothing() {}
  }

  static class Later {
    static {
      System.out.println("later");
    }
  }

  interface Body {
    Object run() throws Throwable;
  }

  private static void show(String name, Body body) {
    try {
      System.out.println(name + ": " + plain(body.run()));
    } catch (Throwable thrown) {
      System.out.println(name + ": " + plain(thrown) + " cause " + thrown.getCause() + " at " + thrown.getStackTrace()[0]);
    }
  }

  /** Without addresses and identity hash codes. */
  private static String plain(Object any) {
    return String.valueOf(any).replaceAll("(0x|\\$\\$Lambda.|@)[0-9a-f$/x]+", "…");
  }
}
