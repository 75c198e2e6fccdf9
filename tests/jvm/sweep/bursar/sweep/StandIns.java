package bursar.sweep;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;

/**
 * Empty classes in the place of classes that are not installed, so that those which mention them can be verified.
 *
 * The verifier asks of a type it does not know little more than where it stands in the hierarchy: it must be a class
 * where one extends it, throwable where it is thrown or caught, and as an interface it may be assigned anything.
 */
final class StandIns {
    private static final int JAVA_6 = 50;
    private static final int PUBLIC = 0x0001;
    private static final int SUPER = 0x0020;
    private static final int INTERFACE_ABSTRACT = 0x0600;

    private final Set<String> superclasses;

    /** superclasses: the names that any class of the pack extends. */
    StandIns(Set<String> superclasses) {
        this.superclasses = superclasses;
    }

    byte[] classFile(String name) {
        String superName = superName(name);
        boolean isClass = superclasses.contains(name) || !superName.equals("java/lang/Object");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(0xcafebabe);
            out.writeInt(JAVA_6);
            out.writeShort(5);
            writeClassConstant(out, 2, name);
            writeClassConstant(out, 4, superName);
            out.writeShort(PUBLIC | (isClass ? SUPER : INTERFACE_ABSTRACT));
            out.writeShort(1);
            out.writeShort(3);
            out.writeLong(0); // no interfaces, fields, methods, attributes
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** A guess by name, which the classes of Java's libraries keep to well enough. */
    private static String superName(String name) {
        if (name.endsWith("Exception") || name.endsWith("Error")) return "java/lang/RuntimeException";
        if (name.endsWith("InputStream")) return "java/io/InputStream";
        if (name.endsWith("OutputStream")) return "java/io/OutputStream";
        return "java/lang/Object";
    }

    /** A CONSTANT_Class, and after it, at this index, the CONSTANT_Utf8 of its name. */
    private static void writeClassConstant(DataOutputStream out, int utf8Index, String name) throws IOException {
        out.writeByte(7);
        out.writeShort(utf8Index);
        out.writeByte(1);
        out.writeUTF(name);
    }
}
