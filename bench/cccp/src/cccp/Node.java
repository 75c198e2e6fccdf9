package cccp;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A context of one thread's tree (class CC of the paper) and what rewritten code calls. Trees are confined to their
 * threads. The handover between rewritten and other code goes through Thread.cccpNode, a field the rewriter adds.
 */
public final class Node {
    private static final Queue<Node> ROOTS = new ConcurrentLinkedQueue<>();
    private static final Node[] NO_SITES = new Node[0];

    static {
        if (System.getProperty("cccp.out") != null) Runtime.getRuntime().addShutdownHook(new Thread(Node::dump));
    }

    private final int method;
    private long calls;
    /** Open addressing by method number, linear probing; a power of two, at most half full. */
    private Node[] children = new Node[2];
    private int childCount;
    /** The last callee of each call site; only with call-site slots. */
    private Node[] sites = NO_SITES;

    private Node(int method) { this.method = method; }

    /** profileCall of the paper: the callee's node, one call added. */
    public static Node enter(Node caller, int method) {
        Node[] table = caller.children;
        Node callee = table[method & table.length - 1];
        if (callee == null || callee.method != method) callee = caller.child(method);
        callee.calls++;
        return callee;
    }

    /** The same with a slot for each call site of the caller looked at first. */
    public static Node enter(Node caller, int site, int method) {
        Node[] slots = caller.sites;
        if (site < slots.length) {
            Node callee = slots[site];
            if (callee != null && callee.method == method) {
                callee.calls++;
                return callee;
            }
        }
        return caller.enterSlowly(site, method);
    }

    /** Where code that was not rewritten calls rewritten code: the node that was last handed over. */
    public static Node current() {
        Object node = Thread.currentThread().cccpNode;
        return node != null ? (Node) node : newRoot();
    }

    /** Before rewritten code calls code that was not rewritten. */
    public static void leave(Node node) { Thread.currentThread().cccpNode = node; }

    private static Node newRoot() {
        Node root = new Node(-1);
        ROOTS.add(root);
        Thread.currentThread().cccpNode = root;
        return root;
    }

    private Node enterSlowly(int site, int method) {
        Node callee = child(method);
        callee.calls++;
        if (site >= sites.length) sites = Arrays.copyOf(sites, Math.max(site + 1, 2 * sites.length));
        sites[site] = callee;
        return callee;
    }

    private Node child(int wanted) {
        int mask = children.length - 1;
        for (int i = wanted & mask; ; i = i + 1 & mask) {
            Node child = children[i];
            if (child == null) return add(wanted);
            if (child.method == wanted) return child;
        }
    }

    private Node add(int wanted) {
        Node child = new Node(wanted);
        if (2 * ++childCount > children.length) {
            Node[] old = children;
            children = new Node[2 * old.length];
            for (Node each : old) if (each != null) place(each);
        }
        place(child);
        return child;
    }

    private void place(Node child) {
        int mask = children.length - 1;
        int i = child.method & mask;
        while (children[i] != null) i = i + 1 & mask;
        children[i] = child;
    }

    /** Writes all trees to the file cccp.out, parents first: depth, calls, method. */
    private static void dump() {
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(Path.of(System.getProperty("cccp.out"))))) {
            List<String> names = Files.readAllLines(Path.of(System.getProperty("cccp.methods")));
            Thread writer = new Thread(null, () -> ROOTS.forEach(root -> root.dump(out, names, 0)), "cccp", 1 << 30);
            writer.start();
            writer.join();
        } catch (Exception e) {
            e.printStackTrace();
        }
    }

    private void dump(PrintWriter out, List<String> names, int depth) {
        for (Node child : children) {
            if (child == null) continue;
            out.println(depth + " " + child.calls + " " + names.get(child.method));
            child.dump(out, names, depth + 1);
        }
    }
}
