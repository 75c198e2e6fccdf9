/** A hot call of a method that C2 finds too big to inline: more than 325 bytes of bytecode. Prints what it computed. */
public class Folding {
    static int fold(int a, int b) {
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

    static int round(int seed) {
        int sum = seed;
        for (int i = 0; i < 1000; i++) {
            sum += fold(sum, i);
        }
        return sum;
    }

    /** How many rounds; with a second argument, that many milliseconds between every thousand of them. */
    public static void main(String[] arguments) throws InterruptedException {
        int rounds = Integer.parseInt(arguments[0]);
        int nap = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 0;
        int sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum = round(sum);
            if (nap > 0 && i % 1000 == 999) Thread.sleep(nap);
        }
        System.out.println(sum);
    }
}
