import java.util.concurrent.CountDownLatch;

/** So many threads that live and wait, for so many milliseconds. */
public class Parked {
    public static void main(String[] arguments) throws InterruptedException {
        int count = Integer.parseInt(arguments[0]);
        CountDownLatch started = new CountDownLatch(count), end = new CountDownLatch(1);
        Thread[] threads = new Thread[count];
        for (int i = 0; i < count; ++i) {
            threads[i] = new Thread(() -> {
                started.countDown();
                await(end);
            }, "parked");
            threads[i].start();
        }
        started.await();
        Thread.sleep(Long.parseLong(arguments[1]));
        end.countDown();
        for (Thread thread : threads) thread.join();
        System.out.println("done");
    }

    static void await(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
