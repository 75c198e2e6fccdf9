package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.Stable;

/**
 * What the probes of the path modes call where a path ends, with the number of that path (src/classfile/path_probes.h). As with
 * {@link BursarProbe}, probes reach the methods here by copies in Object; nothing here may call a method that carries a
 * probe, and of Unsafe only natives may be used.
 */
final class BursarPaths {
  private static final int COUNTER_BYTES = 8;

  /** Of a thread's samples: src/core/path_samples.h. */
  private static final int SAMPLES = 8;

  private static final int SAMPLE_BYTES = 4;

  /** Set by the agent when the VM is ready for it. */
  @Stable static boolean awake;

  @Stable static Unsafe unsafe;

  /** The counters, or samples, that threads share which have none of their own. */
  @Stable static long shared;

  /** Of an int that is not 0 while samples are taken. */
  @Stable static long flag;

  private BursarPaths() {}

  /**
   * Mode exact-paths. Always inlined: where a path ends less often than its method begins, the JIT would otherwise make a
   * call of it. Nothing is called here but for a thread's first path: see BursarProbe.enter.
   */
  @ForceInline
  @Hidden
  static void count(int path) {
    if (!awake) return;
    long counters = Thread.currentThread().bursarPaths;
    if (counters <= 0) {
      countElsewhere(path);
      return;
    }
    long at = counters + (long) path * COUNTER_BYTES;
    unsafe.putLong(null, at, unsafe.getLong(null, at) + 1);
  }

  /** Virtual threads share counters; theirs are marked by -1. */
  @DontInline
  @Hidden
  static void countElsewhere(int path) {
    Thread thread = Thread.currentThread();
    if (thread.bursarPaths == 0) thread.bursarPaths = open(thread);
    long counters = thread.bursarPaths;
    if (counters > 0) {
      long at = counters + (long) path * COUNTER_BYTES;
      unsafe.putLong(null, at, unsafe.getLong(null, at) + 1);
      return;
    }
    long at = shared + (long) path * COUNTER_BYTES;
    long before;
    do {
      before = unsafe.getLong(null, at);
    } while (!unsafe.compareAndSetLong(null, at, before, before + 1));
  }

  /**
   * Mode paths. No call here, however rare: behind one the JIT knows nothing of memory any more. Small, because the JIT inlines no
   * more than so much into one method; where no sample was taken so far it need not look at what follows.
   */
  @ForceInline
  @Hidden
  static void sample(int path) {
    if (awake && unsafe.getInt(null, flag) != 0) note(path);
  }

  @ForceInline
  @Hidden
  static void note(int path) {
    long samples = Thread.currentThread().bursarPaths + shared;
    int left = unsafe.getInt(null, samples) - 1;
    unsafe.putInt(null, samples, left);
    if (left >= 0) unsafe.putInt(null, samples + SAMPLES + (long) left * SAMPLE_BYTES, path);
  }

  /** Called by the agent while probes sleep, because the VM looks natives up with code that carries probes. */
  static void bind() {
    open(null);
  }

  /** The counters of a thread; -1 if it is to use the shared ones. */
  @Hidden
  static native long open(Thread thread);
}
