/** Two phases that make as many calls each: one makes them as fast as it can, the other works in between. */
public class Phases {
  static int fast(int x) {
    return x * 31 + 7;
  }

  static int slow(int x) {
    int y = x;
    for (int i = 0; i < 20; ++i) y = y * 31 + (y >>> 7);
    return y;
  }

  static int first(int x) {
    for (int i = 0; i < 1_000_000; ++i) x = fast(x);
    return x;
  }

  static int second(int x) {
    for (int i = 0; i < 1_000_000; ++i) x = slow(x);
    return x;
  }

  static int work(int times) {
    int x = 1;
    for (int i = 0; i < times; ++i) x = first(x);
    for (int i = 0; i < times; ++i) x = second(x);
    return x;
  }

  public static void main(String[] arguments) throws InterruptedException {
    int times = Integer.parseInt(arguments[0]);
    int threads = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1;
    int[] results = new int[threads];
    Thread[] workers = new Thread[threads];
    for (int i = 0; i < threads; ++i) {
      int number = i;
      workers[i] = new Thread(() -> results[number] = work(times), "worker " + i);
      workers[i].start();
    }
    for (Thread worker : workers) worker.join();
    for (int result : results) System.out.println(result);
  }
}
