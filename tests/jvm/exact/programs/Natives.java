/** Native methods of our own (natives.c): calling back, throwing, clearing what a callback threw, overridden. */
public class Natives {
    static native int nothing(int n);
    /** Calls back(int) n times. */
    static native int callsBack(int n);
    /** Calls backFails(int) n times and clears what it throws; returns how often that was. */
    static native int clearsBack(int n);
    /** Calls backFails(int) and lets what it throws go on. */
    static native int passesBack(int n);
    /** Throws IllegalStateException itself. */
    static native int fails(String why);
    /** Calls nestedBack(int), which calls this again with one less. */
    static native int nested(int n);
    /** Makes n objects of this class by its constructor Natives(int). */
    static native Object makes(int n);
    /** Calls touch() of the class of that name, which it initialises. */
    static native void initialises(String name);
    native int virtual(int n);
    final native int notVirtual(int n);
    synchronized native int locked(int n);

    static class Doubled extends Natives {
        @Override native int virtual(int n);
        int above(int n) { return super.virtual(n); }
    }

    static class Tripled extends Natives {
        @Override native int virtual(int n);
    }

    static class InJava extends Natives {
        @Override int virtual(int n) { return 4 * n; }
    }

    interface Measured {
        int virtual(int n);
    }

    static final class ByInterface extends Natives implements Measured {
        @Override public native int virtual(int n);
    }

    interface Weighed {
        int weigh(int n);
    }

    /** Loaded when its caller is rewritten already, and linked at its first call. */
    static final class LateWeighed implements Weighed {
        @Override public native int weigh(int n);
    }

    static class Late {
        static int value = initial();
        static int initial() { return 5; }
        /** Not empty: HotSpot does not make a native function's call of an empty method. */
        static void touch() { helper(0); }
    }

    static class Fails extends RuntimeException {
        Fails() { super("on purpose", null, false, false); }
    }

    Natives() { }
    Natives(int n) { helper(n); }

    static void helper(int n) { }
    static int back(int n) {
        helper(n);
        return n + 1;
    }
    int backVirtual(int n) { return n; }
    static int backFails(int n) {
        helper(n);
        if (n % 2 == 0) throw new Fails();
        return 0;
    }
    static int nestedBack(int n) { return 1 + nested(n); }

    static void marker() { }

    static int throwing(int n) {
        int caught = 0;
        for (int i = 0; i < n; i++) {
            try {
                fails("on purpose");
            } catch (IllegalStateException expected) {
                marker();
                caught++;
            }
            try {
                passesBack(2);
            } catch (Fails expected) {
                marker();
                caught++;
            }
        }
        return caught;
    }

    static int overridden(int n) {
        Natives[] all = {new Natives(), new Doubled(), new Tripled(), new InJava(), new ByInterface()};
        int total = 0;
        for (int i = 0; i < n; i++) for (Natives one : all) total += one.virtual(i);
        Measured measured = (Measured) all[4];
        for (int i = 0; i < n; i++) total += measured.virtual(i) + ((Doubled) all[1]).above(i);
        return total;
    }

    static int lateByInterface(int n) {
        Weighed late = new LateWeighed();
        int total = 0;
        for (int i = 0; i < n; i++) total += late.weigh(i);
        return total;
    }

    static int unlinked(int n) {
        int caught = 0;
        for (int i = 0; i < n; i++) {
            try {
                missing();
            } catch (UnsatisfiedLinkError expected) {
                caught++;
            }
        }
        return caught;
    }
    static native void missing();

    // loses trust
    // expect 100 Natives.main;Natives.nothing
    // expect 10 Natives.main;Natives.callsBack
    // expect 70 Natives.callsBack;Natives.back;Natives.helper
    // expect 10 Natives.clearsBack
    // expect 100 Natives.clearsBack;Natives.backFails;Natives.helper
    // expect 50 Natives.clearsBack;Natives.backFails;Natives$Fails.<init>
    // expect 20 Natives.throwing;Natives.fails
    // expect 20 Natives.throwing;Natives.passesBack;Natives.backFails
    // expect 40 Natives.throwing;Natives.marker
    // expect 21 Natives.nested
    // expect 20 Natives.nested;Natives.nestedBack
    // expect 30 Natives.makes;Natives.<init>;Natives.helper
    // expect 1 Natives.initialises;Natives$Late.<clinit>;Natives$Late.initial
    // expect 5 Natives.initialises;Natives$Late.touch
    // expect 30 Natives.overridden;Natives.virtual
    // expect 30 Natives.overridden;Natives$Doubled.virtual
    // expect 30 Natives$Doubled.above;Natives.virtual
    // expect 30 Natives.overridden;Natives$Tripled.virtual
    // expect 30 Natives.overridden;Natives$InJava.virtual
    // expect 60 Natives.overridden;Natives$ByInterface.virtual
    // expect 40 Natives.lateByInterface;Natives$LateWeighed.weigh
    // expect 1 Natives$LateWeighed.weigh;java.lang.ClassLoader.findNative
    // expect 60 Natives.virtual;Natives.backVirtual
    // expect 25 Natives.main;Natives.notVirtual
    // expect 25 Natives.main;Natives.locked;Natives.backVirtual
    public static void main(String[] args) {
        System.load(System.getProperty("exact.natives"));
        int total = 0;
        for (int i = 0; i < 100; i++) total += nothing(i);
        for (int i = 0; i < 10; i++) total += callsBack(7) + clearsBack(10);
        total += throwing(20) + nested(20) + overridden(30);
        makes(30);
        for (int i = 0; i < 5; i++) initialises("Natives$Late");
        Natives one = new Doubled();
        for (int i = 0; i < 25; i++) total += one.notVirtual(i) + one.locked(i);
        total += unlinked(3) + lateByInterface(40);
        System.out.println(total);
    }
}
