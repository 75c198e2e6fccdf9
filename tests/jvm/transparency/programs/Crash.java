import java.lang.reflect.Field;
import sun.misc.Unsafe;

/** Brings the JVM down. */
public class Crash {
  public static void main(String[] arguments) throws Exception {
    Field field = Unsafe.class.getDeclaredField("theUnsafe");
    field.setAccessible(true);
    System.out.println("about to crash");
    ((Unsafe) field.get(null)).putAddress(16, 1);
  }
}
