package java.lang.invoke;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/**
 * Leads bursts through method handles: from a copy that calls one to the copies of its adapters, and from these to the copies of
 * what they call. Adapters are methods like others and have copies; what is told apart is who calls them, so methods' own calls
 * go the way that the VM linked, as if there were nothing of this.
 *
 * <p>A copy's call of a method handle, and its invokedynamic, is an invokedynamic that is linked here: to the copy of the adapter
 * that the VM would have linked. An adapter's copy calls what a MemberName says, and asks for its twin: the MemberName of the
 * copy of the same method.
 *
 * <p>Lives here because none of that is public. Where it cannot be done, calls go the way they go outside bursts.
 */
public final class BursarLinks {
  /** What a copy takes besides: src/classfile/method_copies.h. */
  private static final Class<?> MARK = boolean[][][][][][][].class;

  private static final byte INVOKE_VIRTUAL = 5;
  private static final byte INVOKE_SPECIAL = 7;
  private static final byte NEW_INVOKE_SPECIAL = 8;

  private static final int TRUSTED = -1;

  private static final Unsafe UNSAFE = Unsafe.getUnsafe();

  /** Of the field that the agent adds to MemberName: its twin, or one of the next two. Below 0 if there is none. */
  private static final long TWIN = offsetOfTwin();

  /** What it names has no copy but counts all the same, or is counted where it is called. */
  private static final MemberName ITSELF = nothing();

  /** Nor does it count: nothing below is counted. */
  private static final MemberName NOBODY = nothing();

  private BursarLinks() {}

  private static long offsetOfTwin() {
    try {
      return UNSAFE.objectFieldOffset(MemberName.class, "bursarTwin");
    } catch (Throwable e) {
      return -1;
    }
  }

  private static MemberName nothing() {
    try {
      return (MemberName) UNSAFE.allocateInstance(MemberName.class);
    } catch (Throwable e) {
      return null;
    }
  }

  /** Has a field more. */
  @Hidden
  public static boolean isMemberName(Class<?> holder) {
    return holder == MemberName.class;
  }

  /** Of what a method handle does. */
  @Hidden
  public static MemberName twinOf(MethodHandle handle) {
    if (handle == null) return ITSELF;
    try {
      MemberName entry = handle.form.vmentry;
      return entry != null ? twin(entry) : NOBODY;
    } catch (LinkageError e) {
      return NOBODY;
    }
  }

  /** Of what MethodHandle.linkTo… is about to call. */
  @Hidden
  public static MemberName twin(MemberName member) {
    if (member == null) return ITSELF;
    if (TWIN < 0) return NOBODY;
    MemberName twin = (MemberName) UNSAFE.getReference(member, TWIN);
    // A MemberName that was made from another one has its field.
    return twin != null && isOf(member, twin) ? twin : findTwin(member);
  }

  /** It can be called with one argument more. */
  @Hidden
  public static boolean isCopy(Object twin) {
    return twin != ITSELF && twin != NOBODY;
  }

  @Hidden
  public static boolean isNobody(Object twin) {
    return twin == NOBODY;
  }

  @Hidden
  private static boolean isOf(MemberName member, MemberName twin) {
    return !isCopy(twin)
        || (twin.getDeclaringClass() == member.getDeclaringClass() && twin.getReferenceKind() == member.getReferenceKind());
  }

  @Hidden
  private static MemberName findTwin(MemberName member) {
    BursarProbe.sleep();
    MemberName twin;
    try {
      twin = resolved(member);
    } catch (Throwable e) {
      twin = NOBODY;
    }
    UNSAFE.putReferenceVolatile(member, TWIN, twin);
    return twin;
  }

  private static MemberName resolved(MemberName member) {
    Class<?> holder = member.getDeclaringClass();
    if (!member.isInvocable() || member.isNative() || isKnownToVm(holder)) return ITSELF;
    byte kind = member.getReferenceKind();
    boolean initialises = kind == INVOKE_SPECIAL && member.getName().equals("<init>");
    byte resolvedAs = initialises ? NEW_INVOKE_SPECIAL : kind;
    MethodType type = member.getMethodType().appendParameterTypes(MARK);
    MemberName twin = new MemberName(holder, member.getName(), type, resolvedAs);
    twin = MemberName.getFactory().resolveOrNull(resolvedAs, twin, holder, TRUSTED);
    // What every class has from Object has two bodies; so has what bursts must not lead through.
    if (twin == null) return holder.isHidden() ? NOBODY : ITSELF;
    return initialises ? twin.asSpecial() : twin;
  }

  /** As in src/agent/copied_methods.cpp. */
  private static boolean isKnownToVm(Class<?> holder) {
    return switch (holder.getName()) {
      case "java.lang.Object",
          "java.lang.VirtualThread",
          "java.security.AccessController",
          "jdk.internal.vm.Continuation" -> true;
      default -> false;
    };
  }

  /**
   * Links a copy's call. `what`: the bootstrap method of the copied invokedynamic, with its arguments; or the class of which the
   * call names a method, MethodHandle or VarHandle, and then the type begins with it.
   */
  @Hidden
  public static CallSite link(MethodHandles.Lookup caller, String name, MethodType type, Object[] what) {
    Object[] last = new Object[1];
    if (what[0] instanceof MethodHandle bootstrap) {
      Object arguments = what.length == 1 ? null : what.length == 2 ? what[1] : java.util.Arrays.copyOfRange(what, 1, what.length);
      CallSite site = CallSite.makeSite(bootstrap, name, type, arguments, caller.lookupClass());
      CallSite counted = null;
      try {
        boolean constant = site instanceof ConstantCallSite;
        last[0] = constant ? site.dynamicInvoker() : site;
        counted = counted(constant ? Invokers.linkToTargetMethod(type) : Invokers.linkToCallSiteMethod(type), last, type);
      } catch (Throwable e) {
        // Below.
      }
      return counted != null ? counted : uncounted(site.dynamicInvoker());
    }
    Class<?> holder = (Class<?>) what[0];
    MethodType ofMethod = type.dropParameterTypes(0, 1);
    CallSite counted = null;
    try {
      counted = counted(MethodHandleNatives.linkMethod(caller.lookupClass(), INVOKE_VIRTUAL, holder, name, ofMethod, last), last, type);
    } catch (Throwable e) {
      // What is wrong with the call itself shows below.
    }
    if (counted != null) return counted;
    if (holder == VarHandle.class) {
      return uncounted(MethodHandles.varHandleInvoker(VarHandle.AccessMode.valueFromMethodName(name), ofMethod));
    }
    return uncounted(name.equals("invokeExact") ? MethodHandles.exactInvoker(ofMethod) : MethodHandles.invoker(ofMethod));
  }

  /** The copy of the adapter, with what it takes last; null if there is none. */
  private static CallSite counted(MemberName adapter, Object[] last, MethodType type) {
    MemberName twin = twin(adapter);
    if (!isCopy(twin)) return null;
    MethodHandle handle = DirectMethodHandle.make(twin.getDeclaringClass(), twin);
    int count = type.parameterCount();
    handle = last[0] != null ? MethodHandles.insertArguments(handle, count, last[0], null) : MethodHandles.insertArguments(handle, count, (Object) null);
    // Adapters take what the VM takes for the same, as it lets them be called.
    if (handle.type().basicType() != type.basicType()) return null;
    return new ConstantCallSite(handle.viewAsType(type, false));
  }

  /** As it is, and nothing below is counted. */
  private static CallSite uncounted(MethodHandle handle) {
    try {
      MethodHandle sleep = MethodHandles.Lookup.IMPL_LOOKUP.findStatic(BursarProbe.class, "sleep", MethodType.methodType(void.class));
      return new ConstantCallSite(MethodHandles.foldArguments(handle, sleep));
    } catch (Throwable e) {
      return new ConstantCallSite(handle);
    }
  }
}
