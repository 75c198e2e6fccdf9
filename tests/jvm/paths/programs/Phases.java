/** For a time the branch goes one way, then for as long the other way. */
public class Phases {
  static int step(int x, boolean second) {
    if (second) {
      return x * 31 + 7;
    }
    return x ^ 0x5bd1e995;
  }

  static int run(long end, boolean second, int x) {
    while (System.nanoTime() < end) {
      for (int i = 0; i < 1000; i++) x = step(x, second);
    }
    return x;
  }

  public static void main(String[] args) {
    long half = Long.parseLong(args[0]) * 1_000_000;
    int x = run(System.nanoTime() + half, false, 1);
    x = run(System.nanoTime() + half, true, x);
    System.out.println(x == 42 ? "unlikely" : "done");
  }
}
