/** The way that is hot is the one that jumps; one frame runs from start to end. */
public class Renumbered {
  static int step(int x) {
    if (x == Integer.MIN_VALUE) {
      x = 1;
    } else {
      x = x * 31 + 7;
    }
    if (x == 42) {
      throw new IllegalStateException("never mind");
    }
    return x;
  }

  static void fail(int[] a) {
    a[0]++;
  }

  public static void main(String[] args) {
    long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000;
    int x = 1;
    while (System.nanoTime() < end) {
      for (int i = 0; i < 10_000; i++) {
        try {
          x = step(x);
        } catch (IllegalStateException e) {
          x = 3;
        }
      }
    }
    try {
      fail(null);
    } catch (NullPointerException e) {
      // main itself began before its class was changed: HotSpot no longer knows its lines.
      for (StackTraceElement frame : e.getStackTrace()) {
        System.out.println(frame.getMethodName() + (frame.getMethodName().equals("main") ? "" : ":" + frame.getLineNumber()));
      }
    }
    for (var method : Renumbered.class.getDeclaredMethods()) System.out.println(method.getName());
  }
}
