import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** The ways in which a program ends, what it reads and what it writes. */
public class Endings {
  public static void main(String[] arguments) throws Exception {
    System.out.println("main " + String.join("|", arguments));
    switch (arguments[0]) {
      case "return" -> {}
      case "exit" -> System.exit(Integer.parseInt(arguments[1]));
      case "uncaught" -> throw new IllegalStateException("uncaught", new RuntimeException("cause"));
      case "uncaught-error" -> throw new AssertionError();
      case "halt" -> {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("never printed")));
        Runtime.getRuntime().halt(7);
      }
      case "exit-with-hooks" -> {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        System.exit(3);
      }
      case "halt-in-hook" -> {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
          System.out.println("hook halts");
          Runtime.getRuntime().halt(9);
        }));
        System.exit(3);
      }
      case "hook-throws" -> {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
          throw new IllegalStateException("in a hook");
        }, "hook"));
      }
      case "thread-dies" -> {
        Thread thread = new Thread(() -> {
          throw new UnsupportedOperationException("in a thread");
        }, "dying");
        thread.start();
        thread.join();
      }
      case "thread-exits" -> {
        Thread thread = new Thread(() -> System.exit(5), "exiting");
        thread.start();
        thread.join();
      }
      case "threads-outlive-main" -> {
        Thread thread = new Thread(() -> {
          try {
            Thread.sleep(200);
          } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
          }
          System.out.println("after main");
        });
        thread.start();
      }
      case "daemon-dropped" -> {
        Thread thread = new Thread(() -> {
          while (true) Math.floorMod(System.nanoTime(), 7);
        });
        thread.setDaemon(true);
        thread.start();
      }
      case "init-throws" -> new Broken();
      case "stdin" -> readAll();
      case "stdin-and-exit" -> {
        readAll();
        System.exit(Integer.parseInt(arguments[1]));
      }
      case "flood" -> flood(Integer.parseInt(arguments[1]));
      case "out-of-memory" -> {
        try {
          long[][] held = new long[1 << 20][];
          for (int i = 0; i < held.length; i++) held[i] = new long[1 << 20];
          System.out.println("that much memory? " + held.length);
        } catch (OutOfMemoryError error) {
          System.out.println(error.getMessage());
        }
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    System.out.println("end of main");
  }

  static class Broken {
    static final int VALUE = Integer.parseInt("no number");
  }

  private static void readAll() throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    CRC32 crc = new CRC32();
    int lines = 0;
    for (String line; (line = in.readLine()) != null; lines++) {
      crc.update(line.getBytes(StandardCharsets.UTF_8));
      if (lines % 1000 == 0) System.out.println(line);
    }
    System.out.println(lines + " " + Long.toHexString(crc.getValue()));
  }

  private static void flood(int lines) {
    for (int i = 0; i < lines; i++) {
      System.out.println(i + " abcdefghijklmnopqrstuvwxyz äöü " + Integer.toHexString(i * 0x9E3779B9));
      if (i % 100 == 0) System.err.println("err " + i);
    }
  }
}
