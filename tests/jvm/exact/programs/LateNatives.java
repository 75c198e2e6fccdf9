/** Native methods of classes that come when their callers run already, compiled, and have only called Java methods. */
public class LateNatives {
    interface Counted {
        int next(int n);
    }

    static final class InJava implements Counted {
        @Override public int next(int n) { return n + 1; }
    }

    static final class InC implements Counted {
        @Override public native int next(int n);
    }

    static class Open {
        int shift(int n) { return n + 2; }
    }

    static class OpenInC extends Open {
        @Override native int shift(int n);
    }

    /** No caller of it knows its class when it is rewritten. */
    static final class Tools {
        static native int twice(int n);
        static int thrice(int n) { return 3 * n; }
    }

    /** Loaded early; what inherits from it comes late. */
    static class Early {
        static native int inherited(int n);
    }

    static class Heir extends Early { }

    /** Private to others than its nest. */
    static final class Inner {
        private static native int hidden(int n);
        private native int own(int n);
    }

    static int step(Counted counted, Open open, int n) {
        return counted.next(n) + open.shift(n);
    }

    static int statics(int n) {
        return Tools.thrice(n) + Tools.twice(n);
    }

    static int heirs(int n) {
        return Heir.inherited(n);
    }

    static int nest(Inner inner, int n) {
        return Inner.hidden(n) + inner.own(n);
    }

    // loses trust
    // expect 60000 LateNatives.main;LateNatives.step;LateNatives$InJava.next
    // expect 20000 LateNatives.main;LateNatives.step;LateNatives$InC.next
    // expect 60000 LateNatives.main;LateNatives.step;LateNatives$Open.shift
    // expect 20000 LateNatives.main;LateNatives.step;LateNatives$OpenInC.shift
    // expect 30000 LateNatives.main;LateNatives.statics;LateNatives$Tools.twice
    // expect 30000 LateNatives.main;LateNatives.statics;LateNatives$Tools.thrice
    // expect 30000 LateNatives.main;LateNatives.heirs;LateNatives$Early.inherited
    // expect 30000 LateNatives.main;LateNatives.nest;LateNatives$Inner.hidden
    // expect 30000 LateNatives.main;LateNatives.nest;LateNatives$Inner.own
    public static void main(String[] args) throws ReflectiveOperationException {
        System.load(System.getProperty("exact.natives"));
        Counted counted = new InJava();
        Open open = new Open();
        int total = 0;
        for (int i = 0; i < 80_000; i++) {
            if (i == 60_000) {
                counted = (Counted) Class.forName("LateNatives$InC").getDeclaredConstructor().newInstance();
                open = (Open) Class.forName("LateNatives$OpenInC").getDeclaredConstructor().newInstance();
            }
            total += step(counted, open, i);
        }
        for (int i = 0; i < 30_000; i++) total += statics(i);
        for (int i = 0; i < 30_000; i++) total += heirs(i);
        Inner inner = new Inner();
        for (int i = 0; i < 30_000; i++) total += nest(inner, i);
        System.out.println(total);
    }
}
