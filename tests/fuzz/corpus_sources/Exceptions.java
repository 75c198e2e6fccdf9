class Exceptions {
    private int balance;

    int protect(int[] values, int i) {
        try {
            return values[i];
        } catch (ArrayIndexOutOfBoundsException | NullPointerException e) {
            balance--;
        } finally {
            balance++;
        }
        return -1;
    }

    synchronized void locked(Object lock) {
        synchronized (lock) {
            for (int i = 0; i < 3; i++) {
                synchronized (this) {
                    balance += i;
                }
            }
        }
    }

    static long withResource(AutoCloseable c) throws Exception {
        long total = 1;
        try (c) {
            total += c.hashCode();
        }
        return total;
    }
}
