class Loops {
    static int nested(int n, long limit) {
        int sum = 0;
        outer:
        for (int i = 0; i < n; i++) {
            for (int j = i; j > 0; j -= 300) {
                if (sum > limit) continue outer;
                if (j == 77) break outer;
                sum += j;
            }
        }
        return sum;
    }

    static double waits(double x) {
        while (true) {
            x = x * 0.5;
            if (x < 1.0) return x;
        }
    }

    int fromTheFirst(int n) {
        do {
            n--;
        } while (n > 0);
        return n;
    }
}
