package corpus; public class Exported { public static int one() { return 1; } }
