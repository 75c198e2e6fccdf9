package java.lang;

import jdk.internal.vm.annotation.Hidden;

/**
 * Whether call sites may rely on what they call to count itself. The JIT takes the answer for granted. When it changes, the
 * agent gives holds() the code of isGone(): a redefinition, so that the JIT throws away all code that relied on it.
 */
final class BursarTrust {
  private BursarTrust() {}

  @Hidden
  static boolean holds() {
    return true;
  }

  @Hidden
  static boolean isGone() {
    return false;
  }
}
