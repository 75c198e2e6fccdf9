package java.lang;

/**
 * Calls of a method that HotSpot inlines wherever it is called now and then (no larger than 35 bytes): compiled, next to nothing is
 * left of one. What is between two of them in a window is what calls themselves take there (src/agent/cbs_mode.cpp, cost_of_call).
 */
final class BursarCalls {
  private static int total;

  private BursarCalls() {}

  static int next(int by, int from) {
    int sum = total;
    if (by > from) sum ^= by << 3;
    return sum + (by & from) - (sum >>> 5) + 1;
  }

  static void make(int calls) {
    for (int i = 0; i < calls; ++i) total = next(calls, i);
  }
}
