/** Methods that are called like words of -XX:CompileCommand, and one that is too big to inline. */
public class Words {
    static int print(int a) {
        return a * 3 + 1;
    }

    static int log(int a) {
        return a * 4 + 1;
    }

    static int help(int a) {
        return a * 5 + 1;
    }

    static int quiet(int a) {
        return a * 6 + 1;
    }

    static int option(int a) {
        return a * 7 + 1;
    }

    static int inline(int a) {
        return a * 8 + 1;
    }

    static int exclude(int a) {
        return a * 9 + 1;
    }

    static int dontinline(int a) {
        return a * 10 + 1;
    }

    static int compileonly(int a) {
        return a * 11 + 1;
    }

    static int blackhole(int a) {
        return a * 12 + 1;
    }

    static int bool(int a) {
        return a * 13 + 1;
    }

    static int intx(int a) {
        return a * 14 + 1;
    }

    static int Vectorize(int a) {
        return a * 15 + 1;
    }

    static int MemLimit(int a) {
        return a * 16 + 1;
    }

    static int large(int a, int b) {
        a = (a ^ (b << 1)) + 1000; b = b * 31 + (a >>> 1);
        a = (a ^ (b << 2)) + 1001; b = b * 31 + (a >>> 2);
        a = (a ^ (b << 3)) + 1002; b = b * 31 + (a >>> 3);
        a = (a ^ (b << 4)) + 1003; b = b * 31 + (a >>> 4);
        a = (a ^ (b << 5)) + 1004; b = b * 31 + (a >>> 5);
        a = (a ^ (b << 6)) + 1005; b = b * 31 + (a >>> 1);
        a = (a ^ (b << 7)) + 1006; b = b * 31 + (a >>> 2);
        a = (a ^ (b << 1)) + 1007; b = b * 31 + (a >>> 3);
        a = (a ^ (b << 2)) + 1008; b = b * 31 + (a >>> 4);
        a = (a ^ (b << 3)) + 1009; b = b * 31 + (a >>> 5);
        a = (a ^ (b << 4)) + 1010; b = b * 31 + (a >>> 1);
        a = (a ^ (b << 5)) + 1011; b = b * 31 + (a >>> 2);
        a = (a ^ (b << 6)) + 1012; b = b * 31 + (a >>> 3);
        a = (a ^ (b << 7)) + 1013; b = b * 31 + (a >>> 4);
        a = (a ^ (b << 1)) + 1014; b = b * 31 + (a >>> 5);
        a = (a ^ (b << 2)) + 1015; b = b * 31 + (a >>> 1);
        a = (a ^ (b << 3)) + 1016; b = b * 31 + (a >>> 2);
        a = (a ^ (b << 4)) + 1017; b = b * 31 + (a >>> 3);
        a = (a ^ (b << 5)) + 1018; b = b * 31 + (a >>> 4);
        a = (a ^ (b << 6)) + 1019; b = b * 31 + (a >>> 5);
        a = (a ^ (b << 7)) + 1020; b = b * 31 + (a >>> 1);
        a = (a ^ (b << 1)) + 1021; b = b * 31 + (a >>> 2);
        return a ^ b;
    }

    public static void main(String[] arguments) {
        int sum = 0;
        for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
            sum += large(sum, i);
            sum = print(sum);
            sum = log(sum);
            sum = help(sum);
            sum = quiet(sum);
            sum = option(sum);
            sum = inline(sum);
            sum = exclude(sum);
            sum = dontinline(sum);
            sum = compileonly(sum);
            sum = blackhole(sum);
            sum = bool(sum);
            sum = intx(sum);
            sum = Vectorize(sum);
            sum = MemLimit(sum);
        }
        System.out.println(sum);
    }
}
