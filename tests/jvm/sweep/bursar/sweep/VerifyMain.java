package bursar.sweep;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Loads and links every class of the agent's pack, without initialising any: VerifyMain CLASS-PATHS RESULT [--progress].
 *
 * CLASS-PATHS has a line "name: jar jar..." for each class path; a jar on several is loaded by the shortest. RESULT gets
 * a line for each class, fields divided by tabs: status, origin, name in the pack, name of the class as the virtual machine
 * logs its verification, detail.
 * <pre>
 *   linked        loaded with the pack's bytes, and linked, which in HotSpot begins with verification
 *   redefined     had been loaded before, and was given the pack's bytes afterwards, which verifies them
 *   stand-ins     linked, but classes it mentions are not installed, and empty ones stood in for them
 *   failed        the detail is the exception
 *   unmodifiable  the virtual machine lets no agent change this class
 *   not-used      loaded, but not with the pack's bytes
 *   module-info   not a class
 * </pre>
 */
public final class VerifyMain {
    private final Pack pack = VerifyAgent.pack;
    private final PackLoaders loaders;
    private final AccessorCopies accessorCopies = new AccessorCopies(pack);
    private final PrintWriter result;

    private VerifyMain(PackLoaders loaders, PrintWriter result) {
        this.loaders = loaders;
        this.result = result;
    }

    public static void main(String[] args) throws IOException {
        boolean progress = args.length > 2 && args[2].equals("--progress");
        // Line by line, so that the last line stands just before the class that took the virtual machine down.
        try (PrintWriter result = new PrintWriter(Files.newBufferedWriter(Path.of(args[1])), true)) {
            new VerifyMain(new PackLoaders(VerifyAgent.pack, Path.of(args[0])), result).run(progress);
        }
        System.exit(0);
    }

    private void run(boolean progress) {
        List<Pack.Entry> late = new ArrayList<>();
        int done = 0;
        for (Pack.Entry e : pack.entries) {
            if (progress && ++done % 500 == 0) System.err.print("\r  " + done + " of " + pack.entries.size() + " classes ");
            try {
                if (e.isModuleInfo()) report("module-info", e, "");
                else if (e.isFromJar()) verifyFromJar(e);
                else if (!verifyFromModule(e)) late.add(e);
            } catch (Throwable t) {
                report("failed", e, t.toString());
            }
        }
        if (progress) System.err.print("\r                                        \r");
        // Classes loaded while the agent was at work on another class did not pass through it.
        VerifyAgent.agent.redefineLoaded();
        for (Pack.Entry e : late) {
            if (e.refusal != null) report("failed", e, e.refusal.toString());
            else if (e.handedOut) report("redefined", e, "");
            else report(e.unmodifiable ? "unmodifiable" : "not-used", e, "");
        }
    }

    private void verifyFromJar(Pack.Entry e) throws ClassNotFoundException {
        String name = loaders.className(e).replace('/', '.');
        try {
            link(Class.forName(name, false, loaders.of(e, false)));
            report(e.handedOut ? "linked" : "not-used", e, "");
        } catch (NoClassDefFoundError missing) {
            try {
                link(Class.forName(name, false, loaders.of(e, true)));
                report(e.handedOut ? "stand-ins" : "not-used", e, missing.toString());
            } catch (LinkageError guessedWrong) {
                report("failed", e, missing + "; with stand-ins " + guessedWrong);
            }
        }
    }

    /** False if the virtual machine has not taken the pack's bytes yet. */
    private boolean verifyFromModule(Pack.Entry e) throws ClassNotFoundException {
        Optional<Module> module = ModuleLayer.boot().findModule(e.origin.substring("jrt:".length()));
        if (module.isEmpty()) throw new ClassNotFoundException("its module is not in the boot layer");
        Class<?> c = Class.forName(module.get(), loaders.className(e).replace('/', '.'));
        if (c == null) throw new ClassNotFoundException(e.name);
        link(c);
        if (!e.handedOut || e.refusal != null) return false;
        if (AccessorCopies.isNeededFor(c)) {
            Class<?> copy = accessorCopies.copyOf(c);
            link(copy);
            report("linked", e, copy.getName(), "");
        } else {
            report(e.redefined ? "redefined" : "linked", e, "");
        }
        return true;
    }

    /**
     * In HotSpot, asking for the declared members links a class, and only then makes the members, which may fail for want
     * of the classes they mention. So any answer shows that it is linked. There are no constructors to ask an interface for.
     */
    private static void link(Class<?> c) {
        NoClassDefFoundError first = null;
        for (int question = c.isInterface() ? 1 : 0; question < 3; question++) {
            try {
                switch (question) {
                    case 0: c.getDeclaredConstructors(); break;
                    case 1: c.getDeclaredFields(); break;
                    default: c.getDeclaredMethods(); break;
                }
                return;
            } catch (NoClassDefFoundError e) {
                if (first == null) first = e;
            }
        }
        throw first;
    }

    private void report(String status, Pack.Entry e, String detail) {
        report(status, e, loaders.className(e).replace('/', '.'), detail);
    }

    private void report(String status, Pack.Entry e, String className, String detail) {
        // What follows in the message of a VerifyError are frames and bytecode, which javap shows better.
        int frames = detail.indexOf("Current Frame:");
        String oneLine = (frames < 0 ? detail : detail.substring(0, frames)).strip().replaceAll("\\s+", " ");
        result.println(status + "\t" + e.origin + "\t" + e.name + "\t" + className + "\t" + oneLine);
    }
}
