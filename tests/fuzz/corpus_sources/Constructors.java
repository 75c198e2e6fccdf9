class Constructors extends java.util.ArrayList<String> {
    final long a;
    final String b;

    Constructors(boolean big, String b) {
        super(big ? 100 : b.length() > 3 ? 10 : 1);
        this.a = big ? 1L : 2L;
        this.b = new String(b == null ? new StringBuilder(big ? "x" : "y").toString() : b);
    }

    Constructors(int[] list) {
        this(list != null && list.length > 0, "none");
        for (int x : list) add(String.valueOf(x));
    }
}
