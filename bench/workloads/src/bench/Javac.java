package bench;

import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.*;

/** javac, in memory: recompiles java.util.regex, java.util.zip and java.util.jar of java.base. */
public final class Javac extends Workload {
    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final List<JavaFileObject> units = new ArrayList<>();
    private String patch;

    @Override public void setup() throws Exception {
        patch = "java.base=" + Inputs.tempDir(); // empty: only says that java.base may be patched
        String[] folders = {"java.base/java/util/regex", "java.base/java/util/zip", "java.base/java/util/jar"};
        for (Map.Entry<String, String> e : Inputs.jdkSources(folders).entrySet()) units.add(new Source(e.getKey(), e.getValue()));
    }

    @Override public long iterate() throws Exception {
        StringWriter messages = new StringWriter();
        try (Sink sink = new Sink(compiler.getStandardFileManager(null, null, null))) {
            List<String> options = new ArrayList<>(List.of("-proc:none", "-nowarn", "-XDignore.symbol.file", "-Xlint:none",
                    "--patch-module", patch));
            // The sources are JDK 17's and use its internal packages, which other JDKs have changed.
            if (Runtime.version().feature() != 17)
                options.addAll(List.of("--system", Inputs.jdk17().toString(), "-source", "17", "-target", "17"));
            if (!compiler.getTask(messages, sink, null, options, null, units).call())
                throw new IllegalStateException(messages.toString());
            return sink.sum.value();
        }
    }

    /** A source file held in memory. */
    private static final class Source extends SimpleJavaFileObject {
        private final String text;
        Source(String path, String text) { super(URI.create("mem:///" + path), Kind.SOURCE); this.text = text; }
        @Override public CharSequence getCharContent(boolean ignore) { return text; }
    }

    /** Turns class files into a checksum and puts the in-memory sources into java.base. */
    private static final class Sink extends ForwardingJavaFileManager<StandardJavaFileManager> {
        final Checksum sum = new Checksum();
        Sink(StandardJavaFileManager m) { super(m); }

        @Override public JavaFileObject getJavaFileForOutput(Location l, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("mem:///" + name.replace('.', '/') + kind.extension), kind) {
                @Override public OutputStream openOutputStream() { return sum; }
            };
        }

        @Override public Location getLocationForModule(Location l, JavaFileObject fo) throws java.io.IOException {
            if (fo instanceof Source) return super.getLocationForModule(StandardLocation.PATCH_MODULE_PATH, "java.base");
            return super.getLocationForModule(l, fo);
        }
    }
}
