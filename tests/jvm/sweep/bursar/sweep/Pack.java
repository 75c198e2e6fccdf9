package bursar.sweep;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A pack: very many class files in one file, each with where it came from. At most 2 GiB, since it is held in one array.
 *
 * All integers are big-endian:
 * <pre>
 *   4 bytes  magic "BPK1"
 *   records, each
 *     u2     length of the origin; 0xffff ends the pack, and nothing follows it
 *     bytes  origin, UTF-8: "jrt:" and a module (jrt:java.base), or "jar:" and a jar's file name without .jar (jar:xalan2)
 *     u2     length of the name
 *     bytes  name, UTF-8: the path of the entry without .class: java/lang/Object, module-info, META-INF/versions/9/a/B
 *     u4     length of the class file
 *     bytes  the class file
 * </pre>
 */
final class Pack {
    private static final byte[] MAGIC = {'B', 'P', 'K', '1'};
    private static final int END = 0xffff;
    private static final String VERSIONS = "META-INF/versions/";

    final List<Entry> entries = new ArrayList<>();
    private final byte[] bytes;

    /** One class of a pack, and what the virtual machine did with it: written by the agent and by VerifyMain. */
    static final class Entry {
        final String origin;
        final String name;
        final int offset;
        final int length;
        /** The virtual machine has been given these bytes. */
        volatile boolean handedOut;
        /** It was given them for a class that it had already loaded. */
        volatile boolean redefined;
        /** It lets no agent change this class. */
        volatile boolean unmodifiable;
        /** Why it refused them for a loaded class, if it did. */
        volatile Throwable refusal;

        Entry(String origin, String name, int offset, int length) {
            this.origin = origin;
            this.name = name;
            this.offset = offset;
            this.length = length;
        }

        boolean isFromJar() {
            return origin.startsWith("jar:");
        }

        boolean isModuleInfo() {
            return name.endsWith("module-info");
        }

        /** The N of META-INF/versions/N, or 0. */
        int release() {
            if (!name.startsWith(VERSIONS)) return 0;
            int slash = name.indexOf('/', VERSIONS.length());
            return slash < 0 ? 0 : Integer.parseInt(name.substring(VERSIONS.length(), slash));
        }

        /** The name without META-INF/versions/N/. */
        String baseName() {
            return release() == 0 ? name : name.substring(name.indexOf('/', VERSIONS.length()) + 1);
        }
    }

    private Pack(byte[] bytes) {
        this.bytes = bytes;
    }

    static Pack read(Path file) throws IOException {
        Pack pack = new Pack(Files.readAllBytes(file));
        if (!Arrays.equals(Arrays.copyOf(pack.bytes, 4), MAGIC)) throw new IOException(file + " is not a pack");
        int at = 4;
        for (;;) {
            int originLength = pack.u2(at);
            if (originLength == END) return pack;
            String origin = new String(pack.bytes, at + 2, originLength, StandardCharsets.UTF_8);
            at += 2 + originLength;
            int nameLength = pack.u2(at);
            String name = new String(pack.bytes, at + 2, nameLength, StandardCharsets.UTF_8);
            at += 2 + nameLength;
            int length = pack.u2(at) << 16 | pack.u2(at + 2);
            pack.entries.add(new Entry(origin, name, at + 4, length));
            at += 4 + length;
        }
    }

    byte[] classFile(Entry e) {
        return Arrays.copyOfRange(bytes, e.offset, e.offset + e.length);
    }

    private int u2(int at) {
        return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
    }

    static final class Writer implements Closeable {
        private final DataOutputStream out;

        Writer(Path file) throws IOException {
            out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16));
            out.write(MAGIC);
        }

        void add(String origin, String name, byte[] classFile) throws IOException {
            text(origin);
            text(name);
            out.writeInt(classFile.length);
            out.write(classFile);
        }

        private void text(String s) throws IOException {
            byte[] utf8 = s.getBytes(StandardCharsets.UTF_8);
            if (utf8.length >= END) throw new IOException("name too long: " + s);
            out.writeShort(utf8.length);
            out.write(utf8);
        }

        @Override
        public void close() throws IOException {
            out.writeShort(END);
            out.close();
        }
    }
}
