/** Many threads that come and go, each with some calls; "exit" ends the program in the middle of it. */
public final class Comings {
    static int depth(int n) {
        return n == 0 ? 0 : 1 + depth(n - 1);
    }

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]);
        long sum = 0;
        for (int t = 0; t < threads; t += 4) {
            Thread[] some = new Thread[4];
            int[] sums = new int[some.length];
            for (int i = 0; i < some.length; i++) {
                int own = i;
                some[i] = new Thread(() -> {
                    for (int k = 0; k < 2_000; k++) sums[own] += depth(k % 50);
                });
                some[i].start();
            }
            if (args.length > 1 && t >= threads / 2) System.exit(3);
            for (int i = 0; i < some.length; i++) {
                some[i].join();
                sum += sums[i];
            }
        }
        System.out.println("sum " + sum);
    }
}
