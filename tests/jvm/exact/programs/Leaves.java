import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;

/** Methods that call nothing, called in all ways. */
public class Leaves {
    private int value = 3;
    private static int shared;

    private int get() { return value; }
    private void set(int n) { value = n; }
    private static int twice(int n) { return n + n; }
    static int larger(int a, int b) { return a > b ? a : b; }
    final int total(int a, int b) { return a + b; }
    int open() { return value; }
    private static void empty() { }
    private static int next() { return shared; }

    static class Other extends Leaves {
        @Override int open() { return 7; }
        int above() { return super.open(); }
    }

    interface Named {
        int named();
        private int helper() { return 4; }
        default int byDefault() { return helper() + named(); }
    }

    static final class One implements Named {
        @Override public int named() { return 1; }
    }

    static final class Two implements Named {
        @Override public int named() { return 2; }
    }

    /** Counts wrong if the call is counted though nothing is called. */
    static int onNull(int n) {
        int caught = 0;
        for (int i = 0; i < n; i++) {
            Leaves nobody = i % 2 == 0 ? null : new Leaves();
            try {
                nobody.get();
                nobody.set(i);
                nobody.total(i, i);
            } catch (NullPointerException expected) {
                caught++;
            }
        }
        return caught;
    }

    static int fails(int n) {
        empty();
        if (n % 2 == 0) throw new IllegalStateException();
        return twice(n);
    }

    /** The handlers of finally and of synchronized cover themselves, and no probe puts the cursor back there. */
    static int inHandlers(int n) {
        int total = 0;
        for (int i = 0; i < n; i++) {
            try {
                synchronized (Leaves.class) {
                    total += fails(i);
                }
            } catch (IllegalStateException expected) {
                total += twice(i);
            } finally {
                total += larger(i, 3);
            }
        }
        return total;
    }

    static int inFinally(int n) {
        int total = 0;
        for (int i = 0; i < n; i++) {
            try {
                total += viaFinally(i);
            } catch (IllegalStateException expected) {
                empty();
            }
        }
        return total;
    }

    static int viaFinally(int n) {
        try {
            return fails(n);
        } finally {
            empty();
            next();
        }
    }

    static int nothingElse(Leaves on, int n) {
        int total = 0;
        for (int i = 0; i < n; i++) total += on.get() + twice(i) + larger(i, n) + on.total(i, n);
        return total;
    }

    static int byReflection(int n) throws Exception {
        Method method = Leaves.class.getDeclaredMethod("twice", int.class);
        int total = 0;
        for (int i = 0; i < n; i++) total += (Integer) method.invoke(null, i);
        return total;
    }

    static int byHandle(int n) throws Throwable {
        MethodHandle handle =
                MethodHandles.lookup().findStatic(Leaves.class, "larger", MethodType.methodType(int.class, int.class, int.class));
        int total = 0;
        for (int i = 0; i < n; i++) total += (int) handle.invokeExact(i, 10);
        return total;
    }

    static int byReference(Leaves on, int n) {
        IntSupplier supplier = on::get;
        IntUnaryOperator operator = Leaves::twice;
        int total = 0;
        for (int i = 0; i < n; i++) total += supplier.getAsInt() + operator.applyAsInt(i);
        return total;
    }

    static int byReceiver(int n) {
        Leaves[] all = {new Leaves(), new Other()};
        Named[] named = {new One(), new Two()};
        int total = 0;
        for (int i = 0; i < n; i++) total += all[i % 2].open() + named[i % 2].named() + named[i % 2].byDefault();
        for (int i = 0; i < n; i++) total += ((Other) all[1]).above();
        return total;
    }

    // expect 25 Leaves.onNull;Leaves.get
    // expect 25 Leaves.onNull;Leaves.set
    // expect 25 Leaves.onNull;Leaves.total
    // expect 25 Leaves.onNull;java.lang.NullPointerException.<init>
    // expect 60 Leaves.inHandlers;Leaves.fails;Leaves.empty
    // expect 30 Leaves.inHandlers;Leaves.fails;Leaves.twice
    // expect 30 Leaves.inHandlers;Leaves.twice
    // expect 60 Leaves.inHandlers;Leaves.larger
    // expect 40 Leaves.viaFinally;Leaves.empty
    // expect 40 Leaves.viaFinally;Leaves.next
    // expect 20 Leaves.inFinally;Leaves.empty
    // expect 300 Leaves.nothingElse;Leaves.get
    // expect 300 Leaves.nothingElse;Leaves.twice
    // expect 300 Leaves.nothingElse;Leaves.larger
    // expect 300 Leaves.nothingElse;Leaves.total
    // expect 505 Leaves.twice
    // expect 430 Leaves.larger
    // expect 20 Leaves.byReceiver;Leaves$Other.open
    // expect 20 Leaves.byReceiver;Leaves.open
    // expect 40 Leaves$Other.above;Leaves.open
    // expect 40 Leaves$Named.byDefault;Leaves$Named.helper
    // expect 20 Leaves$Named.byDefault;Leaves$One.named
    // expect 20 Leaves.byReceiver;Leaves$Two.named
    public static void main(String[] args) throws Throwable {
        Leaves on = new Leaves();
        int total = onNull(50) + inHandlers(60) + inFinally(40) + nothingElse(on, 300);
        total += byReflection(70) + byHandle(70) + byReference(on, 55) + byReceiver(40);
        System.out.println(total);
    }
}
