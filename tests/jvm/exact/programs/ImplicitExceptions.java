/** Exceptions that no throw statement made. */
public class ImplicitExceptions {
    interface Body {
        void run();
    }

    static Object nothing() { return null; }
    static int zero() { return 0; }
    static int[] short_() { return new int[2]; }
    static int negative() { return -1; }
    static Object[] strings() { return new String[1]; }
    static Object text() { return "text"; }
    static void marker() { }

    static void dereferences() { nothing().hashCode(); }
    static void unboxes() { int n = (Integer) nothing(); }
    static void divides() { int n = 1 / zero(); }
    static void divides2() { long n = 1L % zero(); }
    static void reads() { int n = short_()[2]; }
    static void stores() { strings()[0] = 1; }
    static void casts() { Integer n = (Integer) text(); }
    static void makes() { int[] a = new int[negative()]; }
    static void makesMany() { int[][] a = new int[2][negative()]; }
    static void locks() { synchronized (nothing()) { marker(); } }
    static void throwsNothing() { throw (RuntimeException) nothing(); }
    static void length() { int n = ((int[]) nothing()).length; }
    static void missingField() { ((ImplicitExceptions) nothing()).field++; }
    static void callOnNothing() { ((ImplicitExceptions) nothing()).instance(); }
    static void interfaceOnNothing() { ((Body) nothing()).run(); }
    static void substring() { "abc".substring(4); }
    static void charAt() { "abc".charAt(zero() - 1); }
    static void parses() { Integer.parseInt("x"); }
    static void memory() { long[] a = new long[Integer.MAX_VALUE]; }

    int field;
    private void instance() { }

    static int caught(Body body) {
        try {
            body.run();
            return 0;
        } catch (RuntimeException | OutOfMemoryError expected) {
            marker();
            return 1;
        }
    }

    // expect 190 ImplicitExceptions.caught;ImplicitExceptions.marker
    // expect 190 ImplicitExceptions.main;ImplicitExceptions.caught
    // expect 80 ImplicitExceptions.nothing
    // expect 30 ImplicitExceptions.zero
    // expect 20 ImplicitExceptions.negative
    // expect 0 ImplicitExceptions.instance
    public static void main(String[] args) {
        int total = 0;
        for (int i = 0; i < 10; i++) {
            total += caught(ImplicitExceptions::dereferences) + caught(ImplicitExceptions::unboxes);
            total += caught(ImplicitExceptions::divides) + caught(ImplicitExceptions::divides2) + caught(ImplicitExceptions::reads);
            total += caught(ImplicitExceptions::stores) + caught(ImplicitExceptions::casts) + caught(ImplicitExceptions::makes);
            total += caught(ImplicitExceptions::makesMany) + caught(ImplicitExceptions::locks);
            total += caught(ImplicitExceptions::throwsNothing) + caught(ImplicitExceptions::length);
            total += caught(ImplicitExceptions::missingField) + caught(ImplicitExceptions::callOnNothing);
            total += caught(ImplicitExceptions::interfaceOnNothing) + caught(ImplicitExceptions::substring);
            total += caught(ImplicitExceptions::charAt) + caught(ImplicitExceptions::parses) + caught(ImplicitExceptions::memory);
        }
        System.out.println(total);
    }
}
