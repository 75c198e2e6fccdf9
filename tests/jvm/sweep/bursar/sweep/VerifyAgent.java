package bursar.sweep;

import bursar.probe.Probe;
import java.io.File;
import java.io.PrintWriter;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The agent that makes a virtual machine run the classes of a pack instead of its own: -javaagent:verify.jar=PACK.
 *
 * Classes loaded before it starts are redefined, the others replaced as they load. With -Dbursar.sweep.report=FILE, it
 * writes at exit how often each kind of probe ran. There are no lambdas here: each would define a class while one is
 * being defined, and the virtual machine does not transform those.
 */
public final class VerifyAgent implements ClassFileTransformer {
    static Pack pack;
    static VerifyAgent agent;

    private final Instrumentation instrumentation;
    /** Origin, then class name: the entry that a virtual machine of this release would take from there. */
    private final Map<String, Map<String, Pack.Entry>> byOrigin = new HashMap<>();

    private VerifyAgent(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
        int release = Runtime.version().feature();
        for (Pack.Entry e : pack.entries) {
            if (e.release() > release) continue;
            Map<String, Pack.Entry> names = byOrigin.get(e.origin);
            if (names == null) byOrigin.put(e.origin, names = new HashMap<>());
            Pack.Entry known = names.get(e.baseName());
            if (known == null || known.release() < e.release()) names.put(e.baseName(), e);
        }
    }

    public static void premain(String packFile, Instrumentation instrumentation) throws Exception {
        pack = Pack.read(Path.of(packFile));
        agent = new VerifyAgent(instrumentation);
        // Probes in named modules call a class of the boot loader's unnamed module, which those do not read by themselves.
        Set<Module> probeModule = Set.of(Probe.class.getModule());
        for (Module m : ModuleLayer.boot().modules()) {
            instrumentation.redefineModule(m, probeModule, Map.of(), Map.of(), Set.of(), Map.of());
        }
        instrumentation.addTransformer(agent, true);
        agent.redefineLoaded();
        String report = System.getProperty("bursar.sweep.report");
        if (report != null) Runtime.getRuntime().addShutdownHook(new Reporter(report));
    }

    @Override
    public byte[] transform(Module module, ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain,
                            byte[] original) {
        Pack.Entry e = find(module, loader, name, domain);
        if (e == null) return null;
        e.handedOut = true;
        if (redefined != null) e.redefined = true;
        return pack.classFile(e);
    }

    private Pack.Entry find(Module module, ClassLoader loader, String name, ProtectionDomain domain) {
        if (name == null) return null;
        String origin;
        if (module.isNamed()) {
            origin = "jrt:".concat(module.getName());
        } else if (loader != null && loader == ClassLoader.getSystemClassLoader() && domain != null) {
            origin = jarOrigin(domain.getCodeSource());
        } else {
            return null;
        }
        Map<String, Pack.Entry> names = byOrigin.get(origin);
        return names == null ? null : names.get(name);
    }

    private static String jarOrigin(CodeSource source) {
        if (source == null || source.getLocation() == null) return null;
        String path = source.getLocation().getPath();
        if (!path.endsWith(".jar")) return null;
        return "jar:".concat(path.substring(path.lastIndexOf('/') + 1, path.length() - ".jar".length()));
    }

    /** Gives every loaded class that still has its own bytes those of the pack; refusals are kept in the entries. */
    void redefineLoaded() {
        List<Class<?>> todo = new ArrayList<>();
        for (Class<?> c : instrumentation.getAllLoadedClasses()) {
            Pack.Entry e = entryOf(c);
            if (e == null || e.handedOut) continue;
            e.unmodifiable = !instrumentation.isModifiableClass(c);
            if (!e.unmodifiable) todo.add(c);
        }
        redefine(todo);
    }

    /** All at once is fast. A virtual machine that refuses does not say which class it was: halves, then, down to one. */
    private void redefine(List<Class<?>> classes) {
        if (classes.isEmpty()) return;
        try {
            instrumentation.retransformClasses(classes.toArray(new Class<?>[0]));
        } catch (UnmodifiableClassException | LinkageError | UnsupportedOperationException | InternalError e) {
            if (classes.size() == 1) {
                entryOf(classes.get(0)).refusal = e;
                return;
            }
            int half = classes.size() / 2;
            redefine(classes.subList(0, half));
            redefine(classes.subList(half, classes.size()));
        }
    }

    private Pack.Entry entryOf(Class<?> c) {
        if (c.isArray() || c.isPrimitive() || c.isHidden()) return null;
        return find(c.getModule(), c.getClassLoader(), c.getName().replace('.', '/'), c.getProtectionDomain());
    }

    /** One line of JSON. Classes without probes are those loaded while the agent itself loaded one: a handful is normal. */
    private static final class Reporter extends Thread {
        private final String file;

        Reporter(String file) {
            this.file = file;
        }

        @Override
        public void run() {
            long[] counts = {
                Probe.entries, Probe.exits, Probe.handlers, Probe.calls, Probe.edges, Probe.loops, Probe.unwinds
            };
            String[] names = {"entry", "exit", "handler", "call", "edge", "loop", "unwind"};
            int with = 0;
            int without = 0;
            int refused = 0;
            for (Class<?> c : agent.instrumentation.getAllLoadedClasses()) {
                Pack.Entry e = agent.entryOf(c);
                if (e == null) continue;
                if (e.refusal != null) refused++;
                else if (e.handedOut) with++;
                else without++;
            }
            StringBuilder sb = new StringBuilder("{\"classes_with_probes\": ").append(with);
            sb.append(", \"classes_without_probes\": ").append(without).append(", \"classes_refused\": ").append(refused);
            for (int i = 0; i < counts.length; i++) {
                sb.append(", \"").append(names[i]).append("\": ").append(counts[i]);
            }
            try (PrintWriter out = new PrintWriter(new File(file), "UTF-8")) {
                out.println(sb.append('}'));
            } catch (java.io.IOException e) {
                System.err.println("no report of the probes: " + e);
            }
        }
    }
}
