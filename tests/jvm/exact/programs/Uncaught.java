/** main dies of an exception. */
public class Uncaught {
    // exit 1
    // expect 6 Uncaught.deeper
    // expect 3 Uncaught.cleanUp
    static void cleanUp() { }

    static void deeper(int n) {
        try {
            if (n == 0) throw new IllegalStateException("on purpose");
            deeper(n - 1);
        } finally {
            if (n % 2 == 0) cleanUp();
        }
    }

    public static void main(String[] args) {
        deeper(5);
    }
}
