import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Reflective calls before and after the JVM replaces its slow way by generated code (more than 15 calls). */
public class Reflection {
    private int value = 3;
    public Reflection() { }
    private Reflection(int value) { this.value = checked(value); }

    static int checked(int n) {
        if (n < 0) throw new IllegalArgumentException("on purpose");
        return n;
    }
    private int add(int n) { return value + inner(n); }
    private int inner(int n) { return n; }
    static String name(Object of) { return of.toString(); }
    @Override public String toString() { return "me"; }
    static void fails(int n) { deep(n); }
    static void deep(int n) {
        if (n == 0) throw new UnsupportedOperationException();
        deep(n - 1);
    }

    static int byMethod(int n) throws Exception {
        Method add = Reflection.class.getDeclaredMethod("add", int.class);
        add.setAccessible(true);
        Reflection target = new Reflection();
        int total = 0;
        for (int i = 0; i < n; i++) total += (Integer) add.invoke(target, i);
        return total;
    }

    static int byStatic(int n) throws Exception {
        Method name = Reflection.class.getDeclaredMethod("name", Object.class);
        int total = 0;
        for (int i = 0; i < n; i++) total += ((String) name.invoke(null, new Reflection())).length();
        return total;
    }

    static int byThrowing(int n) throws Exception {
        Method fails = Reflection.class.getDeclaredMethod("fails", int.class);
        int caught = 0;
        for (int i = 0; i < n; i++) {
            try {
                fails.invoke(null, 3);
            } catch (InvocationTargetException expected) {
                caught++;
            }
            try {
                fails.invoke(null, "wrong");
            } catch (IllegalArgumentException expected) {
                caught++;
            }
        }
        return caught;
    }

    static int byConstructor(int n) throws Exception {
        Constructor<Reflection> make = Reflection.class.getDeclaredConstructor(int.class);
        make.setAccessible(true);
        int total = 0;
        for (int i = 0; i < n; i++) {
            total += make.newInstance(i).value;
            try {
                make.newInstance(-1);
            } catch (InvocationTargetException expected) {
                total++;
            }
        }
        return total;
    }

    static int byInterface(int n) throws Exception {
        Method compare = Comparable.class.getMethod("compareTo", Object.class);
        int total = 0;
        for (int i = 0; i < n; i++) total += (Integer) compare.invoke("a", "b") + (Integer) compare.invoke(1, 2);
        return total;
    }

    static int recursive(Method self, int n) throws Exception {
        return n == 0 ? 0 : 1 + (Integer) self.invoke(null, self, n - 1);
    }

    static int fields(int n) throws Exception {
        Field value = Reflection.class.getDeclaredField("value");
        Reflection target = new Reflection();
        for (int i = 0; i < n; i++) value.setInt(target, value.getInt(target) + 1);
        Object array = Array.newInstance(String.class, n);
        for (int i = 0; i < n; i++) Array.set(array, i, "s");
        return target.value + Array.getLength(array);
    }

    // expect 100 Reflection.add;Reflection.inner
    // expect 100 Reflection.add
    // expect 40 Reflection.name;Reflection.toString
    // expect 25 Reflection.fails;Reflection.deep;Reflection.deep;Reflection.deep;Reflection.deep
    // expect 25 Reflection.fails
    // expect 100 Reflection.<init>;Reflection.checked
    // expect 31 Reflection.recursive
    // expect 100 Reflection.byMethod;java.lang.reflect.Method.invoke
    // expect 50 Reflection.byThrowing;java.lang.reflect.Method.invoke
    public static void main(String[] args) throws Exception {
        int total = byMethod(100) + byStatic(40) + byThrowing(25) + byConstructor(50) + byInterface(40) + fields(30);
        Method self = Reflection.class.getDeclaredMethod("recursive", Method.class, int.class);
        total += recursive(self, 30);
        System.out.println(total);
    }
}
