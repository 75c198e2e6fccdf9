package java.lang;

import java.lang.invoke.BursarFork;
import java.lang.invoke.BursarLinks;
import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
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
 * <p>A thread's cursor is in two fields of it: slot and tree. The slot is the address through which the next method is
 * entered: of a call site while it calls, else the entry of the node of the method that runs. Fields, not an array: the JIT
 * knows that nothing but probes writes them, so that what a call site has stored need not be loaded by what it calls. The
 * slot is kept as its distance from the node asleep: 0 in a thread that has not run a probe yet, so that no probe need ask.
 *
 * <p>Lives in java.lang, where the JIT heeds its annotations. Probes reach it through static methods that the agent adds
 * to Object, with the code of the ones here: naming any other class would make class loaders look for it. That is why
 * nothing here is private. Nothing here may call a method that carries a probe, and of Unsafe only natives may be used:
 * their Java neighbours carry probes.
 *
 * <p>Only what decides about forks insists on being inlined, to be understood (BursarFork): where a call is hot the optimizing compiler does
 * it anyway, and elsewhere their code in every method would cost the compilers more than it saves the program.
 */
public final class BursarProbe {
  private static final int LINKS = -24;
  private static final int RESUME = -16;
  private static final int METHOD = -8;
  private static final int FLAGS = -4;
  private static final int COUNT = 8;
  private static final int COUNTED_AT_SITE = 1;
  private static final int VIA_VM_OR_CALLED_BACK = 6;

  /** Of a link. */
  private static final int CHILD = 0;

  private static final int PLACE = 8;
  private static final int NEXT = 16;
  private static final int LINK_COUNT = 24;
  private static final int MISSES = 40;

  /** Of the memory that nodes lie in: src/core/node_arena.h. */
  private static final long CHUNK = 1 << 20;

  private static final int OWNER = 8;

  /** Where paths are counted; 0 if they are not. */
  private static final int PATHS = 16;

  private static final int COUNTER_BYTES = 8;

  /** So many links are looked at here, and so often in a row one is counted before the tree may give it the slot. */
  private static final int FEW = 8;

  /** What a note of a thread's log is about, in the lowest bits of an address: src/agent/trace_log.h. */
  private static final int ENTERED = 0;

  private static final int LEFT = 1;
  private static final int AT = 2;
  private static final int COUNTED = 3;
  private static final int COUNTED_IN_SLOT = 4;
  private static final int NOTE_BYTES = 16;
  private static final int LOG_MASK = (1 << 14) - 1;

  /** As in MethodHandleNatives. */
  private static final int HIDDEN_CLASS = 2;

  /** Set by the agent when the VM is ready for it: from then on calls are counted. */
  @Stable static boolean awake;

  @Stable static Unsafe unsafe;

  /** Calls are counted in bursts only. */
  @Stable static boolean inBursts;

  /** The node that counts nothing. Set by the agent before any probe runs, as are the next three. */
  @Stable static long mute;

  /** What a slot names whose count belongs to several threads. */
  @Stable static long stranger;

  /**
   * The node of methods that were entered while probes slept, and of threads that have no tree yet; and the end of its slots.
   * Where the VM lets us it is so low that the JIT has it in its addresses.
   */
  @Stable static long asleep;

  @Stable static long asleepEnd;

  /**
   * By gate: itself, as it were, if it is closed, else null. The JIT takes for constant what is not null: no trace is left of gates
   * that were closed when it compiled a method.
   */
  @Stable static Object[] closed;

  /**
   * An int[], by gate: what a pass counts as; 0 if it is closed, so that it does not matter which code still has it. Not declared as what it is,
   * or the JIT would take the numbers for constant.
   */
  @Stable static Object costs;

  static boolean bound;

  /** A hidden class came before that, and has no probes. */
  static boolean missedHidden;

  /** An unnamed module, which reads everything already. */
  static Module nowhere;

  private BursarProbe() {}

  /** Where the cursor stands. */
  @Hidden
  static long slot() {
    return awake ? Thread.currentThread().bursarSlot + asleep : asleep;
  }

  @Hidden
  static void move(long slot) {
    if (awake) Thread.currentThread().bursarSlot = slot - asleep;
  }

  /**
   * The method was entered; says whether the cursor stands at its node now. If not, findNode() comes next. Nothing is called
   * here: what the JIT knows of memory would end at every call.
   */
  @Hidden
  static boolean enter(int method) {
    if (!awake) return true;
    Thread thread = Thread.currentThread();
    long slot = thread.bursarSlot + asleep;
    long node = unsafe.getLong(null, slot);
    if (unsafe.getInt(null, node + METHOD) != method) return false;
    unsafe.putLong(null, slot + COUNT, unsafe.getLong(null, slot + COUNT) + 1);
    thread.bursarSlot = node - asleep;
    return true;
  }

  @DontInline
  @Hidden
  static long findNode(int method) {
    Thread thread = Thread.currentThread();
    long slot = thread.bursarSlot + asleep;
    if (slot >= asleep && slot < asleepEnd) {
      if (inBursts) return asleep;
      slot = open(thread);
    }
    long node = findLinked(slot, method);
    if (node == 0) node = find(thread.bursarTree, slot, method);
    thread.bursarSlot = node - asleep;
    return node;
  }

  /** Counts a child that the slot does not cache; 0 if it is not among the first of them. */
  @Hidden
  static long findLinked(long slot, int method) {
    long parent = unsafe.getLong(null, unsafe.getLong(null, slot) + RESUME);
    long link = unsafe.getLong(null, parent + LINKS);
    for (int i = 0; i < FEW && link != 0; ++i) {
      if (unsafe.getLong(null, link + PLACE) == slot) {
        long child = unsafe.getLong(null, link + CHILD);
        if (unsafe.getInt(null, child + METHOD) == method
            && (unsafe.getInt(null, child + FLAGS) & VIA_VM_OR_CALLED_BACK) == 0) {
          int misses = unsafe.getInt(null, link + MISSES) + 1;
          if (misses >= FEW) return 0;
          unsafe.putInt(null, link + MISSES, misses);
          unsafe.putLong(null, link + LINK_COUNT, unsafe.getLong(null, link + LINK_COUNT) + 1);
          return child;
        }
      }
      link = unsafe.getLong(null, link + NEXT);
    }
    return 0;
  }

  @ForceInline
  @Hidden
  static int cost(int gate) {
    return ((int[]) costs)[gate];
  }

  /**
   * A gate of a method: says what it counts into from now on, the node of its frame, or 0 for not to. Most gates are passed
   * by, as the thread's countdown says; where one is not, optimized code ends. No branch stands there in optimized code: the compiler
   * has no profile of it, as nobody else gets there.
   */
  @ForceInline
  @Hidden
  static long pass(long decided, int gate) {
    if (awake && BursarFork.optimized(gate)) {
      if (BursarFork.isKnown(closed[gate])) return decided;
      Thread thread = Thread.currentThread();
      int left = thread.bursarCountdown;
      int cost = cost(gate);
      // The interpreter, which goes on here, comes to another answer.
      if (BursarFork.stays(left - 1 & -cost) && BursarFork.optimized(gate)) {
        thread.bursarCountdown = left - cost;
        return 0;
      }
    }
    return passOrTurn(decided, gate);
  }

  /** The same where optimized code does not end. */
  @Hidden
  static long passOrTurn(long decided, int gate) {
    if (!awake || closed[gate] != null) return decided;
    Thread thread = Thread.currentThread();
    int left = thread.bursarCountdown;
    int cost = cost(gate);
    thread.bursarCountdown = left - cost;
    if (left <= 0) return turn(thread, decided, gate, cost);
    thread.bursarSlot = 0;
    return 0;
  }

  /** The same in a copy, whose node is 0 here, and not to count is the node asleep. */
  @Hidden
  static long passInCopy(long decided, long node, int gate) {
    if (!awake || closed[gate] != null) return decided;
    Thread thread = Thread.currentThread();
    int left = thread.bursarCountdown;
    int cost = cost(gate);
    thread.bursarCountdown = left - cost;
    if (left > 0) return asleep;
    long next = turn(thread, decided != 0 ? decided : node, gate, cost);
    return next == node ? 0 : next != 0 ? next : asleep;
  }

  /** In a burst, or where one may begin. `cost`: what the gate's pass was counted as; the table may say otherwise by now. */
  @DontInline
  @Hidden
  static long turn(Thread thread, long node, int gate, int cost) {
    int left = thread.bursarLeft;
    if (left > 0 && node != 0 && treeOf(node) == thread.bursarInto) {
      thread.bursarLeft = left - cost;
      thread.bursarCountdown = 0;
      return node;
    }
    return check(thread, node, gate, cost);
  }

  /**
   * Behind a gate of a method, a call is about to be made: says whether it is counted, and then goes to the copy. Optimized code
   * ends instead: it has no other way on.
   */
  @ForceInline
  @Hidden
  static boolean counts(long decided, int offset) {
    if (!awake) return false;
    if (BursarFork.optimized(offset) && BursarFork.stays((int) (-decided >> 63)) && BursarFork.optimized(offset)) return false;
    return countsOrNot(decided, offset);
  }

  /** The same where optimized code does not end. */
  @ForceInline
  @Hidden
  static boolean countsOrNot(long decided, int offset) {
    if (!awake) return false;
    if (decided != 0) Thread.currentThread().bursarSlot = decided + (offset - asleep);
    return BursarFork.seldom(decided != 0);
  }

  /** At the entry of Math.addExact, the second of what it adds: an overflow that only made a gate leave its code is none. */
  @Hidden
  static int addend(int one, int other) {
    return one < 0 && other < 0 && one + other >= 0 && awake && leftCode() ? 0 : other;
  }

  @Hidden
  static boolean countsInCopy(long decided, long node, int offset) {
    long into = decided != 0 ? decided : node;
    boolean counts = into != asleep;
    if (awake) Thread.currentThread().bursarSlot = counts ? into + (offset - asleep) : 0;
    return counts;
  }

  /** A copy has returned to a method that does not count. */
  @Hidden
  static void backFromCopy() {
    if (awake) Thread.currentThread().bursarSlot = 0;
  }

  /** What the thread does next is not counted. */
  @Hidden
  public static void sleep() {
    backFromCopy();
  }

  /** An adapter's copy is about to call what a MemberName says, whose twin this is: says whether it calls that. */
  @Hidden
  static boolean calledByTwin(Object twin) {
    if (BursarLinks.isCopy(twin)) return true;
    if (BursarLinks.isNobody(twin)) sleep();
    return false;
  }

  /** The bootstrap method of a copy's calls of method handles. */
  @Hidden
  static CallSite linkage(MethodHandles.Lookup caller, String name, MethodType type, Object... what) {
    return BursarLinks.link(caller, name, type, what);
  }

  /** A path has ended of a frame that counts into this node. Threads share the counters. */
  @Hidden
  static void countPath(long node, int path) {
    if (!awake) return;
    long counters = unsafe.getLong(null, (node & -CHUNK) + PATHS);
    if (counters == 0) return;
    long at = counters + (long) path * COUNTER_BYTES;
    long before;
    do {
      before = unsafe.getLong(null, at);
    } while (!unsafe.compareAndSetLong(null, at, before, before + 1));
  }

  /** The tree that a slot belongs to. */
  @Hidden
  static long treeOf(long slot) {
    return unsafe.getLong(null, (slot & -CHUNK) + OWNER);
  }

  /** A method was entered that has no copy; says whether it runs the body that counts. */
  @Hidden
  static boolean inBurst(int method) {
    return awake && BursarFork.seldom(Thread.currentThread().bursarSlot != 0);
  }

  /** The method is left. */
  @Hidden
  static void leave(long node) {
    if (awake) Thread.currentThread().bursarSlot = unsafe.getLong(null, node + RESUME) - asleep;
  }

  /** A call site is about to call. Its slot stands at this offset in a node. */
  @Hidden
  static void call(long node, int offset) {
    if (awake) Thread.currentThread().bursarSlot = node + (offset - asleep);
  }

  /** The same if what it calls is known to carry no probe. */
  @Hidden
  static void callUnprobed(long node, int offset) {
    if (!awake) return;
    Thread thread = Thread.currentThread();
    long slot = node + offset;
    long callee = unsafe.getLong(null, slot);
    if ((unsafe.getInt(null, callee + FLAGS) & COUNTED_AT_SITE) == 0) {
      callee = findUnprobed(thread.bursarTree, slot);
    } else {
      unsafe.putLong(null, slot + COUNT, unsafe.getLong(null, slot + COUNT) + 1);
    }
    thread.bursarSlot = callee - asleep;
  }

  /** The same again for a method of an object that may not be there: then nothing is called. */
  @Hidden
  static void callUnprobedOn(Object receiver, long node, int offset) {
    if (receiver != null) {
      callUnprobed(node, offset);
    } else {
      call(node, offset);
    }
  }

  /** A call site is about to call a method that may be native or not: the receiver decides. */
  @Hidden
  static void callVirtual(Object receiver, long node, int offset) {
    if (!awake) return;
    Thread thread = Thread.currentThread();
    long slot = node + offset;
    long callee = receiver != null ? findVirtual(thread.bursarTree, slot, receiver) : 0;
    thread.bursarSlot = (callee != 0 ? callee : slot) - asleep;
  }

  /** A call site is about to call the constructor of Object: no probe there asks for the cursor. */
  @Hidden
  static void count(long node, int offset) {
    if (!awake) return;
    long slot = node + offset;
    if (unsafe.getLong(null, slot) == stranger) {
      countForAll(slot);
    } else {
      unsafe.putLong(null, slot + COUNT, unsafe.getLong(null, slot + COUNT) + 1);
    }
  }

  @DontInline
  @Hidden
  static void countForAll(long slot) {
    findUnprobed(Thread.currentThread().bursarTree, slot);
  }

  /** A call site's call returned. If the cursor still stands at it, what was called carries no probe. */
  @Hidden
  static void called(long node, int offset) {
    if (!awake) return;
    Thread thread = Thread.currentThread();
    long slot = node + offset;
    if (thread.bursarSlot != slot - asleep) return;
    thread.bursarSlot = node - asleep;
    long callee = unsafe.getLong(null, slot);
    if ((unsafe.getInt(null, callee + FLAGS) & COUNTED_AT_SITE) == 0) {
      missed(thread.bursarTree, slot, null);
    } else {
      unsafe.putLong(null, slot + COUNT, unsafe.getLong(null, slot + COUNT) + 1);
    }
  }

  /**
   * The same where that would be a surprise. The JIT keeps a profile of each method here: as long as nothing surprises it,
   * it leaves out what would have to be done.
   */
  @Hidden
  static void calledProbed(long node, int offset) {
    if (awake && Thread.currentThread().bursarSlot == node + (offset - asleep)) surprise(node, offset);
  }

  /** The same where nothing can go uncounted as long as trust holds. */
  @Hidden
  static void trusted(long node, int offset) {
    if (!BursarTrust.holds()) calledProbed(node, offset);
  }

  @DontInline
  @Hidden
  static void surprise(long node, int offset) {
    called(node, offset);
  }

  /** The same where one call site may call several methods without a probe: what it called last time tells nothing. */
  @Hidden
  static void calledAny(long node, int offset) {
    if (!awake) return;
    Thread thread = Thread.currentThread();
    long slot = node + offset;
    if (thread.bursarSlot != slot - asleep) return;
    thread.bursarSlot = node - asleep;
    missed(thread.bursarTree, slot, thread.bursarMember);
  }

  /** MethodHandle.linkTo… is about to call this: only its call site can count a target without a probe. */
  @Hidden
  static void link(Object member) {
    if (awake) Thread.currentThread().bursarMember = member;
  }

  /*
   * Mode trace: the copies in Object are made of these in place of the ones above. They do the same, and note in the thread's
   * log what happened and when. The order of notes is all that counts: what became of a call that nobody noted (an exception,
   * a native method that called back) follows from the next one.
   */

  @Hidden
  static boolean traceEnter(int method) {
    if (!enter(method)) return false;
    if (awake) note(slot() + ENTERED);
    return true;
  }

  @Hidden
  static long traceFindNode(int method) {
    long node = findNode(method);
    if (node != mute) note(node + ENTERED);
    return node;
  }

  @Hidden
  static void traceLeave(long node) {
    if (!awake) return;
    leave(node);
    note(node + LEFT);
  }

  @Hidden
  static void traceMove(long slot) {
    if (!awake) return;
    move(slot);
    if (slot != mute) note(slot + AT);
  }

  @Hidden
  static void traceCallUnprobed(long node, int offset) {
    if (!awake) return;
    callUnprobed(node, offset);
    long callee = slot();
    if (callee != node) note(callee + ENTERED);
  }

  @Hidden
  static void traceCallUnprobedOn(Object receiver, long node, int offset) {
    if (receiver != null) {
      traceCallUnprobed(node, offset);
    } else {
      call(node, offset);
    }
  }

  @Hidden
  static void traceCallVirtual(Object receiver, long node, int offset) {
    if (!awake) return;
    callVirtual(receiver, node, offset);
    long callee = slot();
    if (callee != node + offset) note(callee + ENTERED);
  }

  @Hidden
  static void traceCount(long node, int offset) {
    if (!awake) return;
    count(node, offset);
    note(node + offset + COUNTED_IN_SLOT);
  }

  @Hidden
  static void traceCalled(long node, int offset) {
    if (!awake) return;
    Thread thread = Thread.currentThread();
    long slot = node + offset;
    if (thread.bursarSlot != slot - asleep) return;
    thread.bursarSlot = node - asleep;
    long callee = unsafe.getLong(null, slot);
    if ((unsafe.getInt(null, callee + FLAGS) & COUNTED_AT_SITE) == 0) {
      callee = missed(thread.bursarTree, slot, null);
    } else {
      unsafe.putLong(null, slot + COUNT, unsafe.getLong(null, slot + COUNT) + 1);
    }
    if (callee != 0) note(callee + COUNTED);
  }

  @Hidden
  static void traceCalledProbed(long node, int offset) {
    if (awake && Thread.currentThread().bursarSlot == node + (offset - asleep)) traceCalled(node, offset);
  }

  @Hidden
  static void traceTrusted(long node, int offset) {
    if (!BursarTrust.holds()) traceCalledProbed(node, offset);
  }

  @Hidden
  static void traceCalledAny(long node, int offset) {
    if (!awake) return;
    Thread thread = Thread.currentThread();
    long slot = node + offset;
    if (thread.bursarSlot != slot - asleep) return;
    thread.bursarSlot = node - asleep;
    long callee = missed(thread.bursarTree, slot, thread.bursarMember);
    if (callee != 0) note(callee + COUNTED);
  }

  /**
   * Appends to the thread's log; where that ends, what is in it is made events of. Not inlined: it asks for the time, which is a
   * call as well, and the compilers would work on its code in every method. A native of ours, because a frame of
   * System.nanoTime would be seen by who looks at the thread.
   */
  @DontInline
  @Hidden
  static void note(long note) {
    Thread thread = Thread.currentThread();
    long at = thread.bursarLog;
    if (at == 0) return;
    unsafe.putLong(null, at, note);
    unsafe.putLong(null, at + 8, now());
    at += NOTE_BYTES;
    thread.bursarLog = (at & LOG_MASK) != 0 ? at : drain(at);
  }

  /** The bytes of a class on their way to the VM, which shows those of hidden ones to no agent. */
  @Hidden
  static byte[] hiddenClass(byte[] bytes, int flags) {
    if ((flags & HIDDEN_CLASS) == 0) return bytes;
    if (bound) return rewriteHidden(bytes);
    missedHidden = true;
    return bytes;
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
    return bound && (isThread(holder) || inBursts && BursarLinks.isMemberName(holder)) ? fieldsWithoutAdded(fields) : fields;
  }

  @Hidden
  static Method[] visibleMethods(Method[] methods, Class<?> holder) {
    return bound && (inBursts || isObject(holder)) ? methodsWithoutAdded(methods) : methods;
  }

  @Hidden
  static Constructor<?>[] visibleConstructors(Constructor<?>[] constructors) {
    return bound && inBursts ? constructorsWithoutAdded(constructors) : constructors;
  }

  @Hidden
  static boolean isThread(Class<?> type) {
    return type == Thread.class;
  }

  @Hidden
  static boolean isObject(Class<?> type) {
    return type == Object.class;
  }

  @DontInline
  @Hidden
  static long open(Thread thread) {
    long tree = thread.bursarTree;
    if (tree == 0) {
      tree = openTree(thread);
      thread.bursarTree = tree;
      thread.bursarLog = openLog(tree);
    }
    long root = tree != 0 ? rootNode(tree) : mute;
    thread.bursarSlot = root - asleep;
    return root;
  }

  /** Called by the agent while probes sleep, because the VM looks natives up with code that carries probes. */
  static void bind() {
    openTree(null);
    openLog(0);
    drain(0);
    now();
    rootNode(0);
    find(0, mute, 0);
    check(null, 0, 0, 0);
    leftCode();
    findUnprobed(0, mute);
    findVirtual(0, mute, null);
    missed(0, mute, null);
    rewriteHidden(null);
    hasOtherAgents();
    fieldsWithoutAdded(null);
    methodsWithoutAdded(null);
    constructorsWithoutAdded(null);
    bound = true;
  }

  @Hidden
  static native long openTree(Thread thread);

  /** Where the thread's first note goes; 0 if it is not to make any. */
  @Hidden
  static native long openLog(long tree);

  /** Where the next note goes; 0 if none is wanted any more. */
  @Hidden
  static native long drain(long position);

  @Hidden
  static native long now();

  @Hidden
  static native long rootNode(long tree);

  @Hidden
  static native long find(long tree, long slot, int method);

  /** The node of the frame in the tree that is counted into; 0 in a gap. */
  @Hidden
  static native long check(Thread thread, long node, int gate, int cost);

  /** What called Math.addExact is BursarFork. */
  @Hidden
  static native boolean leftCode();

  @Hidden
  static native long findUnprobed(long tree, long slot);

  @Hidden
  static native long findVirtual(long tree, long slot, Object receiver);

  /** The node of what was called; 0 if nothing was counted. */
  @Hidden
  static native long missed(long tree, long slot, Object member);

  @Hidden
  static native byte[] rewriteHidden(byte[] bytes);

  @Hidden
  static native boolean hasOtherAgents();

  @Hidden
  static native Field[] fieldsWithoutAdded(Field[] fields);

  @Hidden
  static native Method[] methodsWithoutAdded(Method[] methods);

  @Hidden
  static native Constructor<?>[] constructorsWithoutAdded(Constructor<?>[] constructors);
}
