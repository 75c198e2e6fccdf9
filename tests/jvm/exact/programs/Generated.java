import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.function.IntUnaryOperator;

/** Methods and classes that nobody wrote: of records and enums, hidden classes. */
public class Generated {
    record Point(int x, int y) {
        Point { check(x); }
        static void check(int x) { if (x < 0) throw new IllegalArgumentException(); }
    }

    enum Level {
        LOW { @Override int weight() { return 1; } },
        HIGH { @Override int weight() { return 2; } };
        abstract int weight();
    }

    public static class Template implements IntUnaryOperator {
        public Template() { }
        @Override public int applyAsInt(int n) { return helper(n) + 1; }
        private static int helper(int n) { return callBack(n); }
    }

    static int callBack(int n) { return n * 3; }

    static int byLevel(Level level) {
        switch (level) {
            case LOW: return level.weight();
            case HIGH: return 10 * level.weight();
            default: return 0;
        }
    }

    static int records(int n) {
        int total = 0;
        for (int i = 0; i < n; i++) {
            Point point = new Point(i, i + 1);
            total += point.x() + point.y();
            if (point.equals(new Point(i, i + 1))) total += point.hashCode() + point.toString().length();
        }
        for (int i = 0; i < n; i++) {
            try {
                new Point(-1, 0);
            } catch (IllegalArgumentException expected) {
                total++;
            }
        }
        return total;
    }

    static int hidden(int n) throws Exception {
        byte[] bytes;
        try (InputStream in = Generated.class.getResourceAsStream("Generated$Template.class")) {
            bytes = in.readAllBytes();
        }
        int total = 0;
        for (int k = 0; k < 3; k++) {
            Class<?> made = MethodHandles.lookup().defineHiddenClass(bytes, true, MethodHandles.Lookup.ClassOption.NESTMATE)
                    .lookupClass();
            IntUnaryOperator operator = (IntUnaryOperator) made.getDeclaredConstructor().newInstance();
            for (int i = 0; i < n; i++) total += operator.applyAsInt(i);
        }
        return total;
    }

    // expect 300 Generated$Point.<init>;Generated$Point.check
    // expect 100 Generated.records;Generated$Point.x
    // expect 100 Generated.records;Generated$Point.equals
    // expect 60 Generated.hidden;Generated$Template.applyAsInt;Generated$Template.helper;Generated.callBack
    // expect 50 Generated$Level$1.weight
    // expect 50 Generated$Level$2.weight
    // expect 150 Generated.main;Generated$Level.values
    public static void main(String[] args) throws Exception {
        int total = records(100) + hidden(20);
        for (int i = 0; i < 50; i++) for (Level level : Level.values()) total += byLevel(level);
        for (int i = 0; i < 100; i++) total += Level.values().length + Level.valueOf("HIGH").ordinal();
        System.out.println(total);
    }
}
