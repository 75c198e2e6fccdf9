import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.MessageDigest;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Tells what bytes the VM has for its classes. It is its own Java agent: for each file named on stdin it has every
 * class retransformed, changes nothing, and writes a line for each: loader, name, hash of the bytes as the VM handed
 * them out. A thread of its own keeps running meanwhile. There is no invokedynamic here: with it, the bytes of this class
 * differed from one JVM to the next.
 */
public class ClassBytes {
    private static Instrumentation instrumentation;

    public static void premain(String options, Instrumentation given) {
        instrumentation = given;
    }

    private static final class Collector implements ClassFileTransformer {
        final Map<String, String> hashes = new TreeMap<>();

        @Override
        public synchronized byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
            if (redefined == null) return null;
            try {
                byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
                String where = loader == null ? "boot" : loader.getClass().getName();
                hashes.put(where.concat(" ").concat(name), HexFormat.of().formatHex(hash));
            } catch (Exception error) {
                hashes.put(name, error.toString());
            }
            return null;
        }
    }

    private static Map<String, String> collect() throws Exception {
        Collector collector = new Collector();
        instrumentation.addTransformer(collector, true);
        List<Class<?>> classes = new ArrayList<>();
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            if (!loaded.isArray() && instrumentation.isModifiableClass(loaded)) classes.add(loaded);
        }
        instrumentation.retransformClasses(classes.toArray(new Class<?>[0]));
        instrumentation.removeTransformer(collector);
        return collector.hashes;
    }

    private static final class Busy extends Thread {
        static volatile long sink;

        @Override
        public void run() {
            for (long i = 0; ; i++) sink += Long.toString(i).hashCode();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread busy = new Busy();
        busy.setDaemon(true);
        busy.start();
        collect(); // loads what collecting needs
        System.out.println("ready ".concat(Long.toString(ProcessHandle.current().pid())));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String file; (file = in.readLine()) != null; ) {
            try (PrintStream out = new PrintStream(file)) {
                for (Map.Entry<String, String> entry : collect().entrySet()) {
                    out.println(entry.getKey().concat(" ").concat(entry.getValue()));
                }
            }
            System.out.println("written");
        }
    }
}
