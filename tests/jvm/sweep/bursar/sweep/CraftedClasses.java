package bursar.sweep;

import static org.objectweb.asm.Opcodes.*;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/**
 * Writes a jar of classes that no compiler of today makes: CraftedClasses JAR. Subroutines (jsr and ret) in the class files
 * of Java 1.1 to 6, constructors that throw before super(), jumps that just fit into 16 bits, methods at the limits of code,
 * locals and stack.
 *
 * Each class has a static int run(int), which RunCrafted calls; limits that cannot be run at ease are in methods of
 * their own beside it.
 */
public final class CraftedClasses {
    /** Locals of run: the argument, the result, the loop's counter; more only where a method says so. */
    private static final int N = 0;
    private static final int R = 1;
    private static final int I = 2;
    private static final String FAILURE = "java/lang/RuntimeException";

    private final ZipOutputStream jar;

    private CraftedClasses(ZipOutputStream jar) {
        this.jar = jar;
    }

    public static void main(String[] args) throws IOException {
        try (OutputStream file = Files.newOutputStream(Path.of(args[0])); ZipOutputStream jar = new ZipOutputStream(file)) {
            CraftedClasses c = new CraftedClasses(jar);
            int[] versions = {V1_1, V1_2, V1_3, V1_4, V1_5, V1_6};
            for (int version : versions) {
                String suffix = "Version" + (version & 0xffff);
                c.oldClass("Finally" + suffix, version, m -> finallyBlock(m, 5));
                c.oldClass("Nested" + suffix, version, CraftedClasses::nestedSubroutines);
            }
            c.oldClass("WideReturn", V1_4, m -> finallyBlock(m, 300));
            c.oldClass("LastNarrowReturn", V1_4, m -> finallyBlock(m, 255));
            c.oldClass("LeavesSubroutine", V1_4, CraftedClasses::leavesSubroutine);
            c.oldClass("LocalOfTwoTypes", V1_4, CraftedClasses::localOfTwoTypes);
            c.oldClass("FullStackAtCall", V1_4, CraftedClasses::fullStackAtCall);
            c.oldClass("FarSubroutine", V1_4, CraftedClasses::farSubroutine);
            c.oldClass("DeadCode", V1_4, CraftedClasses::deadCode);
            c.constructors("ConstructorsVersion48", V1_4, ClassWriter.COMPUTE_MAXS);
            c.constructors("ConstructorsVersion50", V1_6, ClassWriter.COMPUTE_FRAMES);
            c.constructors("Constructors", V17, ClassWriter.COMPUTE_FRAMES);
            c.newClass("FramesVersion50", V1_6, CraftedClasses::branchToStart);
            c.newClass("FarLoop", V17, m -> loopOver(m, 32_740));
            c.newClass("NearCompileLimit", V17, m -> loopOver(m, 7_960));
            c.newClass("NearCodeLimit", V17, m -> straight(m, 65_500));
            c.newClass("BranchToStart", V17, CraftedClasses::branchToStart);
            c.newClass("BigSwitches", V17, CraftedClasses::bigSwitches);
            c.noRoom("NoRoomForLocals", 1, 65_535);
            c.noRoom("NoRoomOnStack", 65_535, 1);
        }
    }

    private void oldClass(String name, int version, Consumer<MethodVisitor> run) throws IOException {
        write(name, version, ClassWriter.COMPUTE_MAXS, run, null);
    }

    private void newClass(String name, int version, Consumer<MethodVisitor> run) throws IOException {
        write(name, version, ClassWriter.COMPUTE_FRAMES, run, null);
    }

    /** run is plain; beside it, a method that is never called has as many locals or as much stack as there can be. */
    private void noRoom(String name, int maxStack, int maxLocals) throws IOException {
        write(name, V17, 0, m -> {
            m.visitVarInsn(ILOAD, N);
            m.visitInsn(IRETURN);
            m.visitMaxs(1, 1);
        }, m -> {
            m.visitInsn(ICONST_0);
            m.visitInsn(IRETURN);
            m.visitMaxs(maxStack, maxLocals);
        });
    }

    /** run makes objects; the constructor throws now and then, before super() and behind it, and has two names for this. */
    private void constructors(String name, int version, int flags) throws IOException {
        ClassWriter w = open(name, version, flags);
        method(w, "run", m -> makeObjects(m, "crafted/" + name), true);
        MethodVisitor m = w.visitMethod(ACC_PUBLIC, "<init>", "(I)V", null, null);
        m.visitCode();
        m.visitVarInsn(ALOAD, 0);
        m.visitVarInsn(ASTORE, 2);
        throwEvery(m, 1, ICONST_3);
        m.visitVarInsn(ALOAD, 2);
        m.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        throwEvery(m, 1, ICONST_5);
        m.visitInsn(RETURN);
        m.visitMaxs(0, 0);
        m.visitEnd();
        close(w, name);
    }

    private static ClassWriter open(String name, int version, int flags) {
        ClassWriter w = new ClassWriter(flags);
        w.visit(version, ACC_PUBLIC | ACC_SUPER, "crafted/" + name, null, "java/lang/Object", null);
        return w;
    }

    private void write(String name, int version, int flags, Consumer<MethodVisitor> run, Consumer<MethodVisitor> beside)
            throws IOException {
        ClassWriter w = open(name, version, flags);
        method(w, "run", run, flags != 0);
        if (beside != null) method(w, "beside", beside, flags != 0);
        MethodVisitor m = w.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
        m.visitCode();
        m.visitVarInsn(ALOAD, 0);
        m.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        m.visitInsn(RETURN);
        m.visitMaxs(1, 1);
        m.visitEnd();
        close(w, name);
    }

    private void close(ClassWriter w, String name) throws IOException {
        w.visitEnd();
        jar.putNextEntry(new ZipEntry("crafted/" + name + ".class"));
        jar.write(w.toByteArray());
        jar.closeEntry();
    }

    private static void method(ClassWriter w, String name, Consumer<MethodVisitor> body, boolean computeMaxs) {
        MethodVisitor m = w.visitMethod(ACC_PUBLIC | ACC_STATIC, name, "(I)I", null, null);
        m.visitCode();
        body.accept(m);
        if (computeMaxs) m.visitMaxs(0, 0);
        m.visitEnd();
    }

    /** In the loop: try { if (i % 3 == 0) throw; r += i } catch { r += 100 } finally { r = r * 3 + 1 }, by subroutine. */
    private static void finallyBlock(MethodVisitor m, int addressLocal) {
        Label from = new Label();
        Label to = new Label();
        Label caught = new Label();
        Label any = new Label();
        Label subroutine = new Label();
        Label after = new Label();
        m.visitTryCatchBlock(from, to, caught, FAILURE);
        m.visitTryCatchBlock(from, any, any, null);
        loop(m, () -> {
            m.visitLabel(from);
            throwEveryThird(m);
            addToResult(m, I);
            m.visitLabel(to);
            m.visitJumpInsn(JSR, subroutine);
            m.visitJumpInsn(GOTO, after);
            m.visitLabel(caught);
            m.visitInsn(POP);
            m.visitIincInsn(R, 100);
            m.visitJumpInsn(JSR, subroutine);
            m.visitJumpInsn(GOTO, after);
            m.visitLabel(any);
            m.visitVarInsn(ASTORE, 4);
            m.visitJumpInsn(JSR, subroutine);
            m.visitVarInsn(ALOAD, 4);
            m.visitInsn(ATHROW);
            m.visitLabel(subroutine);
            m.visitVarInsn(ASTORE, addressLocal);
            scaleResult(m);
            m.visitVarInsn(RET, addressLocal);
            m.visitLabel(after);
        });
    }

    private static void nestedSubroutines(MethodVisitor m) {
        Label outer = new Label();
        Label inner = new Label();
        Label after = new Label();
        Label skip = new Label();
        loop(m, () -> {
            m.visitJumpInsn(JSR, outer);
            m.visitJumpInsn(JSR, outer);
            m.visitJumpInsn(GOTO, after);
            m.visitLabel(outer);
            m.visitVarInsn(ASTORE, 5);
            addToResult(m, I);
            m.visitVarInsn(ILOAD, R);
            m.visitJumpInsn(IFLT, skip);
            m.visitJumpInsn(JSR, inner);
            m.visitLabel(skip);
            m.visitIincInsn(R, 7);
            m.visitVarInsn(RET, 5);
            m.visitLabel(inner);
            m.visitVarInsn(ASTORE, 6);
            scaleResult(m);
            m.visitVarInsn(RET, 6);
            m.visitLabel(after);
        });
    }

    /** A subroutine that returns, jumps out or is called only to be left, its address popped. */
    private static void leavesSubroutine(MethodVisitor m) {
        Label subroutine = new Label();
        Label popped = new Label();
        Label out = new Label();
        Label after = new Label();
        loop(m, () -> {
            m.visitJumpInsn(JSR, subroutine);
            m.visitIincInsn(R, 3);
            m.visitJumpInsn(JSR, popped);
            m.visitLabel(subroutine);
            m.visitVarInsn(ASTORE, 5);
            m.visitVarInsn(ILOAD, I);
            m.visitInsn(ICONST_5);
            m.visitJumpInsn(IF_ICMPEQ, out);
            scaleResult(m);
            m.visitVarInsn(RET, 5);
            m.visitLabel(popped);
            m.visitInsn(POP);
            m.visitIincInsn(R, 11);
            m.visitJumpInsn(GOTO, after);
            m.visitLabel(out);
            m.visitIincInsn(R, 13);
            m.visitLabel(after);
        });
    }

    /** What a subroutine does not touch keeps its type at each call: local 3 is an int at one, a String at the other. */
    private static void localOfTwoTypes(MethodVisitor m) {
        Label subroutine = new Label();
        Label after = new Label();
        loop(m, () -> {
            m.visitInsn(ICONST_4);
            m.visitVarInsn(ISTORE, 3);
            m.visitJumpInsn(JSR, subroutine);
            addToResult(m, 3);
            m.visitLdcInsn("text");
            m.visitVarInsn(ASTORE, 3);
            m.visitJumpInsn(JSR, subroutine);
            m.visitVarInsn(ALOAD, 3);
            m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "length", "()I", false);
            m.visitVarInsn(ISTORE, 3);
            addToResult(m, 3);
            m.visitJumpInsn(GOTO, after);
            m.visitLabel(subroutine);
            m.visitVarInsn(ASTORE, 5);
            scaleResult(m);
            m.visitVarInsn(RET, 5);
            m.visitLabel(after);
        });
    }

    private static void fullStackAtCall(MethodVisitor m) {
        Label subroutine = new Label();
        Label after = new Label();
        loop(m, () -> {
            m.visitVarInsn(ILOAD, I);
            m.visitInsn(I2L);
            m.visitLdcInsn("text");
            m.visitJumpInsn(JSR, subroutine);
            m.visitInsn(POP);
            m.visitInsn(L2I);
            m.visitVarInsn(ISTORE, 3);
            addToResult(m, 3);
            m.visitJumpInsn(GOTO, after);
            m.visitLabel(subroutine);
            m.visitVarInsn(ASTORE, 5);
            scaleResult(m);
            m.visitVarInsn(RET, 5);
            m.visitLabel(after);
        });
    }

    /** Needs jsr_w and goto_w. */
    private static void farSubroutine(MethodVisitor m) {
        Label subroutine = new Label();
        Label after = new Label();
        loop(m, () -> {
            m.visitJumpInsn(JSR, subroutine);
            fill(m, 33_000);
            m.visitJumpInsn(JSR, subroutine);
            m.visitJumpInsn(GOTO, after);
            m.visitLabel(subroutine);
            m.visitVarInsn(ASTORE, 5);
            scaleResult(m);
            m.visitVarInsn(RET, 5);
            m.visitLabel(after);
        });
    }

    /** Without stack maps nothing is known of code that cannot be reached, and it need not make sense. */
    private static void deadCode(MethodVisitor m) {
        Label after = new Label();
        Label dead = new Label();
        loop(m, () -> {
            addToResult(m, I);
            m.visitJumpInsn(GOTO, after);
            m.visitLabel(dead);
            m.visitInsn(IADD);
            m.visitJumpInsn(IFNULL, dead);
            m.visitInsn(ATHROW);
            m.visitLabel(after);
        });
    }

    private static void loopOver(MethodVisitor m, int bytes) {
        loop(m, () -> {
            addToResult(m, I);
            scaleResult(m);
            fill(m, bytes);
        });
    }

    private static void straight(MethodVisitor m, int bytes) {
        fill(m, bytes);
        m.visitVarInsn(ILOAD, N);
        m.visitInsn(IRETURN);
    }

    /** do n += 3 while (n < 50): an entry probe must not run at each turn. */
    private static void branchToStart(MethodVisitor m) {
        Label start = new Label();
        m.visitLabel(start);
        m.visitIincInsn(N, 3);
        m.visitVarInsn(ILOAD, N);
        m.visitIntInsn(BIPUSH, 50);
        m.visitJumpInsn(IF_ICMPLT, start);
        m.visitVarInsn(ILOAD, N);
        m.visitInsn(IRETURN);
    }

    private static void bigSwitches(MethodVisitor m) {
        Label[] cases = new Label[500];
        int[] keys = new int[cases.length];
        for (int i = 0; i < cases.length; i++) {
            cases[i] = new Label();
            keys[i] = i * i;
        }
        Label other = new Label();
        Label next = new Label();
        loop(m, () -> {
            m.visitVarInsn(ILOAD, I);
            m.visitLookupSwitchInsn(other, keys, cases);
            for (int i = 0; i < cases.length; i++) {
                m.visitLabel(cases[i]);
                m.visitIincInsn(R, i);
                if (i % 2 == 0) m.visitJumpInsn(GOTO, next);
            }
            m.visitLabel(other);
            m.visitVarInsn(ILOAD, R);
            m.visitTableSwitchInsn(-2, cases.length - 3, next, cases);
            m.visitLabel(next);
            scaleResult(m);
        });
    }

    /** int r = 1; for (int i = 0; i < n; i++) body; return r. */
    private static void loop(MethodVisitor m, Runnable body) {
        Label head = new Label();
        Label end = new Label();
        m.visitInsn(ICONST_1);
        m.visitVarInsn(ISTORE, R);
        m.visitInsn(ICONST_0);
        m.visitVarInsn(ISTORE, I);
        m.visitLabel(head);
        m.visitVarInsn(ILOAD, I);
        m.visitVarInsn(ILOAD, N);
        m.visitJumpInsn(IF_ICMPGE, end);
        body.run();
        m.visitIincInsn(I, 1);
        m.visitJumpInsn(GOTO, head);
        m.visitLabel(end);
        m.visitVarInsn(ILOAD, R);
        m.visitInsn(IRETURN);
    }

    /** In the loop: try { new C(i); r += i } catch { r = r * 3 + 1 }. */
    private static void makeObjects(MethodVisitor m, String cls) {
        Label from = new Label();
        Label to = new Label();
        Label caught = new Label();
        Label after = new Label();
        m.visitTryCatchBlock(from, to, caught, FAILURE);
        loop(m, () -> {
            m.visitLabel(from);
            m.visitTypeInsn(NEW, cls);
            m.visitVarInsn(ILOAD, I);
            m.visitMethodInsn(INVOKESPECIAL, cls, "<init>", "(I)V", false);
            m.visitLabel(to);
            addToResult(m, I);
            m.visitJumpInsn(GOTO, after);
            m.visitLabel(caught);
            m.visitInsn(POP);
            scaleResult(m);
            m.visitLabel(after);
        });
    }

    private static void throwEveryThird(MethodVisitor m) {
        throwEvery(m, I, ICONST_3);
    }

    private static void throwEvery(MethodVisitor m, int local, int divisor) {
        Label fine = new Label();
        m.visitVarInsn(ILOAD, local);
        m.visitInsn(divisor);
        m.visitInsn(IREM);
        m.visitJumpInsn(IFNE, fine);
        m.visitTypeInsn(NEW, FAILURE);
        m.visitInsn(DUP);
        m.visitMethodInsn(INVOKESPECIAL, FAILURE, "<init>", "()V", false);
        m.visitInsn(ATHROW);
        m.visitLabel(fine);
    }

    private static void addToResult(MethodVisitor m, int local) {
        m.visitVarInsn(ILOAD, R);
        m.visitVarInsn(ILOAD, local);
        m.visitInsn(IADD);
        m.visitVarInsn(ISTORE, R);
    }

    private static void scaleResult(MethodVisitor m) {
        m.visitVarInsn(ILOAD, R);
        m.visitInsn(ICONST_3);
        m.visitInsn(IMUL);
        m.visitInsn(ICONST_1);
        m.visitInsn(IADD);
        m.visitVarInsn(ISTORE, R);
    }

    private static void fill(MethodVisitor m, int bytes) {
        for (int i = 0; i < bytes; i++) m.visitInsn(NOP);
    }
}
