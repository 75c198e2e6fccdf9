/** A program with signal handlers of its own. The first argument says which, the second is its library. */
public class OwnSignals {
    static native void startProf();
    static native int profs();
    static native void takeAll(int free);
    static native int others();
    static native int forkAndExit();

    static volatile long sink;

    static void work(long ms) {
        long end = System.nanoTime() + ms * 1_000_000;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 10_000; ++i) sink = sink * 31 + i;
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.load(arguments[1]);
        switch (arguments[0]) {
            case "prof" -> {
                startProf();
                work(1500);
                System.out.println("SIGPROF came: " + (profs() > 20));
            }
            case "take" -> {
                work(500);
                takeAll(3);
                work(1000);
                // One may have been on its way.
                System.out.println("came to us: " + (others() > 1 ? others() : "none"));
            }
            case "take-all" -> {
                takeAll(0);
                work(1000);
                System.out.println("came to us: " + (others() > 1 ? others() : "none"));
            }
            case "fork" -> {
                for (int i = 0; i < 20; ++i) {
                    forkAndExit();
                    work(50);
                }
                System.out.println("forked");
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }
}
