/**
 * A loop whose optimized code ends at its gate. What is called early and late is called by the same loops, and now and then an
 * addition overflows, by the method that such code ends by.
 */
public class Leaving {
  static int overflows;

  static int step(int x) {
    return x * 31 + 7;
  }

  static int run(int x) {
    for (int i = 0; i < 100_000; ++i) x = step(x);
    return x;
  }

  static int early(int x) {
    return run(x);
  }

  static int late(int x) {
    return run(x);
  }

  static int add(int x, int y) {
    try {
      return Math.addExact(x, y);
    } catch (ArithmeticException overflow) {
      StackTraceElement[] stack = overflow.getStackTrace();
      // Where it happens often the JIT throws one without a stack.
      boolean right = stack.length == 0 || (stack[0].getMethodName().equals("addExact") && stack[1].getMethodName().equals("add"));
      if (right) ++overflows;
      return 0;
    }
  }

  public static void main(String[] arguments) {
    long begin = System.nanoTime();
    int x = 1, times = 0;
    int[] rounds = new int[2];
    for (int part = 0; part < 2; ++part) {
      long end = begin + (long) (Double.parseDouble(arguments[part]) * 1e9);
      while (System.nanoTime() < end) {
        x = part == 0 ? early(x) : late(x);
        ++rounds[part];
        x += add(Integer.MIN_VALUE, -1 - (x & 7)) + add(x & 1023, 1) - (x & 1023) - 1;
        ++times;
      }
    }
    System.out.println(rounds[0] + " " + rounds[1] + " " + (overflows == times));
  }
}
