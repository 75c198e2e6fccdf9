package bursar.sweep;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which loader verifies which class of a jar. Classes share loaders, because a class is verified together with those it
 * mentions, but two classes of one name cannot, nor can a class and its replacement for a newer release.
 */
final class PackLoaders {
    private record ClassPath(List<String> origins, URL[] jars) { }

    private final Pack pack;
    private final List<ClassPath> classPaths = new ArrayList<>();
    private final Map<Pack.Entry, String> classNames = new HashMap<>();
    private final Map<String, PackLoader> loaders = new HashMap<>();
    private final StandIns standIns;

    /** classPaths: a file with a line "name: jar jar..." for each class path. */
    PackLoaders(Pack pack, Path classPaths) throws IOException {
        this.pack = pack;
        for (String line : Files.readAllLines(classPaths)) this.classPaths.add(parse(line));
        Set<String> superclasses = new HashSet<>();
        for (Pack.Entry e : pack.entries) {
            if (!e.isFromJar()) {
                classNames.put(e, e.name);
                continue;
            }
            try {
                // Some jars keep classes below a folder that is not part of their name: the entry's name does not tell.
                ClassScan scan = new ClassScan(pack.classFile(e));
                classNames.put(e, scan.name);
                superclasses.add(scan.superName);
            } catch (RuntimeException malformed) {
                classNames.put(e, e.baseName());
            }
        }
        standIns = new StandIns(superclasses);
    }

    String className(Pack.Entry e) {
        return classNames.get(e);
    }

    /** The loader of the shortest class path with the jar; a class hidden there by one of its name gets its own. */
    PackLoader of(Pack.Entry e, boolean withStandIns) {
        ClassPath home = null;
        for (ClassPath p : classPaths) {
            if (p.origins.contains(e.origin) && (home == null || p.origins.size() < home.origins.size())) home = p;
        }
        if (home == null) throw new IllegalArgumentException("no class path has " + e.origin);
        PackLoader whole = shared(home, "", e.release(), withStandIns);
        if (whole.entry(className(e)) == e) return whole;
        PackLoader jarFirst = shared(home, e.origin, e.release(), withStandIns);
        if (jarFirst.entry(className(e)) == e) return jarFirst;
        return new PackLoader(pack, Map.of(className(e), e), new URL[0], jarFirst, null);
    }

    /** One loader for each class path, each jar put first on it, and each release of multi-release jars. */
    private PackLoader shared(ClassPath path, String firstOrigin, int release, boolean withStandIns) {
        String key = classPaths.indexOf(path) + " " + firstOrigin + " " + release + " " + withStandIns;
        PackLoader loader = loaders.get(key);
        if (loader != null) return loader;
        Map<String, Pack.Entry> byName = new HashMap<>();
        for (Pack.Entry e : pack.entries) {
            int rank = rank(path, firstOrigin, e);
            if (rank < 0 || e.release() > release || e.isModuleInfo()) continue;
            Pack.Entry known = byName.get(className(e));
            int knownRank = known == null ? Integer.MAX_VALUE : rank(path, firstOrigin, known);
            if (rank < knownRank || rank == knownRank && e.release() > known.release()) byName.put(className(e), e);
        }
        ClassLoader parent = ClassLoader.getPlatformClassLoader();
        loader = new PackLoader(pack, byName, path.jars, parent, withStandIns ? standIns : null);
        loaders.put(key, loader);
        return loader;
    }

    private static int rank(ClassPath path, String firstOrigin, Pack.Entry e) {
        int index = path.origins.indexOf(e.origin);
        return index < 0 ? -1 : e.origin.equals(firstOrigin) ? 0 : 1 + index;
    }

    private static ClassPath parse(String line) throws IOException {
        List<String> origins = new ArrayList<>();
        List<URL> urls = new ArrayList<>();
        for (String jar : line.substring(line.indexOf(':') + 1).trim().split(" +")) {
            if (jar.isEmpty()) continue;
            origins.add("jar:" + Path.of(jar).getFileName().toString().replaceFirst("\\.jar$", ""));
            urls.add(Path.of(jar).toUri().toURL());
        }
        return new ClassPath(origins, urls.toArray(new URL[0]));
    }
}
