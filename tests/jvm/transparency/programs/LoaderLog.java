import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Class loaders that write down what they are asked for. */
public class LoaderLog {
  static final ConcurrentLinkedQueue<String> LOG = new ConcurrentLinkedQueue<>();

  /** Loads the program's classes itself, asks its parent for others. */
  static class Recording extends ClassLoader {
    final String name;

    Recording(String name, ClassLoader parent) {
      super(name, parent);
      this.name = name;
    }

    @Override
    protected Class<?> loadClass(String type, boolean resolve) throws ClassNotFoundException {
      LOG.add(name + " loadClass " + type + " " + resolve);
      synchronized (getClassLoadingLock(type)) {
        if (type.startsWith("LoaderLog$Loaded")) {
          Class<?> there = findLoadedClass(type);
          return there != null ? there : findClass(type);
        }
        return super.loadClass(type, resolve);
      }
    }

    @Override
    protected Class<?> findClass(String type) throws ClassNotFoundException {
      LOG.add(name + " findClass " + type);
      try (InputStream in = LoaderLog.class.getResourceAsStream(type + ".class")) {
        if (in == null) throw new ClassNotFoundException(type);
        byte[] bytes = in.readAllBytes();
        return defineClass(type, bytes, 0, bytes.length);
      } catch (IOException failed) {
        throw new ClassNotFoundException(type, failed);
      }
    }

    @Override
    protected Class<?> findClass(String module, String type) {
      LOG.add(name + " findClass " + module + "/" + type);
      return super.findClass(module, type);
    }

    @Override
    protected URL findResource(String resource) {
      LOG.add(name + " findResource " + resource);
      return super.findResource(resource);
    }

    @Override
    protected String findLibrary(String library) {
      LOG.add(name + " findLibrary " + library);
      return null;
    }
  }

  /** Has no parent but the boot loader, and not even asks that one without writing it down. */
  static class Alone extends Recording {
    Alone() {
      super("alone", null);
    }
  }

  public static class LoadedMain implements Runnable {
    static int calls;

    @Override
    public void run() {
      for (int i = 0; i < 3; i++) calls += LoadedHelper.help(i);
      Runnable lambda = () -> calls++;
      lambda.run();
      try {
        LoadedHelper.fail();
      } catch (LoadedException expected) {
        calls += 2;
      }
      Object made = new LoadedChild();
      synchronized (made) {
        calls += made.hashCode() == 7 ? 1 : 2;
      }
      String text = "calls " + calls + " " + made;
      System.out.println(text + Thread.currentThread().getName().length() + Math.max(1, calls));
      LoadedNative.touch();
      int[] copy = new int[] {1}.clone();
      calls += copy[0];
    }
  }

  public static class LoadedHelper {
    static int help(int i) {
      return Integer.bitCount(i) + String.valueOf(i).length();
    }

    static void fail() throws LoadedException {
      throw new LoadedException();
    }
  }

  public static class LoadedException extends Exception {}

  public static class LoadedParent {
    @Override
    public String toString() {
      return "loaded";
    }
  }

  public static class LoadedChild extends LoadedParent {}

  public static class LoadedNative {
    static native void none();

    static void touch() {
      try {
        none();
      } catch (UnsatisfiedLinkError expected) {
        System.out.println(expected.getMessage());
      }
      System.nanoTime();
      new Object().hashCode();
    }
  }

  public static void main(String[] arguments) throws Exception {
    for (Recording loader : new Recording[] {new Recording("child", LoaderLog.class.getClassLoader()), new Alone(),
        new Recording("platform", ClassLoader.getPlatformClassLoader())}) {
      try {
        Class<?> type = Class.forName("LoaderLog$LoadedMain", true, loader);
        Runnable main = (Runnable) type.getDeclaredConstructor().newInstance();
        Thread thread = new Thread(main, "loaded");
        thread.setContextClassLoader(loader);
        thread.start();
        thread.join();
      } catch (Throwable thrown) {
        System.out.println(thrown);
      }
      System.out.println("--- " + loader.name);
      LOG.forEach(System.out::println);
      LOG.clear();
    }
    try (URLClassLoader empty = new URLClassLoader(new URL[0], null)) {
      System.out.println(empty.loadClass("java.lang.Object") == Object.class);
    }
  }
}
