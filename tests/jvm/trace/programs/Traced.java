import java.util.concurrent.CountDownLatch;

/** What a trace is asked about: phases, much work, threads, time. The first argument says which. */
public class Traced {
    static volatile int sink;

    static void early() { sink++; }
    static void late() { sink++; }
    static void leaf() { sink++; }

    static void outer() throws Exception {
        for (int i = 0; i < 1000; i++) early();
        Thread.sleep(4500);
        for (int i = 0; i < 1000; i++) late();
    }

    static void work(int calls) {
        for (int i = 0; i < calls; i++) leaf();
    }

    static void rest() throws Exception { Thread.sleep(500); }

    static void threads() throws Exception {
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(() -> work(1000), "worker-" + i);
            thread.start();
            thread.join();
        }
        CountDownLatch running = new CountDownLatch(1);
        Thread daemon = new Thread(() -> {
            work(1000);
            running.countDown();
            while (true) work(10);
        }, "daemon");
        daemon.setDaemon(true);
        daemon.start();
        running.await();
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "phases" -> outer();
            case "work" -> work(Integer.parseInt(arguments[1]));
            case "forever" -> { while (true) work(1000); }
            case "rest" -> rest();
            case "remove" -> new java.io.File(arguments[1]).delete();
            case "threads" -> threads();
        }
        System.out.println("done " + arguments[0]);
        if (arguments[0].equals("work")) System.exit(3);
    }
}
