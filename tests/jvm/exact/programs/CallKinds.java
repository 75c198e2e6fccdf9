/** Every kind of invoke instruction, and the methods that javac adds for them. */
public class CallKinds {
    interface Shape {
        int area();
        default int twice() { return scaled(2); }
        private int scaled(int by) { return area() * by; }
        static Shape unit() { return () -> 1; }
    }

    static class Square implements Shape {
        final int side;
        Square(int side) { this.side = side; }
        @Override public int area() { return side * side; }
        int named() { return 1; }
    }

    static final class Cube extends Square {
        Cube(int side) { super(side); }
        @Override public int area() { return 6 * super.area(); }
        @Override int named() { return super.named() + own(); }
        private int own() { return 2; }
    }

    /** compareTo(Ordered) gets a bridge compareTo(Object). */
    static final class Ordered implements Comparable<Ordered> {
        @Override public int compareTo(Ordered other) { return 0; }
    }

    /** get() gets a bridge with the wider return type. */
    abstract static class Source<T> {
        abstract T get();
    }

    static final class Texts extends Source<String> {
        @Override String get() { return "text"; }
    }

    class Inner {
        private int hidden = 1;
        private int bump() { return hidden++ + outer(); }
        class Innermost {
            private int reach() { return bump() + CallKinds.this.outer(); }
        }
    }

    private int outer() { return 1; }

    private static int nothing() { return 0; }
    static int sum(int... numbers) {
        int total = 0;
        for (int number : numbers) total += plus(total, number);
        return total;
    }
    static int plus(int a, int b) { return a + b; }
    synchronized int locked() { return 3; }
    static synchronized int staticallyLocked() { return 4; }

    static int word(String text) {
        switch (text) {
            case "one": return 1;
            case "two": return 2;
            case "Aa": case "BB": return 3;
            default: return 0;
        }
    }

    static long boxed(int n) {
        Long total = 0L;
        for (int i = 0; i < n; i++) total += Integer.valueOf(i);
        return total;
    }

    static String built(int n) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < n; i++) out.append(i).append(',').append("x");
        return out.toString();
    }

    // expect 100 CallKinds.main;CallKinds.nothing
    // expect 0 CallKinds$Shape.area
    // expect 200 CallKinds.main;CallKinds$Shape.twice;CallKinds$Shape.scaled
    // expect 50 CallKinds$Cube.area;CallKinds$Square.area
    // expect 50 CallKinds$Cube.named;CallKinds$Cube.own
    // expect 40 CallKinds.throughBridge;CallKinds$Ordered.compareTo;CallKinds$Ordered.compareTo
    // expect 30 CallKinds.throughWideBridge;CallKinds$Texts.get;CallKinds$Texts.get
    // expect 70 CallKinds.sum;CallKinds.plus
    // expect 20 CallKinds$Inner$Innermost.reach;CallKinds$Inner.bump;CallKinds.outer
    // expect 40 CallKinds.outer
    // expect 25 CallKinds.locked
    // expect 25 CallKinds.staticallyLocked
    // expect 50 CallKinds.words;CallKinds.word
    // expect 1000 CallKinds.boxed;java.lang.Integer.valueOf
    // expect 1001 CallKinds.boxed;java.lang.Long.valueOf
    // expect 150 CallKinds$Square.area
    // expect 300 CallKinds.built;java.lang.StringBuilder.append
    static int throughBridge(int n) {
        Comparable<Ordered> it = new Ordered();
        int total = 0;
        for (int i = 0; i < n; i++) total += it.compareTo(new Ordered());
        return total;
    }

    static int throughWideBridge(int n) {
        Source<?> source = new Texts();
        int total = 0;
        for (int i = 0; i < n; i++) total += source.get().hashCode();
        return total;
    }

    static int words() {
        int total = 0;
        for (int i = 0; i < 10; i++) total += word("one") + word("two") + word("Aa") + word("BB") + word("");
        return total;
    }

    public static void main(String[] args) {
        int total = 0;
        for (int i = 0; i < 100; i++) total += nothing();
        Shape[] shapes = {new Square(2), new Cube(1), Shape.unit(), new Square(3)};
        for (int i = 0; i < 50; i++) for (Shape shape : shapes) total += shape.twice();
        Square cube = new Cube(1);
        for (int i = 0; i < 50; i++) total += cube.named();
        total += throughBridge(40) + throughWideBridge(30);
        for (int i = 0; i < 10; i++) total += sum(1, 2, 3, 4, 5, 6, 7) + sum();
        CallKinds outer = new CallKinds();
        CallKinds.Inner.Innermost innermost = outer.new Inner().new Innermost();
        for (int i = 0; i < 20; i++) total += innermost.reach();
        for (int i = 0; i < 25; i++) total += outer.locked() + staticallyLocked();
        total += words() + boxed(1000) + built(100).length();
        System.out.println(total);
    }
}
