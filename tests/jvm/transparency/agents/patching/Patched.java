import java.util.HashMap;
import java.util.Map;

/** Is changed by Patching while it runs. */
public class Patched {
  static int calls;

  static int greet(int number) {
    calls++;
    return twice(number) + 1;
  }

  static int twice(int number) {
    return number * 2;
  }

  public static void main(String[] arguments) throws Exception {
    System.out.println(greet(1));
    for (int i = 0; i < 20000; i++) twice(i);
    Patching.again("second", Patched.class);
    System.out.println(greet(2));
    Patching.again("third", Patched.class);
    System.out.println(greet(3));
    Patching.redefine(Patched.class, Patched.class.getResourceAsStream("Patched.class").readAllBytes());
    System.out.println(greet(4));
    Patching.again("fourth", Object.class, Thread.class, String.class, Class.class, HashMap.class, Patched.class);
    System.out.println(greet(5) + " " + new HashMap<>(Map.of(1, 2)));
    System.out.println("refused " + Patching.everything());
    System.out.println(greet(6) + " calls " + calls);
    Thread thread = new Thread(() -> System.out.println("thread " + twice(7)));
    thread.start();
    thread.join();
    System.out.println(Thread.class.getDeclaredFields().length + " " + Object.class.getDeclaredMethods().length);
  }
}
