/** Constructors, also those that do not return. */
public class Constructors {
    static class Fails extends RuntimeException {
        Fails() { super("on purpose", null, false, false); }
    }

    static class Base {
        Base(boolean fail) { check(fail); }
        static void check(boolean fail) { if (fail) throw new Fails(); }
    }

    static class Middle extends Base {
        final int value = initial();
        Middle(boolean fail) {
            super(argument(fail));
            after();
        }
        static boolean argument(boolean fail) { return fail; }
        static int initial() { return 1; }
        static void after() { }
    }

    static class Leaf extends Middle {
        Leaf() { this(false); }
        Leaf(boolean fail) {
            super(fail);
            Middle.after();
        }
    }

    static class FailsInField extends Base {
        final int value = fail();
        FailsInField() { super(false); }
        static int fail() { throw new Fails(); }
    }

    static class FailsInArgument extends Base {
        FailsInArgument() { super(fail()); }
        static boolean fail() { throw new Fails(); }
    }

    static class Initialised {
        final int a;
        { a = block(); }
        Initialised() { }
        Initialised(int ignored) { }
        static int block() { return 2; }
    }

    /** The VM registers it within the constructor of Object. */
    static class Finalized {
        static int left;
        static int ready() { return left; }
        final Object lock = new Object();
        final int value;
        Finalized() { value = ready(); }
        @Override @SuppressWarnings({"deprecation", "removal"}) protected void finalize() { left = 1; }
    }

    /** So that no finalizer runs. */
    static final Finalized[] KEPT = new Finalized[25];

    static void marker() { }

    // expect 30 Constructors$Leaf.<init>;Constructors$Leaf.<init>
    // expect 80 Constructors$Leaf.<init>;Constructors$Middle.<init>;Constructors$Base.<init>;Constructors$Base.check
    // expect 80 Constructors$Middle.<init>;Constructors$Middle.argument
    // expect 30 Constructors$Middle.<init>;Constructors$Middle.after
    // expect 30 Constructors$Middle.initial
    // expect 20 Constructors$FailsInField.<init>;Constructors$FailsInField.fail
    // expect 20 Constructors$FailsInArgument.<init>;Constructors$FailsInArgument.fail
    // expect 20 Constructors$FailsInField.<init>;Constructors$Base.<init>
    // expect 0 Constructors$FailsInArgument.<init>;Constructors$Base.<init>
    // expect 50 Constructors$Base.check;Constructors$Fails.<init>
    // expect 90 Constructors.main;Constructors.marker
    // expect 40 Constructors$Initialised.block
    // expect 25 Constructors$Finalized.<init>;java.lang.Object.<init>;java.lang.ref.Finalizer.register
    // expect 50 Constructors$Finalized.<init>;java.lang.Object.<init>
    // expect 25 Constructors$Finalized.<init>;Constructors$Finalized.ready
    public static void main(String[] args) {
        for (int i = 0; i < 30; i++) new Leaf();
        for (int i = 0; i < 50; i++) {
            try {
                new Leaf(true);
            } catch (Fails expected) {
                marker();
            }
        }
        for (int i = 0; i < 20; i++) {
            try {
                new FailsInField();
            } catch (Fails expected) {
                marker();
            }
            try {
                new FailsInArgument();
            } catch (Fails expected) {
                marker();
            }
        }
        for (int i = 0; i < 20; i++) new Initialised(new Initialised().a);
        for (int i = 0; i < KEPT.length; i++) KEPT[i] = new Finalized();
    }
}
