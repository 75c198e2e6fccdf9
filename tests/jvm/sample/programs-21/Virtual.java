import java.util.concurrent.Executors;

/** Work in virtual threads. */
public class Virtual {
    static volatile long sink;

    static void work() {
        for (int i = 0; i < 2_000_000; ++i) sink = sink * 31 + i;
    }

    public static void main(String[] arguments) {
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 400; ++i) {
                executor.submit(() -> {
                    work();
                    Thread.sleep(1);
                    work();
                    return 0;
                });
            }
        }
        System.out.println("done");
    }
}
