/** Calls work() equally often from dense() and sparse(), where it takes three times as long; and thrice from thirds(). */
public final class Density {
    private static long state = 1;

    static void work(int steps) {
        long s = state;
        for (int i = steps; i > 0; i--) {
            s ^= s << 13;
            s ^= s >>> 7;
            s ^= s << 17;
        }
        state = s;
    }

    static void dense(int calls) {
        for (int i = 0; i < calls; i++) work(30);
    }

    static void sparse(int calls) {
        for (int i = 0; i < calls; i++) work(90);
    }

    static void one() {}

    static void two() {}

    static void thirds(int rounds) {
        for (int i = 0; i < rounds; i++) {
            one();
            two();
            two();
            work(20);
        }
    }

    public static void main(String[] args) {
        for (int round = Integer.parseInt(args[0]); round > 0; round--) {
            dense(300_000);
            sparse(300_000);
            thirds(100_000);
        }
        System.out.println("done");
    }
}
