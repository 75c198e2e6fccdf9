import java.security.AccessController;
import java.security.PrivilegedAction;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.lang.reflect.Array;

/** Native methods of the JDK: as callees, throwing, and calling back into Java. */
@SuppressWarnings({"removal", "deprecation"})
public class JdkNatives implements Cloneable {
    static int made;

    public JdkNatives() { counted(); }
    static void counted() { made++; }

    public static class Unlucky {
        public Unlucky() { throw new IllegalStateException(); }
    }

    static class Loaded {
        static { loadedNow(); }
    }

    static void loadedNow() { }

    /** Class.forName calls back into loadClass. */
    static class OwnLoader extends ClassLoader {
        OwnLoader() { super(JdkNatives.class.getClassLoader()); }
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            seen(name);
            if (name.startsWith("missing")) throw new ClassNotFoundException(name);
            return super.loadClass(name, resolve);
        }
        static void seen(String name) { }
    }

    static void marker() { }

    static int copies(int n) {
        int[] from = new int[8], to = new int[8];
        int caught = 0;
        for (int i = 0; i < n; i++) {
            System.arraycopy(from, 0, to, 0, 8);
            try {
                System.arraycopy(from, 4, to, 0, 8);
            } catch (ArrayIndexOutOfBoundsException expected) {
                marker();
                caught++;
            }
            try {
                System.arraycopy(from, 0, "no array", 0, 1);
            } catch (ArrayStoreException expected) {
                marker();
                caught++;
            }
            try {
                Array.newInstance(void.class, 1);
            } catch (IllegalArgumentException expected) {
                marker();
                caught++;
            }
        }
        return caught;
    }

    static int objects(int n) throws Exception {
        int total = 0;
        for (int i = 0; i < n; i++) {
            JdkNatives it = JdkNatives.class.newInstance();
            JdkNatives copy = (JdkNatives) it.clone();
            total += it.hashCode() == it.hashCode() ? 1 : 0;
            total += copy.getClass() == it.getClass() ? 1 : 0;
            total += ((int[]) Array.newInstance(int.class, i)).clone().length;
            try {
                Unlucky.class.newInstance();
            } catch (IllegalStateException expected) {
                total++;
            }
        }
        return total;
    }

    static int privileged(int n) throws Exception {
        int total = 0;
        for (int i = 0; i < n; i++) {
            int k = i;
            total += AccessController.doPrivileged((PrivilegedAction<Integer>) () -> action(k));
            try {
                AccessController.doPrivileged((PrivilegedExceptionAction<Integer>) () -> failingAction(k));
            } catch (PrivilegedActionException expected) {
                total++;
            }
        }
        return total;
    }

    static int action(int n) { return n; }
    static int failingAction(int n) throws Exception { throw new Exception("on purpose"); }

    static int loads(int n) throws Exception {
        OwnLoader loader = new OwnLoader();
        int total = 0;
        for (int i = 0; i < n; i++) {
            try {
                Class.forName("missing.Class" + i, true, loader);
            } catch (ClassNotFoundException expected) {
                total++;
            }
        }
        total += Class.forName("JdkNatives$Loaded", true, loader).getName().length();
        return total;
    }

    static void waiting(Object lock, int n) throws InterruptedException {
        synchronized (lock) {
            for (int i = 0; i < n; i++) lock.wait(1);
            lock.notifyAll();
        }
        try {
            lock.notify();
        } catch (IllegalMonitorStateException expected) {
            marker();
        }
        Thread.currentThread().interrupt();
        try {
            Thread.sleep(1000);
        } catch (InterruptedException expected) {
            marker();
        }
    }

    // expect 60 JdkNatives.main;JdkNatives.copies;JdkNatives.marker
    // expect 60 JdkNatives.copies;java.lang.System.arraycopy
    // expect 20 JdkNatives.<init>;JdkNatives.counted
    // expect 20 JdkNatives$Unlucky.<init>
    // expect 40 JdkNatives.objects;java.lang.Object.clone
    // expect 40 JdkNatives.objects;java.lang.Object.hashCode
    // expect 40 JdkNatives.objects;java.lang.Object.getClass
    // expect 20 JdkNatives.lambda$privileged$*;JdkNatives.action
    // expect 20 JdkNatives.lambda$privileged$*;JdkNatives.failingAction
    // expect 11 java.lang.Class.forName0;java.lang.ClassLoader.loadClass;JdkNatives$OwnLoader.loadClass;JdkNatives$OwnLoader.seen
    // expect 1 java.lang.Class.forName0;JdkNatives$Loaded.<clinit>;JdkNatives.loadedNow
    // expect 2 JdkNatives.waiting;JdkNatives.marker
    public static void main(String[] args) throws Exception {
        int total = copies(20) + objects(20) + privileged(20) + loads(10);
        waiting(new Object(), 3);
        System.out.println(total + made);
    }
}
