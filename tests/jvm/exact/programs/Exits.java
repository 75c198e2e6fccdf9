/** System.exit in the middle, with a shutdown hook. */
public class Exits {
    // exit 7
    // skip java.lang.Thread.join # whether the hook has ended by then is a matter of time
    // expect 1 Exits.main;Exits.leave;Exits.work
    // expect 9 Exits.main;Exits.work
    // expect 1 Exits.main;Exits.leave;java.lang.System.exit
    // expect 4 Exits$Hook.run;Exits.work
    // expect 0 Exits.never
    static void work() { }
    static void never() { }

    static class Hook extends Thread {
        Hook() { super("hook"); }
        @Override public void run() { for (int i = 0; i < 4; i++) work(); }
    }

    static void leave() {
        work();
        try {
            System.exit(7);
        } finally {
            never();
        }
    }

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Hook());
        for (int i = 0; i < 9; i++) work();
        leave();
        never();
    }
}
