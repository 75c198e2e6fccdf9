/** A caught StackOverflowError. How deep it got is not comparable; that everything goes on in the right place is. */
public class StackOverflow {
    // jvm -Xss256k -Xint
    // skip StackOverflow.forever # how deep the stack is depends on the size of frames
    // skip StackOverflow$Ping.<init> # likewise
    // skip StackOverflow.cleansUp # likewise
    // skip StackOverflow.locked # likewise
    static int depth;

    static int forever(int n) {
        depth = n;
        return forever(n + 1) + 1;
    }

    static class Ping {
        final Ping next;
        Ping() { next = new Ping(); }
    }

    static int cleansUp(int n) {
        try {
            return cleansUp(n + 1) + 1;
        } finally {
            depth--;
        }
    }

    static synchronized int locked(int n) { return locked(n + 1) + 1; }

    static void after(int round) { counted(round); }
    static void counted(int round) { }

    static void round(int i) {
        try {
            switch (i % 4) {
                case 0: forever(0); break;
                case 1: new Ping(); break;
                case 2: cleansUp(0); break;
                default: locked(0); break;
            }
        } catch (StackOverflowError expected) {
            after(i);
        }
        for (int k = 0; k < 5; k++) counted(k);
    }

    // expect 12 StackOverflow.main;StackOverflow.round;StackOverflow.after;StackOverflow.counted
    // expect 60 StackOverflow.main;StackOverflow.round;StackOverflow.counted
    // expect 12 StackOverflow.main;StackOverflow.after;StackOverflow.counted
    // expect 1 StackOverflow.main
    // expect >=300 StackOverflow.forever;StackOverflow.forever
    public static void main(String[] args) {
        for (int i = 0; i < 12; i++) {
            round(i);
            after(i);
        }
    }
}
