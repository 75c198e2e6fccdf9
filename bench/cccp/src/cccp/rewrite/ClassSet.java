package cccp.rewrite;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** The classes that are rewritten, together: which calls among them can take the extra argument is decided here. */
final class ClassSet {
    private record Shape(String superName, Iterable<String> interfaces, Set<String> methods) { }

    private static final Set<String> JDK = ModuleFinder.ofSystem().findAll().stream()
            .flatMap(module -> module.descriptor().packages().stream()).collect(Collectors.toSet());

    private final Map<String, Shape> shapes = new HashMap<>();
    private final Map<Path, Map<String, byte[]>> jars = new LinkedHashMap<>();

    void add(Path jar) throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                String name = entry.getName();
                boolean signature = name.startsWith("META-INF/") && name.matches(".*\\.(SF|RSA|DSA|EC)");
                if (entry.isDirectory() || signature || name.startsWith("META-INF/versions/")) continue;
                try (InputStream in = zip.getInputStream(entry)) { entries.put(name, in.readAllBytes()); }
            }
        }
        jars.put(jar, entries);
        for (Map.Entry<String, byte[]> entry : entries.entrySet()) if (canRewrite(entry.getKey())) add(entry.getValue());
    }

    Map<Path, Map<String, byte[]>> jars() { return jars; }

    boolean contains(String className) { return shapes.containsKey(className); }

    /** Whether the method that `owner.name` stands for has an extended copy. */
    boolean isExtended(String owner, String name, String descriptor) {
        String key = name + descriptor;
        Shape shape = shapes.get(owner);
        if (name.equals("<init>")) return shape != null && shape.methods.contains(key);
        for (Shape at = shape; at != null; at = shapes.get(at.superName)) if (at.methods.contains(key)) return true;
        return shape != null && inInterface(owner, key, new HashSet<>());
    }

    private boolean inInterface(String className, String key, Set<String> seen) {
        Shape shape = shapes.get(className);
        if (shape == null || !seen.add(className)) return false;
        for (String name : shape.interfaces) {
            Shape each = shapes.get(name);
            if (each != null && each.methods.contains(key) || inInterface(name, key, seen)) return true;
        }
        return inInterface(shape.superName, key, seen);
    }

    /** A class whose package the JDK has too may be loaded from there. */
    private static boolean canRewrite(String entry) {
        return entry.endsWith(".class") && !entry.endsWith("module-info.class") && !JDK.contains(packageOf(entry));
    }

    /** The shortest package names that cover the classes and nothing of the JDK. */
    Set<String> packages() {
        Set<String> found = new TreeSet<>();
        for (String name : shapes.keySet()) {
            String all = packageOf(name), prefix = all;
            for (int dot = all.indexOf('.'); dot > 0; dot = all.indexOf('.', dot + 1)) {
                String candidate = all.substring(0, dot);
                if (JDK.stream().anyMatch(each -> (each + ".").startsWith(candidate + "."))) continue;
                prefix = candidate;
                break;
            }
            found.add(prefix);
        }
        return found;
    }

    private static String packageOf(String path) {
        return path.substring(0, Math.max(path.lastIndexOf('/'), 0)).replace('/', '.');
    }

    private void add(byte[] bytes) {
        ClassNode node = new ClassNode();
        new ClassReader(bytes).accept(node, ClassReader.SKIP_CODE);
        if ((node.access & Opcodes.ACC_ANNOTATION) != 0) return; // its methods must have no arguments
        Set<String> methods = new HashSet<>();
        for (MethodNode method : node.methods) methods.add(method.name + method.desc);
        shapes.putIfAbsent(node.name, new Shape(String.valueOf(node.superName), node.interfaces, methods));
    }
}
