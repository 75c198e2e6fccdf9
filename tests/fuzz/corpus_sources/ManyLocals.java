class ManyLocals {
    static long sum(byte a, short b, char c, boolean d, float e, double f, long g, String h, Object[] i) {
        int j = a, k = b, l = c;
        long m = g, n = j;
        double o = f, p = e;
        Object q = h;
        for (Object r : i) {
            if (r == q) m++;
            else if (d) n += m;
            else o += p;
            k += 1000;
            l -= 129;
        }
        return m + n + (long) o + k + l;
    }
}
