package cccp.rewrite;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Rewriter VARIANT FOLDER JAR...: writes the jars to FOLDER with the caller's node passed as an argument, and
 * methods.txt, the methods by number, and packages.txt.
 * Rewriter --thread FOLDER: java.lang.Thread with the field for the handover.
 */
public final class Rewriter {
    private final ClassSet classes = new ClassSet();
    private final List<String> methods = new ArrayList<>();
    private final Growth growth = new Growth();
    private final Options options;

    private Rewriter(Options options) { this.options = options; }

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[1]);
        if (args[0].equals("--thread")) {
            writeThread(folder);
            return;
        }
        Rewriter rewriter = new Rewriter(Options.parse(args[0]));
        for (int i = 2; i < args.length; i++) rewriter.classes.add(Path.of(args[i]));
        for (Map.Entry<Path, Map<String, byte[]>> jar : rewriter.classes.jars().entrySet())
            rewriter.write(folder.resolve(jar.getKey().getFileName()), jar.getValue());
        Files.write(folder.resolve("methods.txt"), rewriter.methods);
        Files.write(folder.resolve("packages.txt"), rewriter.classes.packages());
        System.out.println(rewriter.growth);
    }

    private void write(Path jar, Map<String, byte[]> entries) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar); ZipOutputStream zip = new ZipOutputStream(file)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                String name = entry.getKey().replaceFirst("\\.class$", "");
                boolean rewritten = entry.getKey().endsWith(".class") && classes.contains(name);
                zip.write(rewritten ? rewrite(entry.getValue()) : entry.getValue());
            }
        }
    }

    private byte[] rewrite(byte[] original) {
        ClassNode node = new ClassNode();
        new ClassReader(original).accept(node, ClassReader.EXPAND_FRAMES);
        List<MethodNode> rewritten = new ArrayList<>();
        for (MethodNode method : node.methods) {
            methods.add(node.name.replace('/', '.') + "." + method.name);
            rewritten.addAll(new MethodPair(classes, options, node, method).rewrite(methods.size() - 1));
        }
        node.methods = rewritten;
        // The extended form of an abstract method has a body, which interfaces may have since version 52.
        boolean newer = (node.access & Opcodes.ACC_INTERFACE) != 0 && (node.version & 0xffff) < Opcodes.V1_8;
        if (newer) node.version = Opcodes.V1_8;
        ClassWriter writer = new ClassWriter(newer ? ClassWriter.COMPUTE_FRAMES : ClassWriter.COMPUTE_MAXS) {
            @Override protected String getCommonSuperClass(String a, String b) { return "java/lang/Object"; }
        };
        node.accept(writer);
        byte[] bytes = writer.toByteArray();
        growth.add(original, bytes);
        return bytes;
    }

    private static void writeThread(Path folder) throws IOException {
        ClassWriter writer = new ClassWriter(0);
        try (InputStream in = Thread.class.getResourceAsStream("Thread.class")) {
            new ClassReader(in).accept(new ClassVisitor(Opcodes.ASM9, writer) {
                @Override public void visitEnd() {
                    super.visitField(Opcodes.ACC_PUBLIC, "cccpNode", "Ljava/lang/Object;", null, null);
                    super.visitEnd();
                }
            }, 0);
        }
        Path file = folder.resolve("java/lang/Thread.class");
        Files.createDirectories(file.getParent());
        Files.write(file, writer.toByteArray());
    }
}
