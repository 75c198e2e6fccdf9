import java.util.concurrent.Executors;

/** The same branch in many virtual threads, which yield on the way. */
public class VirtualBranches {
  static int odd(int x) throws InterruptedException {
    if (x % 2 == 0) {
      return 0;
    }
    if (x % 101 == 1) Thread.sleep(0, 1);
    return 1;
  }

  public static void main(String[] args) throws Exception {
    int threads = Integer.parseInt(args[0]);
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < threads; i++) {
        executor.submit(() -> {
          int sum = 0;
          for (int x = 0; x < 1000; x++) sum += odd(x);
          return sum;
        });
      }
    }
    System.out.println("done");
  }
}
