import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** A Java agent that puts a line of output into Patched.greet: when it is loaded, and again whenever asked to. */
public class Patching {
  private static volatile String occasion = "load";
  private static Instrumentation instrumentation;

  public static void premain(String options, Instrumentation given) {
    instrumentation = given;
    given.addTransformer(new Greeter("first"), false);
    given.addTransformer(new Greeter("retransforming"), true);
  }

  public static void again(String text, Class<?>... classes) throws Exception {
    occasion = text;
    instrumentation.retransformClasses(classes);
  }

  public static void redefine(Class<?> type, byte[] bytes) throws Exception {
    instrumentation.redefineClasses(new ClassDefinition(type, bytes));
  }

  /** How many classes could not be transformed once more. */
  public static int everything() {
    int refused = 0;
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (type.isArray() || type.isPrimitive() || !instrumentation.isModifiableClass(type)) continue;
      try {
        instrumentation.retransformClasses(type);
      } catch (Throwable thrown) {
        System.out.println(type + " " + thrown);
        refused++;
      }
    }
    return refused;
  }

  private record Greeter(String name) implements ClassFileTransformer {
    @Override
    public byte[] transform(ClassLoader loader, String type, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
      if (!"Patched".equals(type)) return null;
      String text = name + " " + occasion + " " + (redefined != null);
      ClassReader reader = new ClassReader(bytes);
      ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
      reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
        @Override
        public MethodVisitor visitMethod(int access, String method, String descriptor, String signature, String[] thrown) {
          MethodVisitor next = super.visitMethod(access, method, descriptor, signature, thrown);
          return method.equals("greet") ? new Printing(next, text) : next;
        }
      }, 0);
      return writer.toByteArray();
    }
  }

  private static class Printing extends MethodVisitor {
    private final String text;

    Printing(MethodVisitor next, String text) {
      super(Opcodes.ASM9, next);
      this.text = text;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      visitFieldInsn(Opcodes.GETSTATIC, "java/lang/System", "out", "Ljava/io/PrintStream;");
      visitLdcInsn(text);
      visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/io/PrintStream", "println", "(Ljava/lang/String;)V", false);
    }
  }
}
