import java.util.function.IntUnaryOperator;

/** 10,000 frames: one method, two that call each other, through an interface, and out by an exception. */
public class DeepRecursion {
    static int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }
    static boolean even(int n) { return n == 0 || odd(n - 1); }
    static boolean odd(int n) { return n != 0 && even(n - 1); }

    static class Step implements IntUnaryOperator {
        @Override public int applyAsInt(int n) { return n == 0 ? bottom() : next().applyAsInt(n - 1); }
        private IntUnaryOperator next() { return this; }
        private int bottom() { return 7; }
    }

    static class Fails extends RuntimeException {
        Fails() { super(null, null, false, false); }
    }

    static int fails(int n) {
        if (n == 0) throw new Fails();
        return fails(n - 1) + 1;
    }

    static int ackermann(int m, int n) {
        if (m == 0) return n + 1;
        return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }

    static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

    static int all() {
        int total = 0;
        for (int i = 0; i < 3; i++) total += down(10_000);
        total += even(10_000) ? 1 : 0;
        total += new Step().applyAsInt(5_000);
        for (int i = 0; i < 3; i++) {
            try {
                fails(10_000);
            } catch (Fails expected) {
                total++;
            }
        }
        return total + ackermann(2, 6) + fibonacci(15);
    }

    // expect 30003 DeepRecursion.down
    // expect 5001 DeepRecursion.even
    // expect 5000 DeepRecursion.odd
    // expect 5001 DeepRecursion$Step.applyAsInt
    // expect 5000 DeepRecursion$Step.next
    // expect 30003 DeepRecursion.fails
    // expect 3 DeepRecursion.fails;DeepRecursion$Fails.<init>
    // expect 1973 DeepRecursion.fibonacci
    // expect 119 DeepRecursion.ackermann
    public static void main(String[] args) throws InterruptedException {
        int[] total = new int[1];
        Thread deep = new Thread(null, () -> total[0] = all(), "deep", 256 << 20);
        deep.start();
        deep.join();
        System.out.println(total[0]);
    }
}
