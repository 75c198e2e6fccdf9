import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A little of everything, to be run with many options of the JVM. */
public class Mixed {
  private static int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
  }

  public static void main(String[] arguments) throws Exception {
    System.out.println(fibonacci(18));
    Map<String, Integer> sums = new TreeMap<>();
    for (int i = 0; i < 20000; i++) sums.merge("k" + i % 37, i, Integer::sum);
    System.out.println(sums);
    String joined = IntStream.range(0, 5000).mapToObj(i -> "s" + i % 100).distinct().sorted().collect(Collectors.joining(","));
    System.out.println(joined.hashCode());
    IntUnaryOperator step = x -> x * 31;
    int hash = 0;
    for (int i = 0; i < 100000; i++) hash = step.applyAsInt(hash) + i;
    System.out.println(hash);
    threads();
    exceptions();
    List<byte[]> garbage = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      garbage.add(new byte[10000]);
      if (garbage.size() > 50) garbage.clear();
    }
    System.gc();
    System.out.println(String.format("%d %s %.3f", 3, "x", Math.sin(1)));
  }

  private static void threads() throws InterruptedException {
    Thread[] threads = new Thread[4];
    long[] sums = new long[threads.length];
    for (int i = 0; i < threads.length; i++) {
      int index = i;
      threads[i] = new Thread(() -> {
        for (int j = 0; j < 10000; j++) sums[index] += j % (index + 1);
      });
      threads[i].start();
    }
    for (Thread thread : threads) thread.join();
    System.out.println(Arrays.toString(sums));
  }

  private static void exceptions() {
    int frames = 0;
    for (int i = 0; i < 3000; i++) {
      try {
        if (i % 3 == 0) throw new IllegalStateException("" + i);
        Objects.requireNonNull(i % 5 == 0 ? null : "");
      } catch (RuntimeException thrown) {
        frames += thrown.getStackTrace().length;
      }
    }
    System.out.println(frames);
  }
}
