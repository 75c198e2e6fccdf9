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

  private BursarFork() {}

  /** What it is given. Nothing but the optimizing compiler looks at the profile. */
  @ForceInline
  @Hidden
  public static boolean seldom(boolean counts) {
    if (profile == null || !MethodHandleImpl.isCompileConstant(profile)) return counts;
    return MethodHandleImpl.profileBoolean(counts, profile);
  }
}
