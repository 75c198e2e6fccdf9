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

  /**
   * By gate, one for each method: what the JIT's code of that method depends on as long as it has gates. When the agent gives it
   * another target, the VM throws that code away. Null where it has not got to it yet.
   */
  @Stable static CallSite[] codes;

  private BursarFork() {}

  /** Always. The JIT does without looking, and notes that its code depends on it. */
  @ForceInline
  @Hidden
  public static boolean stands(int gate) {
    CallSite code = codes[gate];
    return code == null || code.target != null;
  }

  /** Whether this is code of the optimizing compiler, which knows which gate it is. Nobody else does. */
  @ForceInline
  @Hidden
  public static boolean optimized(int gate) {
    return MethodHandleImpl.isCompileConstant(codes[gate]);
  }

  /**
   * Always; but where nothing is left, the optimizing compiler's code ends here, and its frame goes on in the interpreter: the
   * compiler expects an addition not to overflow, keeps no way on for one that does, and keeps the code all the same. The
   * interpreter begins the addition anew, and finds nothing wrong with it (BursarProbe.addend).
   */
  @ForceInline
  @Hidden
  public static boolean stays(int left) {
    try {
      Math.addExact(Integer.MIN_VALUE, left - 1);
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
