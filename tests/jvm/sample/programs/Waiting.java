import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.locks.LockSupport;

/** Waits in all ways there are, and says which of them ended early or with an error. The argument is its library. */
public class Waiting {
    interface Wait {
        void run() throws Exception;
    }

    static native int interruptedReads(int rounds);

    static final long MS = 300;

    static String took(String name, Wait wait) {
        long start = System.nanoTime();
        try {
            wait.run();
        } catch (Exception e) {
            return name + ": " + e + "\n";
        }
        long ms = (System.nanoTime() - start) / 1_000_000;
        return ms >= MS - 1 ? "" : name + ": " + ms + " ms\n";
    }

    static void later(Wait what) {
        Thread thread = new Thread(() -> {
            try {
                Thread.sleep(MS);
                what.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
    }

    static void readSocket() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket there = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket here = server.accept()) {
            OutputStream out = there.getOutputStream();
            later(() -> out.write(7));
            if (here.getInputStream().read() != 7) throw new IllegalStateException("another byte");
        }
    }

    static void accept() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            later(() -> new Socket(server.getInetAddress(), server.getLocalPort()).close());
            server.accept().close();
        }
    }

    static void select() throws Exception {
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        try (Selector selector = Selector.open()) {
            pipe.source().register(selector, SelectionKey.OP_READ);
            later(() -> pipe.sink().write(ByteBuffer.wrap(new byte[] {7})));
            if (selector.select() != 1) throw new IllegalStateException("nothing selected");
        }
        pipe.source().close();
        pipe.sink().close();
    }

    static void runProcess() throws Exception {
        Process process = new ProcessBuilder("sleep", "0.3").start();
        try (InputStream in = process.getInputStream()) {
            if (in.read() != -1) throw new IllegalStateException("it said something");
        }
        if (process.waitFor() != 0) throw new IllegalStateException("status " + process.exitValue());
    }

    static void awaitLock() throws Exception {
        Object lock = new Object();
        synchronized (lock) {
            lock.wait(MS);
        }
    }

    static void park() {
        long end = System.nanoTime() + MS * 1_000_000;
        for (long left; (left = end - System.nanoTime()) > 0;) LockSupport.parkNanos(left);
    }

    public static void main(String[] arguments) throws Exception {
        System.load(arguments[0]);
        String early = took("sleep", () -> Thread.sleep(MS)) + took("wait", Waiting::awaitLock)
                + took("park", Waiting::park) + took("socket", Waiting::readSocket) + took("accept", Waiting::accept)
                + took("select", Waiting::select) + took("process", Waiting::runProcess);
        int interrupted = interruptedReads(5);
        System.out.println(early.isEmpty() ? "all waited" : early);
        System.out.println("interrupted reads: " + interrupted);
    }
}
