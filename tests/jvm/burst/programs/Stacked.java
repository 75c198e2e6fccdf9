/** A loop that finds something on the operand stack, within one that does not, in a method that is called once. */
public class Stacked {
  static int step(int x) {
    return x * 31 + 7;
  }

  static int add(int x, int y) {
    return x + y;
  }

  public static void main(String[] arguments) {
    int rounds = Integer.parseInt(arguments[0]), x = 1;
    for (int i = 0; i < rounds; ++i) {
      int of = i;
      x = add(x, switch (of & 1) {
        default -> {
          int sum = 0;
          for (int k = 0; k < 50; ++k) sum += step(of + k);
          yield sum;
        }
      });
    }
    System.out.println(x);
  }
}
