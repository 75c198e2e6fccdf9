/**
 * Methods that are called like words of -XX:CompileCommand: of more than 35 bytes of bytecode and called in every eighth step, so
 * that C2 does not inline them unasked.
 */
public class Words {
    static int print(int a) {
        a = (a ^ a << 3) * 3 + (a >>> 5);
        a = (a ^ a << 7) * 3 + (a >>> 9);
        return (a ^ a << 1) * 3 + (a >>> 2);
    }

    static int log(int a) {
        a = (a ^ a << 3) * 4 + (a >>> 5);
        a = (a ^ a << 7) * 4 + (a >>> 9);
        return (a ^ a << 1) * 4 + (a >>> 2);
    }

    static int help(int a) {
        a = (a ^ a << 3) * 5 + (a >>> 5);
        a = (a ^ a << 7) * 5 + (a >>> 9);
        return (a ^ a << 1) * 5 + (a >>> 2);
    }

    static int quiet(int a) {
        a = (a ^ a << 3) * 6 + (a >>> 5);
        a = (a ^ a << 7) * 6 + (a >>> 9);
        return (a ^ a << 1) * 6 + (a >>> 2);
    }

    static int option(int a) {
        a = (a ^ a << 3) * 7 + (a >>> 5);
        a = (a ^ a << 7) * 7 + (a >>> 9);
        return (a ^ a << 1) * 7 + (a >>> 2);
    }

    static int inline(int a) {
        a = (a ^ a << 3) * 8 + (a >>> 5);
        a = (a ^ a << 7) * 8 + (a >>> 9);
        return (a ^ a << 1) * 8 + (a >>> 2);
    }

    static int exclude(int a) {
        a = (a ^ a << 3) * 9 + (a >>> 5);
        a = (a ^ a << 7) * 9 + (a >>> 9);
        return (a ^ a << 1) * 9 + (a >>> 2);
    }

    static int dontinline(int a) {
        a = (a ^ a << 3) * 10 + (a >>> 5);
        a = (a ^ a << 7) * 10 + (a >>> 9);
        return (a ^ a << 1) * 10 + (a >>> 2);
    }

    static int compileonly(int a) {
        a = (a ^ a << 3) * 11 + (a >>> 5);
        a = (a ^ a << 7) * 11 + (a >>> 9);
        return (a ^ a << 1) * 11 + (a >>> 2);
    }

    static int blackhole(int a) {
        a = (a ^ a << 3) * 12 + (a >>> 5);
        a = (a ^ a << 7) * 12 + (a >>> 9);
        return (a ^ a << 1) * 12 + (a >>> 2);
    }

    static int bool(int a) {
        a = (a ^ a << 3) * 13 + (a >>> 5);
        a = (a ^ a << 7) * 13 + (a >>> 9);
        return (a ^ a << 1) * 13 + (a >>> 2);
    }

    static int intx(int a) {
        a = (a ^ a << 3) * 14 + (a >>> 5);
        a = (a ^ a << 7) * 14 + (a >>> 9);
        return (a ^ a << 1) * 14 + (a >>> 2);
    }

    static int Vectorize(int a) {
        a = (a ^ a << 3) * 15 + (a >>> 5);
        a = (a ^ a << 7) * 15 + (a >>> 9);
        return (a ^ a << 1) * 15 + (a >>> 2);
    }

    static int MemLimit(int a) {
        a = (a ^ a << 3) * 16 + (a >>> 5);
        a = (a ^ a << 7) * 16 + (a >>> 9);
        return (a ^ a << 1) * 16 + (a >>> 2);
    }

    static int step(int a, int i) {
        if ((i & 7) != 0) return a + i;
        a = print(a);
        a = log(a);
        a = help(a);
        a = quiet(a);
        a = option(a);
        a = inline(a);
        a = exclude(a);
        a = dontinline(a);
        a = compileonly(a);
        a = blackhole(a);
        a = bool(a);
        a = intx(a);
        a = Vectorize(a);
        a = MemLimit(a);
        return a;
    }

    public static void main(String[] arguments) {
        int sum = 0;
        for (int i = 0; i < Integer.parseInt(arguments[0]); i++) sum = step(sum, i);
        System.out.println(sum);
    }
}
