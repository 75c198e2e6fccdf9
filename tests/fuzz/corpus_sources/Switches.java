class Switches {
    static int dense(int k) {
        switch (k) {
            case -1: return 7;
            case 0:
            case 1: k++;
            case 3: k += 5; break;
            default: k = 0;
        }
        return k;
    }

    static String sparse(int k, Object o) {
        String s = "";
        switch (k) {
            case Integer.MIN_VALUE: s += o; break;
            case 1_000_000: s = null; break;
            case Integer.MAX_VALUE: break;
        }
        return s;
    }

    static int names(String name) {
        switch (name) {
            case "red": return 1;
            case "green": return 2;
            case "blue": return 3;
            default: return 0;
        }
    }
}
