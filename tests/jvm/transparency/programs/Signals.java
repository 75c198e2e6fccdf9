/** Waits for a signal. Shutdown hooks speak. */
public class Signals {
  public static void main(String[] arguments) throws Exception {
    Thread hook = new Thread(() -> System.out.println("hook in " + Thread.currentThread().getName()), "hook");
    Runtime.getRuntime().addShutdownHook(hook);
    Thread worker = new Thread(() -> {
      long sum = 0;
      while (sum >= 0) sum = work(sum);
    }, "worker");
    worker.setDaemon(true);
    worker.start();
    System.out.println("ready " + ProcessHandle.current().pid());
    if (arguments.length > 0 && arguments[0].equals("handles")) {
      sun.misc.Signal.handle(new sun.misc.Signal("TERM"), signal -> {
        System.out.println("handler " + signal);
        System.exit(42);
      });
      System.out.println("handling");
    }
    synchronized (Signals.class) {
      Signals.class.wait();
    }
  }

  private static long work(long sum) {
    return (sum + String.valueOf(sum).length()) % 1_000_000;
  }
}
