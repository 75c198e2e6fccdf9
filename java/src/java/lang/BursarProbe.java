package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.Stable;

/**
 * What the probes in every method call. Walks the calling-context tree as long as nothing new happens; the rest is done
 * by natives. Node layout: src/core/context_node.h. Which code calls what: src/agent/exact_probes.h.
 *
 * <p>A thread's cursor is an array: slot and tree. The slot is the address through which the next method is entered: of
 * a call site while it calls, else slot 0 of the node of the method that runs.
 *
 * <p>Lives in java.lang, where the JIT heeds its annotations. Probes reach it through static methods that the agent adds
 * to Object: naming any other class would make class loaders look for it. Nothing here may call a method that carries a
 * probe, and of Unsafe only natives may be used: their Java neighbours carry probes.
 */
final class BursarProbe {
  private static final int SLOT = 0;
  private static final int TREE = 1;

  private static final int RESUME = -24;
  private static final int METHOD = -16;
  private static final int FLAGS = -12;
  private static final int COUNT = 8;
  private static final int SLOT_LOG2 = 4;
  private static final int COUNTED_AT_SITE = 1;

  /** As in MethodHandleNatives. */
  private static final int HIDDEN_CLASS = 2;

  /** Set by the agent when the VM is ready for it: from then on calls are counted. */
  @Stable private static boolean awake;

  @Stable private static Unsafe unsafe;

  /** The node that counts nothing. Set by the agent before any probe runs. */
  @Stable private static long mute;

  /** The cursor of everybody until the VM is ready. Set by the agent before any probe runs. */
  @Stable private static long[] asleep;

  private static boolean bound;

  /** An unnamed module, which reads everything already. */
  private static Module nowhere;

  private BursarProbe() {}

  @ForceInline
  @Hidden
  static long[] cursor() {
    if (!awake) return asleep;
    long[] cursor = Thread.currentThread().bursarCursor;
    return cursor != null ? cursor : firstCursor();
  }

  /** The method was entered; returns its node. */
  @ForceInline
  @Hidden
  static long enter(long[] cursor, int method) {
    if (!awake) return mute;
    long slot = cursor[SLOT];
    long node = unsafe.getLong(null, slot);
    if (unsafe.getInt(null, node + METHOD) != method) {
      node = find(cursor[TREE], slot, method);
    } else {
      unsafe.putLong(null, slot + COUNT, unsafe.getLong(null, slot + COUNT) + 1);
    }
    cursor[SLOT] = node;
    return node;
  }

  /** Where the cursor goes when the node is left. */
  @ForceInline
  @Hidden
  static long resume(long node) {
    return awake ? unsafe.getLong(null, node + RESUME) : mute;
  }

  /** A call site is about to call a method that is known to carry no probe. */
  @ForceInline
  @Hidden
  static void callUnprobed(long[] cursor, long node, int site) {
    if (!awake) return;
    long slot = node + ((long) site << SLOT_LOG2);
    long callee = unsafe.getLong(null, slot);
    if ((unsafe.getInt(null, callee + FLAGS) & COUNTED_AT_SITE) == 0) {
      callee = findUnprobed(cursor[TREE], slot);
    } else {
      unsafe.putLong(null, slot + COUNT, unsafe.getLong(null, slot + COUNT) + 1);
    }
    cursor[SLOT] = callee;
  }

  /** The same for a method of an object that may not be there: then nothing is called. */
  @ForceInline
  @Hidden
  static void callUnprobedOn(Object receiver, long[] cursor, long node, int site) {
    if (receiver != null) {
      callUnprobed(cursor, node, site);
    } else {
      cursor[SLOT] = node + ((long) site << SLOT_LOG2);
    }
  }

  /** A call site is about to call a method that may be native or not: the receiver decides. */
  @Hidden
  static void callVirtual(Object receiver, long[] cursor, long node, int site) {
    long slot = node + ((long) site << SLOT_LOG2);
    long callee = awake && receiver != null ? findVirtual(cursor[TREE], slot, receiver) : 0;
    cursor[SLOT] = callee != 0 ? callee : slot;
  }

  /** A call site's call returned. If the cursor still stands at it, what was called carries no probe. */
  @ForceInline
  @Hidden
  static void called(long[] cursor, long node, int site) {
    long slot = node + ((long) site << SLOT_LOG2);
    if (cursor[SLOT] != slot) return;
    cursor[SLOT] = node;
    if (!awake) return;
    long callee = unsafe.getLong(null, slot);
    if ((unsafe.getInt(null, callee + FLAGS) & COUNTED_AT_SITE) == 0) {
      missed(cursor[TREE], slot, null);
    } else {
      unsafe.putLong(null, slot + COUNT, unsafe.getLong(null, slot + COUNT) + 1);
    }
  }

  /** The same where one call site may call several methods without a probe: what it called last time tells nothing. */
  @ForceInline
  @Hidden
  static void calledAny(long[] cursor, long node, int site) {
    long slot = node + ((long) site << SLOT_LOG2);
    if (cursor[SLOT] != slot) return;
    cursor[SLOT] = node;
    if (awake) missed(cursor[TREE], slot, Thread.currentThread().bursarMember);
  }

  /** MethodHandle.linkTo… is about to call this: only its call site can count a target without a probe. */
  @ForceInline
  @Hidden
  static void link(Object member) {
    if (awake) Thread.currentThread().bursarMember = member;
  }

  /** The bytes of a class on their way to the VM, which shows those of hidden ones to no agent. */
  @Hidden
  static byte[] hiddenClass(byte[] bytes, int flags) {
    return bound && (flags & HIDDEN_CLASS) != 0 ? rewriteHidden(bytes) : bytes;
  }

  /**
   * The VM tells the class library that an agent rewrote a class of this module, which makes the module read others.
   * We need none of that, and programs would see it: unless there are other agents, an unnamed module is told instead.
   */
  @Hidden
  static Module rewrittenModule(Module module) {
    return bound && !hasOtherAgents() ? nowhere : module;
  }

  /** What reflection found in a class, without what the agent added to it. */
  @Hidden
  static Field[] visibleFields(Field[] fields, Class<?> holder) {
    return holder == Thread.class && bound ? fieldsWithoutAdded(fields) : fields;
  }

  @Hidden
  static Method[] visibleMethods(Method[] methods, Class<?> holder) {
    return holder == Object.class && bound ? methodsWithoutAdded(methods) : methods;
  }

  @DontInline
  @Hidden
  private static long[] firstCursor() {
    try {
      Thread thread = Thread.currentThread();
      long tree = openTree(thread);
      long[] cursor = {tree != 0 ? rootNode(tree) : mute, tree};
      thread.bursarCursor = cursor;
      return cursor;
    } catch (Throwable noMemory) {
      return asleep;
    }
  }

  /** Called by the agent while probes sleep, because the VM looks natives up with code that carries probes. */
  private static void bind() {
    openTree(null);
    rootNode(0);
    find(0, mute, 0);
    findUnprobed(0, mute);
    findVirtual(0, mute, null);
    missed(0, mute, null);
    rewriteHidden(null);
    hasOtherAgents();
    fieldsWithoutAdded(null);
    methodsWithoutAdded(null);
    bound = true;
  }

  @Hidden
  private static native long openTree(Thread thread);

  @Hidden
  private static native long rootNode(long tree);

  @Hidden
  private static native long find(long tree, long slot, int method);

  @Hidden
  private static native long findUnprobed(long tree, long slot);

  @Hidden
  private static native long findVirtual(long tree, long slot, Object receiver);

  @Hidden
  private static native void missed(long tree, long slot, Object member);

  @Hidden
  private static native byte[] rewriteHidden(byte[] bytes);

  @Hidden
  private static native boolean hasOtherAgents();

  @Hidden
  private static native Field[] fieldsWithoutAdded(Field[] fields);

  @Hidden
  private static native Method[] methodsWithoutAdded(Method[] methods);
}
