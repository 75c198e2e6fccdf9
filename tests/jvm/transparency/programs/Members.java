import java.lang.annotation.Annotation;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;

/** Everything reflection tells about classes of the library and of the program. */
public class Members {
  @Retention(RetentionPolicy.RUNTIME)
  @interface Mark {
    String value() default "x";

    int[] numbers() default {1, 2};
  }

  @Mark("record")
  record Point(@Mark("component") int x, List<String> names) {
    Point {
      if (x < 0) throw new IllegalArgumentException();
    }
  }

  enum Colour {
    RED {
      @Override
      int value() {
        return 1;
      }
    },
    GREEN;

    int value() {
      return 2;
    }
  }

  sealed interface Shape permits Circle, Square {
    default int area() {
      return 0;
    }

    private int inner() {
      return 1;
    }

    static Shape unit() {
      return new Square();
    }
  }

  static final class Circle implements Shape {}

  static final class Square implements Shape, Comparable<Square> {
    @Override
    public int compareTo(Square other) {
      return 0;
    }
  }

  class Inner<T extends Number> extends Thread {
    transient volatile T value;

    protected synchronized strictfp <E extends Exception> T generic(T one, @Mark E... more) throws E {
      Runnable lambda = () -> System.out.println(value + "" + one);
      lambda.run();
      return one;
    }
  }

  static class Subclass extends Object {
    public static void cursor() {}

    public native int nothing();
  }

  public static void main(String[] arguments) throws Exception {
    Object anonymous = new Object() {
      int field = 3;
    };
    Runnable lambda = () -> System.out.println("lambda");
    Object proxy = Proxy.newProxyInstance(Members.class.getClassLoader(), new Class<?>[] {Runnable.class, Comparable.class},
        (self, method, values) -> null);
    List<Class<?>> classes = List.of(Object.class, Thread.class, String.class, Class.class, ClassLoader.class,
        Throwable.class, Method.class, Field.class, Enum.class, Record.class, MethodHandle.class, System.class,
        java.lang.ref.Reference.class, java.lang.invoke.MethodHandles.Lookup.class, java.util.HashMap.class,
        java.util.concurrent.ForkJoinPool.class, Thread.State.class, ThreadGroup.class, VirtualMachineError.class,
        Class.forName("java.lang.StringConcatHelper"), Members.class, Point.class, Mark.class, Colour.class,
        Colour.RED.getClass(), Shape.class, Circle.class, Square.class, Inner.class, Subclass.class,
        anonymous.getClass(), lambda.getClass(), proxy.getClass(), int.class, int[].class, void.class, Object[].class);
    for (Class<?> each : classes) describe(each);
    searches();
    System.out.println(Class.forName("java.lang.Object").getPackage());
    System.out.println(Object.class.getMethods().length + " " + Thread.class.getDeclaredFields().length);
  }

  static String plain(Object any) {
    return String.valueOf(any).replaceAll("(0x|\\$\\$Lambda.)[0-9a-f$/x]+", "…");
  }

  static void describe(Class<?> type) {
    System.out.println("=== " + plain(type.toGenericString()) + " " + type.getModifiers() + " synthetic "
        + type.isSynthetic() + " hidden " + type.isHidden() + " " + plain(type.getSuperclass()) + " "
        + Arrays.asList(type.getInterfaces()) + " " + plain(type.getEnclosingClass()) + " "
        + type.getEnclosingMethod() + " " + plain(type.getNestHost()));
    notes(type);
    for (Field field : type.getDeclaredFields()) member("field", field, field.toGenericString(), field);
    for (Method method : type.getDeclaredMethods()) member("method", method, method.toGenericString(), method);
    for (Constructor<?> made : type.getDeclaredConstructors()) member("constructor", made, made.toGenericString(), made);
    for (Field field : type.getFields()) System.out.println("public field " + plain(field));
    for (Method method : type.getMethods()) System.out.println("public method " + plain(method));
    for (Constructor<?> made : type.getConstructors()) System.out.println("public constructor " + plain(made));
    for (Class<?> inner : type.getDeclaredClasses()) System.out.println("class " + inner);
    if (type.isRecord()) {
      for (RecordComponent part : type.getRecordComponents()) System.out.println(part + " " + part.getAccessor());
    }
    if (type.getPermittedSubclasses() != null) System.out.println(Arrays.asList(type.getPermittedSubclasses()));
  }

  static void member(String kind, Member member, String text, AnnotatedElement element) {
    System.out.println(kind + " " + plain(text) + " " + member.getModifiers() + " " + member.isSynthetic());
    notes(element);
    if (member instanceof Executable code) {
      for (Parameter parameter : code.getParameters()) {
        System.out.println("  " + plain(parameter) + " " + parameter.isNamePresent());
        notes(parameter);
      }
      System.out.println("  " + Arrays.asList(code.getGenericExceptionTypes()) + " " + code.isVarArgs());
    }
    if (member instanceof Method method) {
      Object value = method.getDefaultValue();
      System.out.println("  " + method.isDefault() + " " + method.isBridge() + " "
          + (value instanceof int[] numbers ? numbers.length : plain(value)));
    }
  }

  static void notes(AnnotatedElement element) {
    for (Annotation note : element.getAnnotations()) System.out.println("  " + note);
  }

  static void searches() {
    String[] names = {"bursarCursor", "bursarMember", "bursarEnter", "bursarResume", "bursarCalled", "bursarLink",
        "bursarHiddenClass", "bursarCallUnprobed"};
    for (String name : names) {
      for (Class<?> type : new Class<?>[] {Object.class, Thread.class, Members.class, Object[].class, Runnable.class}) {
        look(name, () -> type.getDeclaredField(name));
        look(name, () -> type.getField(name));
        look(name, () -> type.getDeclaredMethod(name));
        look(name, () -> type.getMethod(name));
      }
    }
  }

  static void look(String name, java.util.concurrent.Callable<?> search) {
    try {
      System.out.println("found " + search.call());
    } catch (Exception missing) {
      System.out.println(missing.getClass().getSimpleName() + " " + missing.getMessage());
    }
  }
}
