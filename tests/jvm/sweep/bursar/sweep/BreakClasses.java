package bursar.sweep;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The negative control of the verification: BreakClasses PACK OUT copies a few classes, and breaks one for each way in
 * which a class gets verified. Prints a line for each broken class, divided by tabs: how, origin, name.
 * <pre>
 *   code-redefined   an instruction pops an empty stack; the class was loaded before the agent started
 *   code-loaded      the same in a class of the JDK loaded later
 *   code-jar         the same in a class of a jar
 *   code-inferred    the same in a class file older than stack maps
 *   frames-jar       a method lost its stack map
 *   frames-fail-over the same in a class file of Java 6, which the virtual machine then gives to its old verifier
 *   truncated        half of the class file is missing
 * </pre>
 */
public final class BreakClasses {
    private static final int JAVA_6 = 50;
    private static final int ALOAD_0 = 0x2a;
    private static final int POP = 0x57;
    private static final int UNBROKEN = 100;

    private final Pack pack;
    private final Map<Pack.Entry, byte[]> broken = new LinkedHashMap<>();

    private BreakClasses(Pack pack) {
        this.pack = pack;
    }

    public static void main(String[] args) throws IOException {
        BreakClasses b = new BreakClasses(Pack.read(Path.of(args[0])));
        b.breakCode("code-redefined", e -> e.name.equals("java/util/HashMap"), v -> true);
        b.breakCode("code-loaded", e -> e.origin.equals("jrt:java.desktop"), v -> true);
        b.breakCode("code-jar", Pack.Entry::isFromJar, v -> v > JAVA_6);
        b.breakCode("code-inferred", Pack.Entry::isFromJar, v -> v < JAVA_6);
        b.dropFrames("frames-jar", v -> v > JAVA_6);
        b.dropFrames("frames-fail-over", v -> v == JAVA_6);
        b.truncate("truncated");
        try (Pack.Writer out = new Pack.Writer(Path.of(args[1]))) {
            int unbroken = 0;
            for (Pack.Entry e : b.pack.entries) {
                byte[] changed = b.broken.get(e);
                if (changed != null) out.add(e.origin, e.name, changed);
                else if (unbroken++ < UNBROKEN) out.add(e.origin, e.name, b.pack.classFile(e));
            }
        }
    }

    private void breakCode(String how, Predicate<Pack.Entry> which, Predicate<Integer> version) {
        for (Pack.Entry e : pack.entries) {
            if (!which.test(e) || !isUsable(e)) continue;
            byte[] b = pack.classFile(e);
            ClassScan scan = new ClassScan(b);
            if (!version.test(scan.major)) continue;
            for (ClassScan.Code c : scan.codes) {
                if (b[c.offset()] != ALOAD_0) continue;
                b[c.offset()] = POP;
                add(how, e, b);
                return;
            }
        }
        throw new IllegalArgumentException("nothing to break for " + how);
    }

    private void dropFrames(String how, Predicate<Integer> version) {
        for (Pack.Entry e : pack.entries) {
            if (!e.isFromJar() || !isUsable(e)) continue;
            byte[] b = pack.classFile(e);
            ClassScan scan = new ClassScan(b);
            if (!version.test(scan.major)) continue;
            for (ClassScan.Code c : scan.codes) {
                if (c.stackMapOffset() == 0) continue;
                // Renamed to the name of the attribute around it, which means nothing inside it, the stack map is ignored.
                System.arraycopy(b, c.offset() - 14, b, c.stackMapOffset(), 2);
                add(how, e, b);
                return;
            }
        }
        throw new IllegalArgumentException("nothing to break for " + how);
    }

    private void truncate(String how) {
        for (Pack.Entry e : pack.entries) {
            if (!e.isFromJar() || !isUsable(e)) continue;
            add(how, e, Arrays.copyOf(pack.classFile(e), e.length / 2));
            return;
        }
        throw new IllegalArgumentException("nothing to break for " + how);
    }

    /** One that fails for want of another class would be no control; in the JDK, none is wanting. */
    private boolean isUsable(Pack.Entry e) {
        if (broken.containsKey(e) || e.release() > 0 || e.isModuleInfo()) return false;
        ClassScan scan = new ClassScan(pack.classFile(e));
        return !e.isFromJar() || scan.name.equals(e.name) && scan.superName.startsWith("java/");
    }

    private void add(String how, Pack.Entry e, byte[] classFile) {
        broken.put(e, classFile);
        System.out.println(how + "\t" + e.origin + "\t" + e.name);
    }
}
