package bursar.probe;

/**
 * What the probes of a sweep call: counts, and nothing else.
 *
 * Invariant: no method calls another, allocates or throws, since the probes sit in every method of the class library,
 * and whatever a probe called would run probes itself. Counts of several threads may be lost: they are a sanity check.
 * The class lives on the boot loader's append path, because only that is visible from every loader.
 */
public final class Probe {
    public static long entries;
    public static long exits;
    public static long handlers;
    public static long calls;
    public static long edges;
    public static long loops;
    public static long unwinds;

    private Probe() { }

    public static void entry(int id) {
        entries++;
    }

    public static void exit(int id) {
        exits++;
    }

    public static void handler(int id) {
        handlers++;
    }

    public static void call(int id) {
        calls++;
    }

    public static void edge(int id) {
        edges++;
    }

    public static void loop(int id) {
        loops++;
    }

    public static void unwind(Throwable exception, int path, long callsMade) {
        unwinds++;
    }
}
