/**
 * Walks over a tree, by methods that call each other: what is a moment for the inner frames lasts long for the outer ones.
 */
public class Walks {
  static final class Node {
    final Node[] below;

    Node(int depth) {
      below = new Node[depth == 0 ? 0 : 3];
      for (int i = 0; i < below.length; ++i) below[i] = new Node(depth - 1);
    }
  }

  static int look(int x) {
    return x * 31 + 7;
  }

  static int stay(int x) {
    for (int i = 0; i < 5; ++i) x = look(x);
    return x;
  }

  static int visit(Node node, int x) {
    x = stay(x);
    for (Node next : node.below) x = enter(next, x);
    return x;
  }

  static int enter(Node node, int x) {
    for (int i = 0; i < 2; ++i) x = look(x);
    return visit(node, x);
  }

  public static void main(String[] arguments) {
    Node top = new Node(11);
    int x = 1;
    for (int i = 0; i < Integer.parseInt(arguments[0]); ++i) x = visit(top, x);
    System.out.println(x);
  }
}
