/** Virtual threads, for JDK 21 and later. */
public class Virtual {
    static volatile int sink;

    static void leaf() { sink++; }
    static void plain() { sink++; }

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 100; i++) plain();
        Thread thread = Thread.ofVirtual().start(() -> {
            for (int i = 0; i < 1000; i++) leaf();
        });
        thread.join();
    }
}
