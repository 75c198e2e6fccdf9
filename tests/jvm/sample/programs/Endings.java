/** Ends as it is told. */
public class Endings {
    static volatile long sink;

    static void work(long ms) {
        long end = System.nanoTime() + ms * 1_000_000;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 10_000; ++i) sink = sink * 31 + i;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread busy = new Thread(() -> work(100_000), "busy");
        busy.setDaemon(true);
        busy.start();
        work(500);
        System.out.println("ends");
        switch (arguments[0]) {
            case "return" -> {}
            case "exit" -> System.exit(7);
            case "halt" -> Runtime.getRuntime().halt(8);
            case "throw" -> throw new IllegalStateException("on purpose");
            case "last-thread" -> new Thread(() -> work(300), "last").start();
            case "exit-in-thread" -> new Thread(() -> System.exit(9)).start();
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }
}
