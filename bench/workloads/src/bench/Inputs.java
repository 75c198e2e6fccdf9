package bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Input files that Debian packages install, read in a fixed order. */
public final class Inputs {
    private Inputs() { }

    /** The JDK's own source archive (package openjdk-17-source), or -Dbench.srczip=FILE. */
    static Path srcZip() {
        return Path.of(System.getProperty("bench.srczip", "/usr/lib/jvm/openjdk-17/lib/src.zip"));
    }

    /** The JDK that those sources belong to, or -Dbench.jdk17=FOLDER. */
    static Path jdk17() {
        return Path.of(System.getProperty("bench.jdk17", "/usr/lib/jvm/java-17-openjdk-amd64"));
    }

    /** JDK sources directly inside folders such as "java.base/java/util", or single files, by sorted path. */
    public static SortedMap<String, String> jdkSources(String... foldersOrFiles) throws IOException {
        Set<String> wanted = new HashSet<>(Arrays.asList(foldersOrFiles));
        SortedMap<String, String> out = new TreeMap<>();
        try (ZipFile zip = new ZipFile(srcZip().toFile())) {
            for (ZipEntry e : Collections.list(zip.entries())) {
                String name = e.getName();
                int slash = name.lastIndexOf('/');
                if (!name.endsWith(".java") || slash < 0) continue;
                if (!wanted.contains(name.substring(0, slash)) && !wanted.contains(name)) continue;
                if (name.endsWith("/package-info.java") || name.endsWith("/module-info.java")) continue;
                try (InputStream in = zip.getInputStream(e)) {
                    out.put(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
                }
            }
        }
        if (out.isEmpty()) throw new IOException("no sources for " + wanted + " in " + srcZip());
        return out;
    }

    /** The same, written below a fresh temporary folder (deleted at exit); returns that folder. */
    public static Path unpackJdkSources(String... foldersOrFiles) throws IOException {
        Path dir = tempDir();
        for (Map.Entry<String, String> e : jdkSources(foldersOrFiles).entrySet()) {
            Path f = dir.resolve(e.getKey());
            Files.createDirectories(f.getParent());
            Files.writeString(f, e.getValue());
        }
        return dir;
    }

    /** Plain English text: the licences that base-files installs. */
    public static String licences() throws IOException {
        StringBuilder sb = new StringBuilder();
        for (String f : new String[] {"GPL-3", "GPL-2", "LGPL-2.1", "GFDL-1.3", "MPL-2.0", "Apache-2.0"})
            sb.append(Files.readString(Path.of("/usr/share/common-licenses", f))).append('\n');
        return sb.toString();
    }

    /** The licences cut into paragraphs, white space normalised. */
    public static List<String> paragraphs() throws IOException {
        List<String> out = new ArrayList<>();
        for (String p : licences().split("\n\\s*\n")) {
            String t = p.replaceAll("\\s+", " ").replaceAll("[^\\x20-\\x7e]", "").trim();
            if (t.length() > 80) out.add(t);
        }
        return out;
    }

    /** A text resource next to the harness classes. */
    public static String resource(String name) throws IOException {
        try (InputStream in = Inputs.class.getResourceAsStream("res/" + name)) {
            if (in == null) throw new IOException("no resource " + name);
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Escapes text for XML element content. */
    public static String xml(String s) {
        return s.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    /** A temporary folder, removed with its contents when the JVM exits. */
    public static Path tempDir() throws IOException {
        Path dir = Files.createTempDirectory("bench");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> deleteTree(dir)));
        return dir;
    }

    public static void deleteTree(Path dir) {
        try (var walk = Files.walk(dir)) {
            walk.sorted(Comparator.reverseOrder()).forEach(p -> p.toFile().delete());
        } catch (IOException e) {
            // best effort: a leftover temporary file does no harm
        }
    }
}
