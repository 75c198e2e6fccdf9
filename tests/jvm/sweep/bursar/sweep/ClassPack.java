package bursar.sweep;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Writes every class of the running JDK's modules and of the given jars into a pack, or a sample of them:
 * ClassPack OUT [--no-jdk] [--sample N] [--seed S] [JAR...]. Prints what it packed as one line of JSON.
 *
 * A sample is the same for the same classes and seed, whatever their order: the classes with the smallest hash of their
 * name, after those that a rewriter is most likely to trip over.
 */
public final class ClassPack {
    /** Classes the virtual machine treats specially, runs before everything else, or stacks deep frames of. */
    private static final Set<String> TRICKY = Set.of(
            "java/lang/Object", "java/lang/Class", "java/lang/String", "java/lang/Throwable", "java/lang/Thread",
            "java/lang/ThreadLocal", "java/lang/ClassLoader", "java/lang/System", "java/lang/Shutdown", "java/lang/Integer",
            "java/lang/StringBuilder", "java/lang/AbstractStringBuilder", "java/lang/StackStreamFactory$AbstractStackWalker",
            "java/lang/VirtualThread", "java/lang/ScopedValue", "java/lang/ref/Reference", "java/lang/ref/Finalizer",
            "java/lang/ref/Reference$ReferenceHandler", "java/lang/invoke/MethodHandle", "java/lang/invoke/MethodHandleImpl",
            "java/lang/invoke/MethodHandles$Lookup", "java/lang/invoke/MethodHandleNatives", "java/lang/invoke/LambdaForm",
            "java/lang/invoke/DirectMethodHandle", "java/lang/invoke/Invokers", "java/lang/invoke/VarHandle",
            "java/lang/invoke/VarHandles", "java/lang/invoke/BoundMethodHandle", "java/lang/invoke/MethodType",
            "java/lang/invoke/CallSite", "java/lang/invoke/StringConcatFactory", "java/lang/reflect/Method",
            "java/security/AccessController", "java/util/HashMap", "java/util/concurrent/ConcurrentHashMap",
            "jdk/internal/misc/Unsafe", "jdk/internal/misc/ScopedMemoryAccess", "jdk/internal/vm/Continuation",
            "jdk/internal/reflect/MethodAccessorImpl", "jdk/internal/reflect/Reflection", "javax/swing/JTable",
            "jdk/internal/loader/BuiltinClassLoader");
    private static final int LARGEST_METHODS = 20;
    private static final int OF_EACH_VERSION = 5;
    private static final int WITH_JSR = 100;

    private record Item(String origin, String name, byte[] classFile, ClassScan scan) { }

    private final List<Item> items = new ArrayList<>();

    private ClassPack() { }

    public static void main(String[] args) throws IOException {
        Path out = Path.of(args[0]);
        boolean jdk = true;
        int sample = 0;
        long seed = 1;
        List<Path> jars = new ArrayList<>();
        for (int i = 1; i < args.length; i++) {
            switch (args[i]) {
                case "--no-jdk": jdk = false; break;
                case "--sample": sample = Integer.parseInt(args[++i]); break;
                case "--seed": seed = Long.parseLong(args[++i]); break;
                default: jars.add(Path.of(args[i]));
            }
        }
        ClassPack all = new ClassPack();
        if (jdk) all.addModules();
        for (Path jar : jars) all.addJar(jar);
        List<Item> chosen = sample > 0 ? all.sample(sample, seed) : all.items;
        try (Pack.Writer writer = new Pack.Writer(out)) {
            for (Item item : chosen) writer.add(item.origin, item.name, item.classFile);
        }
        System.out.println(summary(chosen));
    }

    private void addModules() throws IOException {
        FileSystem jrt = FileSystems.getFileSystem(URI.create("jrt:/"));
        List<Path> modules;
        try (Stream<Path> s = Files.list(jrt.getPath("/modules"))) {
            modules = s.sorted().toList();
        }
        for (Path module : modules) {
            List<Path> files;
            try (Stream<Path> s = Files.walk(module)) {
                files = s.filter(p -> p.toString().endsWith(".class")).sorted().toList();
            }
            String origin = "jrt:" + module.getFileName();
            for (Path file : files) add(origin, module.relativize(file).toString(), Files.readAllBytes(file));
        }
    }

    private void addJar(Path jar) throws IOException {
        String origin = "jar:" + jar.getFileName().toString().replaceFirst("\\.jar$", "");
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (Enumeration<? extends ZipEntry> e = zip.entries(); e.hasMoreElements();) {
                ZipEntry entry = e.nextElement();
                if (!entry.getName().endsWith(".class")) continue;
                try (InputStream in = zip.getInputStream(entry)) {
                    add(origin, entry.getName(), in.readAllBytes());
                }
            }
        }
    }

    private void add(String origin, String path, byte[] classFile) {
        String name = path.substring(0, path.length() - ".class".length());
        items.add(new Item(origin, name, classFile, new ClassScan(classFile)));
    }

    private List<Item> sample(int wanted, long seed) {
        Set<Integer> chosen = new TreeSet<>();
        Map<Integer, Integer> seenOfVersion = new HashMap<>();
        int withJsr = 0;
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) order.add(i);
        order.sort(Comparator.<Integer>comparingInt(i -> items.get(i).scan.largestCode()).reversed());
        chosen.addAll(order.subList(0, Math.min(LARGEST_METHODS, order.size())));
        for (int i = 0; i < items.size(); i++) {
            Item item = items.get(i);
            boolean rareVersion = seenOfVersion.merge(item.scan.major, 1, Integer::sum) <= OF_EACH_VERSION;
            boolean jsr = item.scan.methodsWithJsr() > 0 && withJsr++ < WITH_JSR;
            boolean tricky = TRICKY.contains(item.name) || item.origin.equals("jar:crafted");
            if (rareVersion || jsr || tricky) chosen.add(i);
        }
        order.sort(Comparator.<Integer>comparingLong(i -> hash(items.get(i), seed)));
        for (int i : order) {
            if (chosen.size() >= wanted) break;
            chosen.add(i);
        }
        List<Item> result = new ArrayList<>();
        for (int i : chosen) result.add(items.get(i));
        return result;
    }

    /** FNV-1a over origin and name, then the finalizer of SplitMix64, which spreads names that differ only at their end. */
    private static long hash(Item item, long seed) {
        long h = 0xcbf29ce484222325L ^ seed;
        for (char c : (item.origin + ' ' + item.name).toCharArray()) h = (h ^ c) * 0x100000001b3L;
        h = (h ^ h >>> 30) * 0xbf58476d1ce4e5b9L;
        h = (h ^ h >>> 27) * 0x94d049bb133111ebL;
        return h ^ h >>> 31;
    }

    private static String summary(List<Item> items) {
        long bytes = 0;
        int withCode = 0;
        int methods = 0;
        Map<String, Integer> jsr = new TreeMap<>();
        Map<Integer, Integer> versions = new TreeMap<>();
        for (Item item : items) {
            bytes += item.classFile.length;
            methods += item.scan.codes.size();
            if (!item.scan.codes.isEmpty()) withCode++;
            versions.merge(item.scan.major, 1, Integer::sum);
            int n = item.scan.methodsWithJsr();
            if (n > 0) jsr.merge(item.origin, n, Integer::sum);
        }
        return "{\"classes\": " + items.size() + ", \"bytes\": " + bytes + ", \"classes_with_code\": " + withCode
                + ", \"methods_with_code\": " + methods + ", \"classes_by_version\": " + json(versions)
                + ", \"methods_with_jsr\": " + json(jsr) + "}";
    }

    private static String json(Map<?, Integer> counts) {
        StringBuilder sb = new StringBuilder("{");
        counts.forEach((k, n) -> sb.append(sb.length() > 1 ? ", " : "").append('"').append(k).append("\": ").append(n));
        return sb.append('}').toString();
    }
}
