/** Runtime.halt: no hooks run. */
public class Halts {
    // exit 3
    // expect 5 Halts.main;Halts.work
    // expect 0 Halts.never
    static void work() { }
    static void never() { }

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(Halts::never, "hook"));
        for (int i = 0; i < 5; i++) work();
        Runtime.getRuntime().halt(3);
    }
}
