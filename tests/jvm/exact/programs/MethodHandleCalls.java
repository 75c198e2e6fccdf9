import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.lang.invoke.VarHandle;

/** Method handles and their combinators, variable handles, a call site that changes its mind. */
public class MethodHandleCalls {
    volatile int field;
    static int added(int a, int b) { return a + b; }
    static boolean isEven(int a, int b) { return (a & 1) == 0; }
    static int onEven(int a, int b) { return a; }
    static int onOdd(int a, int b) { return b; }
    static int filter(int a) { return a + 1; }
    static int fails(int a) { throw new IllegalArgumentException(); }
    static int rescued(IllegalArgumentException why, int a) { return -a; }
    static int cleaned(Throwable why, int result, int a) { return why == null ? result : -1; }
    static int summed(int... all) { return all.length; }
    int instance(int n) { return n + 1; }
    private int secret(int n) { return n + 2; }
    static int first() { return 1; }
    static int second() { return 2; }

    static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    static final VarHandle FIELD;
    static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);

    static {
        try {
            FIELD = LOOKUP.findVarHandle(MethodHandleCalls.class, "field", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static MethodHandle find(String name, Class<?> returned, Class<?>... parameters) throws ReflectiveOperationException {
        return LOOKUP.findStatic(MethodHandleCalls.class, name, MethodType.methodType(returned, parameters));
    }

    static int exact(int n) throws Throwable {
        MethodHandle added = find("added", int.class, int.class, int.class);
        int total = 0;
        for (int i = 0; i < n; i++) total += (int) added.invokeExact(i, 1);
        for (int i = 0; i < n; i++) total += (Integer) added.invoke((Integer) i, (short) 1);
        for (int i = 0; i < n; i++) total += (Integer) added.invokeWithArguments(i, 1);
        return total;
    }

    static int bound(int n) throws Throwable {
        MethodHandle instance = LOOKUP.findVirtual(MethodHandleCalls.class, "instance", MethodType.methodType(int.class, int.class))
                .bindTo(new MethodHandleCalls());
        MethodHandle secret = LOOKUP.findSpecial(MethodHandleCalls.class, "secret", MethodType.methodType(int.class, int.class),
                MethodHandleCalls.class);
        MethodHandle made = LOOKUP.findConstructor(MethodHandleCalls.class, MethodType.methodType(void.class));
        int total = 0;
        for (int i = 0; i < n; i++) {
            MethodHandleCalls it = (MethodHandleCalls) made.invokeExact();
            total += (int) instance.invokeExact(i) + (int) secret.invokeExact(it, i);
        }
        return total;
    }

    static int combined(int n) throws Throwable {
        MethodHandle added = find("added", int.class, int.class, int.class);
        MethodHandle filter = find("filter", int.class, int.class);
        MethodHandle filtered = MethodHandles.filterReturnValue(MethodHandles.filterArguments(added, 0, filter, filter), filter);
        MethodHandle guarded = MethodHandles.guardWithTest(find("isEven", boolean.class, int.class, int.class),
                find("onEven", int.class, int.class, int.class), find("onOdd", int.class, int.class, int.class));
        MethodHandle spread = added.asSpreader(int[].class, 2);
        MethodHandle collected = find("summed", int.class, int[].class).asVarargsCollector(int[].class);
        int total = 0;
        for (int i = 0; i < n; i++) {
            total += (int) filtered.invokeExact(i, 2) + (int) guarded.invokeExact(i, 5);
            total += (int) spread.invokeExact(new int[] {i, 1}) + (int) collected.invoke(1, 2, 3, i);
        }
        return total;
    }

    static int failing(int n) throws Throwable {
        MethodHandle fails = find("fails", int.class, int.class);
        MethodHandle rescued = MethodHandles.catchException(fails, IllegalArgumentException.class,
                find("rescued", int.class, IllegalArgumentException.class, int.class));
        MethodHandle cleaned = MethodHandles.tryFinally(fails, find("cleaned", int.class, Throwable.class, int.class, int.class));
        int total = 0;
        for (int i = 0; i < n; i++) {
            total += (int) rescued.invokeExact(i);
            try {
                total += (int) cleaned.invokeExact(i);
            } catch (IllegalArgumentException expected) {
                total++;
            }
        }
        return total;
    }

    static int variables(int n) {
        MethodHandleCalls it = new MethodHandleCalls();
        int[] array = new int[4];
        for (int i = 0; i < n; i++) {
            FIELD.setVolatile(it, (int) FIELD.getAndAdd(it, 2));
            if (!FIELD.compareAndSet(it, i, i + 1)) ELEMENT.setRelease(array, i & 3, i);
        }
        return it.field + array[1];
    }

    static int changing(int n) throws Throwable {
        MutableCallSite site = new MutableCallSite(find("first", int.class));
        MethodHandle invoker = ((CallSite) site).dynamicInvoker();
        int total = 0;
        for (int i = 0; i < n; i++) {
            if (i == n / 2) site.setTarget(find("second", int.class));
            total += (int) invoker.invokeExact();
        }
        return total;
    }

    // expect 350 MethodHandleCalls.added
    // expect 50 MethodHandleCalls.instance
    // expect 50 MethodHandleCalls.secret
    // expect 52 MethodHandleCalls.<init>
    // expect 300 MethodHandleCalls.filter
    // expect 100 MethodHandleCalls.isEven
    // expect 50 MethodHandleCalls.onEven
    // expect 50 MethodHandleCalls.onOdd
    // expect 100 MethodHandleCalls.summed
    // expect 80 MethodHandleCalls.fails
    // expect 40 MethodHandleCalls.rescued
    // expect 40 MethodHandleCalls.cleaned
    // expect 30 MethodHandleCalls.first
    // expect 30 MethodHandleCalls.second
    public static void main(String[] args) throws Throwable {
        System.out.println(exact(50) + bound(50) + combined(100) + failing(40) + variables(40) + changing(60));
    }
}
