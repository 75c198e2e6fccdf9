import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/** Looks at the stack of a thread that calls all the time, in every way there is, and prints each frame it ever sees. */
public class Watched {
  private static final int LOOKS = 300;
  private static volatile boolean done;
  private static int sum;

  interface Step {
    int next(int x);
  }

  static int leaf(int x) {
    return x + 1;
  }

  static synchronized void locked(Step step) {
    for (int i = 0; i < 1000 && !done; i++) sum = step.next(leaf(sum));
  }

  static class Spinner extends Thread {
    Spinner() {
      super("spinner");
      setDaemon(true);
    }

    @Override
    public void run() {
      Step step = new Step() {
        @Override
        public int next(int x) {
          return leaf(x) ^ 3;
        }
      };
      while (!done) locked(step);
    }
  }

  static void add(Set<String> seen, StackTraceElement frame) {
    seen.add(frame.getClassName() + "." + frame.getMethodName() + (frame.isNativeMethod() ? " native" : ""));
  }

  static void print(String way, Set<String> seen) {
    System.out.println(way + " " + seen);
  }

  static void addInfo(Set<String> seen, ThreadInfo info) {
    for (StackTraceElement frame : info.getStackTrace()) add(seen, frame);
    if (info.isInNative()) seen.add("in native");
    for (MonitorInfo monitor : info.getLockedMonitors()) {
      String method = monitor.getLockedStackFrame().getMethodName();
      if (!method.equals("locked")) seen.add("locked in " + method);
      if (!info.getStackTrace()[monitor.getLockedStackDepth()].equals(monitor.getLockedStackFrame())) {
        seen.add("locked at another depth");
      }
    }
  }

  public static void main(String[] args) throws Exception {
    Spinner spinner = new Spinner();
    spinner.start();
    long[] ids = {spinner.getId()};
    ThreadMXBean bean = ManagementFactory.getThreadMXBean();

    Set<String> one = new TreeSet<>(), all = new TreeSet<>(), info = new TreeSet<>(), dump = new TreeSet<>();
    Set<String> depths = new TreeSet<>();
    for (int i = 0; i < LOOKS; i++) {
      for (StackTraceElement frame : spinner.getStackTrace()) add(one, frame);
      for (StackTraceElement frame : Thread.getAllStackTraces().get(spinner)) add(all, frame);
      addInfo(info, bean.getThreadInfo(ids, Integer.MAX_VALUE)[0]);
      addInfo(dump, bean.getThreadInfo(ids, true, true)[0]);
      StackTraceElement[] top = bean.getThreadInfo(ids, 1)[0].getStackTrace();
      depths.add("frames: " + top.length);
      if (!top[0].getClassName().startsWith("Watched")) add(depths, top[0]);
    }
    print("getStackTrace", one);
    print("getAllStackTraces", all);
    print("getThreadInfo", info);
    print("dumpAllThreads", dump);
    print("one frame", depths);
    if (Runtime.version().feature() >= 21) dumpToFile();
    done = true;
    spinner.join();
  }

  /** HotSpotDiagnosticMXBean.dumpThreads, by its name: older JDKs do not have it. */
  private static void dumpToFile() throws Exception {
    Class<?> type = Class.forName("com.sun.management.HotSpotDiagnosticMXBean");
    Class<?> format = Class.forName("com.sun.management.HotSpotDiagnosticMXBean$ThreadDumpFormat");
    Object bean = ManagementFactory.getPlatformMXBean(type.asSubclass(java.lang.management.PlatformManagedObject.class));
    Path file = Path.of("threads.txt").toAbsolutePath();
    Set<String> seen = new TreeSet<>();
    for (int i = 0; i < LOOKS / 3; i++) {
      type.getMethod("dumpThreads", String.class, format).invoke(bean, file.toString(), format.getEnumConstants()[0]);
      boolean ofSpinner = false;
      for (String line : Files.readAllLines(file)) {
        if (line.startsWith("#")) ofSpinner = line.contains("\"spinner\"");
        String frame = line.strip();
        if (ofSpinner && frame.contains("(")) seen.add(frame.substring(0, frame.indexOf('(')));
      }
      Files.delete(file);
    }
    print("dumpThreads", seen);
  }
}
