/** Hardly anything but one loop without a call, so that the JIT would rather look at nothing in it. */
public class LongLoop {
  static long spin(long times) {
    long state = 1;
    for (long i = 0; i < times; i++) {
      state ^= state << 13;
      state ^= state >>> 7;
      state ^= state << 17;
      if ((state & 7) == 0) state += i;
    }
    return state;
  }

  public static void main(String[] args) {
    long sum = 0;
    for (int i = 0; i < 40; i++) sum += spin(Long.parseLong(args[0]));
    System.out.println(sum);
  }
}
