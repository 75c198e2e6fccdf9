import java.io.InputStream;
import java.util.function.IntUnaryOperator;

/** The same class loaded many times, by loaders that are unloaded again. */
public class Loaders {
    // skip java.lang.invoke.MethodType.makeImpl # which types the collector has cleared by then is a matter of time
    public static class Plugin implements IntUnaryOperator {
        static int loaded = initial();
        static int initial() { return 1; }
        public Plugin() { }
        @Override public int applyAsInt(int n) { return new Part().twice(n) + loaded; }
    }

    public static class Part {
        int twice(int n) { return 2 * n; }
    }

    static class Isolated extends ClassLoader {
        Isolated() { super(Loaders.class.getClassLoader()); }
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("Loaders$Plugin") && !name.equals("Loaders$Part")) return super.loadClass(name, resolve);
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known != null) return known;
                try (InputStream in = Loaders.class.getResourceAsStream(name + ".class")) {
                    byte[] bytes = in.readAllBytes();
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (java.io.IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        }
    }

    static int oneLoader(int calls) throws Exception {
        Class<?> type = new Isolated().loadClass("Loaders$Plugin");
        IntUnaryOperator plugin = (IntUnaryOperator) type.getDeclaredConstructor().newInstance();
        int total = 0;
        for (int i = 0; i < calls; i++) total += plugin.applyAsInt(i);
        return total;
    }

    // expect 40 Loaders.main;Loaders.oneLoader
    // expect 400 Loaders.oneLoader;Loaders$Plugin.applyAsInt;Loaders$Part.twice
    // expect 400 Loaders$Plugin.applyAsInt;Loaders$Part.<init>
    // expect 40 Loaders$Plugin.<clinit>;Loaders$Plugin.initial
    // expect 80 Loaders$Isolated.loadClass;java.lang.ClassLoader.defineClass
    public static void main(String[] args) throws Exception {
        int total = 0;
        for (int i = 0; i < 40; i++) {
            total += oneLoader(10);
            if (i % 10 == 9) System.gc();
        }
        System.out.println(total);
    }
}
