import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** Lambdas, method references of all four kinds, and string concatenation by invokedynamic. */
public class Lambdas {
    final int weight;
    Lambdas(int weight) { this.weight = weight; }
    int plus(int n) { return weight + n; }
    int weigh() { return weight; }
    static int twice(int n) { return 2 * n; }
    private int hidden(int n) { return n - weight; }

    static int apply(IntUnaryOperator operation, int times) {
        int n = 0;
        for (int i = 0; i < times; i++) n = operation.applyAsInt(n);
        return n;
    }

    static IntSupplier capturing(int a, String b, Object c) { return () -> a + b.length() + (c == null ? 1 : 0); }

    static String joined(int n, long l, String s, Object o, double d) { return "n=" + n + ",l=" + l + s + o + "/" + d; }

    static int recursive(int n) {
        IntUnaryOperator next = k -> k <= 0 ? 0 : recursive(k - 1) + 1;
        return next.applyAsInt(n);
    }

    static int nested(int n) {
        Function<Integer, IntFunction<IntSupplier>> curried = a -> b -> () -> a + b + n;
        return curried.apply(1).apply(2).getAsInt();
    }

    static int throwing(int n) {
        Runnable fails = () -> { throw new IllegalStateException(); };
        int caught = 0;
        for (int i = 0; i < n; i++) {
            try {
                fails.run();
            } catch (IllegalStateException expected) {
                caught++;
            }
        }
        return caught;
    }

    // expect 200 Lambdas.plain;Lambdas.apply;Lambdas$$Lambda.applyAsInt;Lambdas.lambda$plain$*
    // expect 100 Lambdas.apply;Lambdas$$Lambda.applyAsInt;Lambdas.twice
    // expect 100 Lambdas.apply;Lambdas$$Lambda.applyAsInt;Lambdas.plus
    // expect 100 Lambdas.apply;Lambdas$$Lambda.applyAsInt;Lambdas.hidden
    // expect 30 Lambdas$$Lambda.apply;Lambdas.weigh
    // expect 30 Lambdas$$Lambda.apply;Lambdas.<init>
    // expect 50 Lambdas.capturing
    // expect 50 Lambdas$$Lambda.getAsInt;Lambdas.lambda$capturing$*
    // expect 40 Lambdas.main;Lambdas.joined
    // expect 55 Lambdas.recursive
    // expect 45 Lambdas.lambda$recursive$*;Lambdas.recursive
    // expect 25 Lambdas.throwing;Lambdas$$Lambda.run
    static int plain(int times) { return apply(n -> n + 1, times); }

    public static void main(String[] args) {
        int total = plain(150) + plain(50);
        total += apply(Lambdas::twice, 100);
        Lambdas seven = new Lambdas(7);
        total += apply(seven::plus, 100) + apply(seven::hidden, 100);
        Function<Lambdas, Integer> unbound = Lambdas::weigh;
        Function<Integer, Lambdas> constructor = Lambdas::new;
        for (int i = 0; i < 30; i++) total += unbound.apply(seven) + constructor.apply(i).weight;
        for (int i = 0; i < 50; i++) total += capturing(i, "text", i % 2 == 0 ? null : args).getAsInt();
        for (int i = 0; i < 40; i++) total += joined(i, 1L << i, "s", 'c', 0.5).length();
        for (int i = 0; i < 10; i++) total += recursive(i) + nested(i);
        total += throwing(25);
        BiFunction<Integer, Integer, Integer> max = Math::max;
        IntBinaryOperator add = Integer::sum;
        Supplier<int[]> array = () -> new int[3];
        IntFunction<int[]> arrays = int[]::new;
        for (int i = 0; i < 20; i++) total += max.apply(i, 10) + add.applyAsInt(1, 2) + array.get().length + arrays.apply(i).length;
        System.out.println(total);
    }
}
