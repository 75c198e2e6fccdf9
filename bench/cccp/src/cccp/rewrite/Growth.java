package cccp.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.CodeSizeEvaluator;

/** What rewriting does to the size of the classes, and to the methods near the JIT's limits. */
final class Growth {
    /** HotSpot: MaxInlineSize, FreqInlineSize, HugeMethodLimit. */
    private static final int[] LIMITS = {35, 325, 8000};

    private final Side before = new Side(), after = new Side();
    private int classes;

    void add(byte[] original, byte[] rewritten) {
        classes++;
        before.add(original, false);
        after.add(rewritten, true);
    }

    @Override public String toString() {
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT,
                "%d classes: bytes %d -> %d (x%.2f), methods %d -> %d (x%.2f), code bytes %d -> %d (x%.2f)", classes,
                before.bytes, after.bytes, ratio(before.bytes, after.bytes), before.methods, after.methods,
                ratio(before.methods, after.methods), before.code, after.code, ratio(before.code, after.code)));
        for (int limit : LIMITS) {
            long was = before.over(limit), is = after.over(limit);
            text.append(String.format("; bodies over %d bytes %d -> %d", limit, was, is));
        }
        return text.toString();
    }

    private static double ratio(long from, long to) { return (double) to / from; }

    private static final class Side {
        long bytes, methods, code;
        final List<Integer> bodies = new ArrayList<>();

        /** Of a rewritten class only the extended methods, which have the bodies, count as bodies. */
        void add(byte[] classFile, boolean extendedOnly) {
            bytes += classFile.length;
            new ClassReader(classFile).accept(new ClassVisitor(Opcodes.ASM9) {
                @Override public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
                        String[] exceptions) {
                    methods++;
                    boolean body = !extendedOnly || descriptor.contains("cccp/Node") || name.equals("<clinit>");
                    return new CodeSizeEvaluator(null) {
                        @Override public void visitEnd() {
                            code += getMaxSize();
                            if (body && getMaxSize() > 0) bodies.add(getMaxSize());
                        }
                    };
                }
            }, ClassReader.SKIP_DEBUG);
        }

        long over(int limit) { return bodies.stream().filter(size -> size > limit).count(); }
    }
}
