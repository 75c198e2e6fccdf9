package bursar.sweep;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Map;

/**
 * Loads the classes of one class path: those of the pack from the pack, the others from the jars.
 *
 * It asks itself before its parent, unlike ordinary loaders: some jars hold classes that the JDK has too (org.w3c.dom),
 * and it is the jar's that are to be verified.
 */
final class PackLoader extends URLClassLoader {
    private final Pack pack;
    private final Map<String, Pack.Entry> entries;
    private final StandIns standIns;

    static {
        registerAsParallelCapable();
    }

    /** entries: by class name with slashes. standIns: what to load for classes found nowhere; may be null. */
    PackLoader(Pack pack, Map<String, Pack.Entry> entries, URL[] jars, ClassLoader parent, StandIns standIns) {
        super(jars, parent);
        this.pack = pack;
        this.entries = entries;
        this.standIns = standIns;
    }

    /** The entry from which this loader takes a class. */
    Pack.Entry entry(String className) {
        return entries.get(className);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> c = findLoadedClass(name);
            if (c != null) return c;
            String path = name.replace('.', '/');
            boolean own = entries.containsKey(path) || !name.startsWith("java.") && findResource(path + ".class") != null;
            return own ? findClass(name) : super.loadClass(name, resolve);
        }
    }

    /** Not left to super: sealed packages and signers, which it looks after, need all classes to come from the jar. */
    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String path = name.replace('.', '/');
        Pack.Entry e = entries.get(path);
        byte[] classFile = e != null ? pack.classFile(e) : fromJar(path);
        if (e != null) e.handedOut = true;
        return defineClass(name, classFile, 0, classFile.length);
    }

    private byte[] fromJar(String path) throws ClassNotFoundException {
        URL url = findResource(path + ".class");
        if (url == null) {
            if (standIns != null) return standIns.classFile(path);
            throw new ClassNotFoundException(path);
        }
        try (InputStream in = url.openStream()) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(path, e);
        }
    }
}
