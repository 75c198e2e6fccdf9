/** Class initialisers: who causes them, in which order, and what happens when they fail. */
public class Initialisers {
    static int touched(int value) { return value; }

    static class Parent {
        static int value = touched(1);
        static void call() { }
    }

    static class Child extends Parent {
        static int own = touched(2);
        static void callOwn() { }
    }

    interface Plain {
        int CONSTANT = touched(3);
    }

    interface WithDefault extends Plain {
        int CONSTANT_TOO = touched(4);
        default int inherited() { return 5; }
    }

    static class Implements implements WithDefault {
        static int own = touched(6);
    }

    static class Fails {
        static { if (touched(7) == 7) throw new IllegalStateException("on purpose"); }
        static void call() { }
    }

    static class FailsBySuper extends Fails {
        static int own = touched(8);
    }

    static class ByReflection {
        static { touched(9); }
    }

    static class ByArray {
        static { touched(10); }
    }

    static class Nested {
        static int outer = Deeper.value;
        static class Deeper {
            static int value = touched(11);
        }
    }

    enum Colour {
        RED, GREEN;
        static { touched(12); }
    }

    static void marker() { }
    static void callFails() { Fails.call(); }
    static int readConstant() { return Implements.CONSTANT; }

    // expect 1 Initialisers$Parent.<clinit>;Initialisers.touched
    // expect 1 Initialisers$Child.<clinit>;Initialisers.touched
    // expect 1 Initialisers.callsChild;Initialisers$Child.<clinit>
    // expect 1 Initialisers.callsParent;Initialisers$Parent.<clinit>
    // expect 5 Initialisers.callsChild;Initialisers$Child.callOwn
    // expect 5 Initialisers.callsParent;Initialisers$Parent.call
    // expect 1 Initialisers$WithDefault.<clinit>
    // expect 1 Initialisers$Implements.<clinit>;Initialisers.touched
    // expect 1 Initialisers.readConstant;Initialisers$Plain.<clinit>
    // expect 1 Initialisers.callFails;Initialisers$Fails.<clinit>
    // expect 0 Initialisers$Fails.call
    // expect 11 Initialisers.failing;Initialisers.marker
    // expect 0 Initialisers$FailsBySuper.<clinit>
    // expect 1 Initialisers$ByReflection.<clinit>
    // expect 0 Initialisers$ByArray.<clinit>
    // expect 1 Initialisers$Nested.<clinit>;Initialisers$Nested$Deeper.<clinit>;Initialisers.touched
    // expect 1 Initialisers$Colour.<clinit>
    // expect 2 Initialisers$Colour.<clinit>;Initialisers$Colour.<init>
    static void callsParent() { for (int i = 0; i < 5; i++) Parent.call(); }
    static void callsChild() { for (int i = 0; i < 5; i++) Child.callOwn(); }

    static void failing() {
        for (int i = 0; i < 10; i++) {
            try {
                callFails();
            } catch (ExceptionInInitializerError | NoClassDefFoundError expected) {
                marker();
            }
        }
        try {
            new FailsBySuper();
        } catch (NoClassDefFoundError expected) {
            marker();
        }
    }

    public static void main(String[] args) throws Exception {
        callsParent();
        callsChild();
        new Implements().inherited();
        readConstant();
        failing();
        Class<?> found = Class.forName("Initialisers$ByReflection", false, Initialisers.class.getClassLoader());
        marker();
        Class.forName(found.getName());
        Object array = new ByArray[3];
        System.out.println(Nested.outer + Colour.valueOf("GREEN").ordinal() + ((Object[]) array).length);
    }
}
