import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Work that is done in loops of the class library, and in calls of a method by itself. Prints how often each step was taken. */
public class CallsBack {
  private static long each, stepped, compared, put, left, between, right;

  static void onEach(int value) {
    each += step(value);
  }

  static int step(int value) {
    ++stepped;
    return value & 1;
  }

  static int compare(int one, int other) {
    ++compared;
    return Integer.compare(one, other);
  }

  static void onEntry(int key, int value) {
    put += key ^ value & 1;
  }

  /** The second call of itself lies behind the first. */
  static int fold(int depth) {
    if (depth == 0) return 1;
    ++left;
    int half = fold(depth - 1);
    half = join(half);
    ++right;
    return half + fold(depth - 1);
  }

  static int join(int value) {
    ++between;
    return value & 7;
  }

  public static void main(String[] args) {
    int rounds = Integer.parseInt(args[0]);
    List<Integer> values = new ArrayList<>();
    Map<Integer, Integer> entries = new HashMap<>();
    for (int i = 0; i < 2_000_000; ++i) values.add(i * 31 & 1023);
    for (int i = 0; i < 500_000; ++i) entries.put(i, i);
    for (int i = 0; i < rounds; ++i) {
      values.forEach(value -> onEach(value));
      entries.forEach((key, value) -> onEntry(key, value));
      Integer[] sorted = new Integer[400_000];
      for (int k = 0; k < sorted.length; ++k) sorted[k] = k * 7919 & 0xfffff;
      Arrays.sort(sorted, (one, other) -> compare(one, other));
    }
    for (int i = 0; i < rounds; ++i) fold(21);
    System.out.println("step " + stepped + " compare " + compared + " onEntry " + 500_000L * rounds + " join " + between);
    System.out.println(each + put + left + right);
  }
}
