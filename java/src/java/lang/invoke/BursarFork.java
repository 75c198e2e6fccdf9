package java.lang.invoke;

import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.Stable;

/**
 * Tells the JIT that a branch is taken seldom, but is: a fork to a copy. From a method's own profile it would conclude that
 * it never is, until the first burst comes there: that would end the method's code, and it would be compiled anew.
 *
 * <p>Lives here because what the JIT knows for that is not public.
 */
public final class BursarFork {
  /** How often forks go to the method, and to the copy. Null where the VM does not know of profiles. Set by the agent. */
  @Stable static int[] profile;

  /** Any objects. Set by the agent where the VM knows what is constant. */
  @Stable static Object[] known;

  private static final int KNOWN = 256;

  private BursarFork() {}

  /**
   * Whether this is code of the optimizing compiler, into which this constant was inlined: nobody else knows what is one. (Without it,
   * the interpreter would call code that was compiled for this method alone.)
   */
  @ForceInline
  @Hidden
  public static boolean optimized(int constant) {
    return known != null && MethodHandleImpl.isCompileConstant(known[constant & KNOWN - 1]);
  }

  /** Whether the optimizing compiler knows that there is such a thing. */
  @ForceInline
  @Hidden
  public static boolean isKnown(Object thing) {
    return MethodHandleImpl.isCompileConstant(thing);
  }

  /**
   * Always; but where this is below 0, the optimizing compiler's code ends here, and its frame goes on in the interpreter: the
   * compiler expects an addition not to overflow, keeps no way on for one that does, and keeps the code all the same. The
   * interpreter begins the addition anew, and finds nothing wrong with it (BursarProbe.addend).
   */
  @ForceInline
  @Hidden
  public static boolean stays(int sign) {
    try {
      Math.addExact(Integer.MIN_VALUE, sign);
      return true;
    } catch (ArithmeticException overflow) {
      return false;
    }
  }

  /** What it is given. Nothing but the optimizing compiler looks at the profile. */
  @ForceInline
  @Hidden
  public static boolean seldom(boolean counts) {
    if (profile == null || !MethodHandleImpl.isCompileConstant(profile)) return counts;
    return MethodHandleImpl.profileBoolean(counts, profile);
  }
}
