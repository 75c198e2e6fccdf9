import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.TreeSet;

/** Branches of every kind, each taken a known number of times in every thread. */
public class Branches {
  static int cond(int x) {
    if (x % 2 == 0) {
      return 1;
    }
    return x % 3 == 0 ? 2 : 3;
  }

  static int choose(int x) {
    switch (x % 4) {
      case 0:
        return 5;
      case 1:
      case 2:
        return 6;
      default:
        return 7;
    }
  }

  static int sparse(int x) {
    switch (x % 5 * 1000) {
      case 1000:
        return 1;
      case 3000:
        return 2;
      default:
        return 3;
    }
  }

  /** The inner loop runs x % 3 times. */
  static int loops(int x) {
    int sum = 0;
    for (int i = 0; i < 2; i++) {
      for (int j = 0; j < x % 3; j++) {
        sum += i ^ j;
      }
    }
    return sum;
  }

  static int fails(int x) {
    if (x % 10 == 0) {
      throw new IllegalStateException("every tenth");
    }
    return x;
  }

  static int catches(int x) {
    try {
      return fails(x);
    } catch (IllegalStateException e) {
      return x > 50 ? 1 : 2;
    }
  }

  synchronized int locked(int x) {
    int sum = 0;
    synchronized (Branches.class) {
      for (int i = 0; i < 3; i++) {
        if ((x & i) == 0) sum += i;
      }
    }
    return sum;
  }

  static long round(int times) {
    Branches branches = new Branches();
    long sum = 0;
    for (int i = 0; i < times; i++) {
      sum += cond(i) + choose(i) + sparse(i) + loops(i) + catches(i) + branches.locked(i);
    }
    return sum;
  }

  public static void main(String[] args) throws Exception {
    int times = Integer.parseInt(args[0]);
    long[] sums = new long[Integer.parseInt(args[1])];
    Thread[] threads = new Thread[sums.length];
    for (int i = 0; i < sums.length; i++) {
      int slot = i;
      threads[i] = new Thread(() -> sums[slot] = round(times));
      threads[i].start();
    }
    for (Thread thread : threads) thread.join();
    System.out.println(Arrays.stream(sums).sum());
    TreeSet<String> members = new TreeSet<>();
    for (Method method : Object.class.getDeclaredMethods()) members.add(method.getName());
    for (Field field : Thread.class.getDeclaredFields()) members.add(field.getName());
    System.out.println(members);
  }
}
