package bursar.sweep;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Loads copies of jdk.internal.reflect under another package name, so that they are verified.
 *
 * HotSpot 17 verifies no subclass of jdk.internal.reflect.MagicAccessorImpl, and lets no other loader define one; 25 has
 * no such class. The names have the same length, so that replacing one by the other leaves the rest of a class file alone.
 */
final class AccessorCopies extends ClassLoader {
    private static final String PACKAGE = "jdk/internal/reflect/";
    private static final String COPY = "jdk/internal/copied_/";
    private static final byte[] PACKAGE_BYTES = PACKAGE.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] COPY_BYTES = COPY.getBytes(StandardCharsets.US_ASCII);

    private final Pack pack;
    private final Map<String, Pack.Entry> entries = new HashMap<>();

    AccessorCopies(Pack pack) {
        super(ClassLoader.getPlatformClassLoader());
        this.pack = pack;
        for (Pack.Entry e : pack.entries) {
            if (e.origin.equals("jrt:java.base") && e.name.startsWith(PACKAGE)) entries.put(e.name, e);
        }
    }

    static boolean isNeededFor(Class<?> c) {
        for (Class<?> k = c; k != null; k = k.getSuperclass()) {
            if (k.getName().equals("jdk.internal.reflect.MagicAccessorImpl")) return true;
        }
        return false;
    }

    Class<?> copyOf(Class<?> c) throws ClassNotFoundException {
        return loadClass(c.getName().replace('.', '/').replace(PACKAGE, COPY).replace('/', '.'));
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String path = name.replace('.', '/');
        if (!path.startsWith(COPY)) throw new ClassNotFoundException(name);
        String original = path.replace(COPY, PACKAGE);
        Pack.Entry e = entries.get(original);
        byte[] classFile = e != null ? pack.classFile(e) : fromRuntime(original);
        for (int i = 0; i + PACKAGE_BYTES.length <= classFile.length; i++) {
            if (startsWithPackage(classFile, i)) System.arraycopy(COPY_BYTES, 0, classFile, i, COPY_BYTES.length);
        }
        return defineClass(name, classFile, 0, classFile.length);
    }

    private static boolean startsWithPackage(byte[] b, int at) {
        for (int i = 0; i < PACKAGE_BYTES.length; i++) {
            if (b[at + i] != PACKAGE_BYTES[i]) return false;
        }
        return true;
    }

    private static byte[] fromRuntime(String path) throws ClassNotFoundException {
        try (InputStream in = ClassLoader.getSystemResourceAsStream(path + ".class")) {
            if (in == null) throw new ClassNotFoundException(path);
            return in.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(path, e);
        }
    }
}
