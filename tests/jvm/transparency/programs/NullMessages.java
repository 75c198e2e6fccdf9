import java.util.function.Supplier;

/** What HotSpot says about null: it reads the bytecode around the place (JEP 358), so it reads ours. */
public class NullMessages {
  int number;
  long wide;
  String text;
  NullMessages next;
  int[] numbers;
  NullMessages[][] table;
  static NullMessages shared;
  static int[][] grid = new int[3][];

  NullMessages self() {
    return next;
  }

  static NullMessages nothing() {
    return null;
  }

  static NullMessages nothing(int a, long b, String c) {
    return null;
  }

  interface Body {
    Object run() throws Throwable;
  }

  static void show(Body body) {
    try {
      System.out.println("returned " + body.run());
    } catch (Throwable thrown) {
      System.out.println(thrown + " at " + thrown.getStackTrace()[0]);
    }
  }

  public static void main(String[] arguments) {
    parameters(1, 2L, null, null, 3.0);
    locals(5);
    new NullMessages().instance(null);
    calls();
    arrays(1, 2);
    loops();
    handlers(null);
    branches(arguments.length);
    try {
      synchronizedMethod(null);
    } catch (NullPointerException thrown) {
      System.out.println(thrown.getMessage());
    }
    show(() -> shared.number);
    show(() -> ((Supplier<String>) null).get());
    show(() -> {
      Integer boxed = null;
      int sum = 1 + boxed;
      return sum;
    });
    show(() -> {
      throw null;
    });
    show(() -> {
      RuntimeException thrown = null;
      throw thrown;
    });
    show(() -> {
      Object lock = null;
      synchronized (lock) {
        return 1;
      }
    });
    show(() -> {
      String name = null;
      switch (name) {
        case "a":
          return 1;
        default:
          return 2;
      }
    });
    show(() -> new NullMessages().next.next.text);
    show(() -> {
      nothing().number = nothing(1, 2, "x").number;
      return 0;
    });
    show(() -> {
      for (String each : (String[]) null) System.out.println(each);
      return 0;
    });
    generic(null, 7);
    constructor();
    casts(null);
    hot();
  }

  static void parameters(int a, long b, String c, NullMessages d, double e) {
    try {
      System.out.println(c.length());
    } catch (NullPointerException thrown) {
      System.out.println("parameters 1: " + thrown.getMessage());
    }
    try {
      System.out.println(d.number);
    } catch (NullPointerException thrown) {
      System.out.println("parameters 2: " + thrown.getMessage());
    }
    try {
      d.wide = b;
    } catch (NullPointerException thrown) {
      System.out.println("parameters 3: " + thrown.getMessage());
    }
    try {
      d.next.next = null;
    } catch (NullPointerException thrown) {
      System.out.println("parameters 4: " + thrown.getMessage());
    }
    d = null;
    try {
      d.self();
    } catch (NullPointerException thrown) {
      System.out.println("parameters 5: " + thrown.getMessage());
    }
  }

  static void locals(int size) {
    long before = size;
    NullMessages one = null;
    double between = 2;
    int[] two = null;
    String three = size > 100 ? "x" : null;
    try {
      one.number++;
    } catch (NullPointerException thrown) {
      System.out.println("locals 1: " + thrown.getMessage());
    }
    try {
      two[size] = 3;
    } catch (NullPointerException thrown) {
      System.out.println("locals 2: " + thrown.getMessage());
    }
    try {
      System.out.println(two.length + before + between);
    } catch (NullPointerException thrown) {
      System.out.println("locals 3: " + thrown.getMessage());
    }
    try {
      System.out.println(three.substring(size));
    } catch (NullPointerException thrown) {
      System.out.println("locals 4: " + thrown.getMessage());
    }
    {
      NullMessages scoped = nothing();
      try {
        scoped.self().self();
      } catch (NullPointerException thrown) {
        System.out.println("locals 5: " + thrown.getMessage());
      }
    }
  }

  void instance(NullMessages other) {
    try {
      this.text.trim();
    } catch (NullPointerException thrown) {
      System.out.println("instance 1: " + thrown.getMessage());
    }
    try {
      other.text.trim();
    } catch (NullPointerException thrown) {
      System.out.println("instance 2: " + thrown.getMessage());
    }
    try {
      this.next.next.number = 4;
    } catch (NullPointerException thrown) {
      System.out.println("instance 3: " + thrown.getMessage());
    }
  }

  static void calls() {
    try {
      nothing().self();
    } catch (NullPointerException thrown) {
      System.out.println("calls 1: " + thrown.getMessage());
    }
    try {
      System.out.println(nothing(1, 2L, "c").number);
    } catch (NullPointerException thrown) {
      System.out.println("calls 2: " + thrown.getMessage());
    }
    NullMessages chain = new NullMessages();
    try {
      chain.self().self().self();
    } catch (NullPointerException thrown) {
      System.out.println("calls 3: " + thrown.getMessage());
    }
    try {
      System.out.println(chain.text.concat(String.valueOf(chain.number)).length());
    } catch (NullPointerException thrown) {
      System.out.println("calls 4: " + thrown.getMessage());
    }
    try {
      System.out.println(identity(chain.self()).text);
    } catch (NullPointerException thrown) {
      System.out.println("calls 5: " + thrown.getMessage());
    }
    try {
      chain.next.hashCode();
    } catch (NullPointerException thrown) {
      System.out.println("calls 6: " + thrown.getMessage());
    }
    try {
      chain.numbers.clone();
    } catch (NullPointerException thrown) {
      System.out.println("calls 7: " + thrown.getMessage());
    }
    try {
      chain.next.getClass();
    } catch (NullPointerException thrown) {
      System.out.println("calls 8: " + thrown.getMessage());
    }
  }

  static NullMessages identity(NullMessages any) {
    return any;
  }

  static void arrays(int i, int j) {
    NullMessages holder = new NullMessages();
    long[][] longs = new long[4][];
    try {
      grid[i][j] = 1;
    } catch (NullPointerException thrown) {
      System.out.println("arrays 1: " + thrown.getMessage());
    }
    try {
      System.out.println(holder.table[i][j].number);
    } catch (NullPointerException thrown) {
      System.out.println("arrays 2: " + thrown.getMessage());
    }
    holder.table = new NullMessages[3][3];
    try {
      System.out.println(holder.table[i][j + 0].text);
    } catch (NullPointerException thrown) {
      System.out.println("arrays 3: " + thrown.getMessage());
    }
    try {
      System.out.println(longs[i + j - 1][index(j)]);
    } catch (NullPointerException thrown) {
      System.out.println("arrays 4: " + thrown.getMessage());
    }
    try {
      holder.numbers[holder.number] = index(2);
    } catch (NullPointerException thrown) {
      System.out.println("arrays 5: " + thrown.getMessage());
    }
    try {
      System.out.println((new int[2][][])[i].length);
    } catch (NullPointerException thrown) {
      System.out.println("arrays 6: " + thrown.getMessage());
    }
    try {
      System.out.println(longs[index(j)].length + grid[7][0]);
    } catch (RuntimeException thrown) {
      System.out.println("arrays 7: " + thrown.getMessage());
    }
    try {
      System.out.println(grid[index(7)][0]);
    } catch (RuntimeException thrown) {
      System.out.println("arrays 8: " + thrown.getMessage());
    }
  }

  static int index(int i) {
    return i;
  }

  static void loops() {
    NullMessages[] all = {new NullMessages(), null};
    for (NullMessages each : all) {
      for (int i = 0; i < 2; i++) {
        try {
          each.numbers[i]++;
        } catch (NullPointerException thrown) {
          System.out.println("loops: " + thrown.getMessage());
        }
      }
    }
  }

  static void handlers(String text) {
    try {
      text.length();
    } catch (NullPointerException thrown) {
      try {
        text.trim();
      } catch (NullPointerException inner) {
        System.out.println("handlers 1: " + inner.getMessage());
      } finally {
        try {
          System.out.println(text.charAt(2));
        } catch (NullPointerException inner) {
          System.out.println("handlers 2: " + inner.getMessage());
        }
      }
    }
  }

  static void branches(int zero) {
    String text = zero == 0 ? null : "x";
    NullMessages either = zero == 0 ? nothing() : shared;
    try {
      (zero == 0 ? text : "y").length();
    } catch (NullPointerException thrown) {
      System.out.println("branches 1: " + thrown.getMessage());
    }
    try {
      either.number = zero == 0 ? 3 : 4;
    } catch (NullPointerException thrown) {
      System.out.println("branches 2: " + thrown.getMessage());
    }
  }

  static synchronized void synchronizedMethod(String text) {
    long unused = 3;
    synchronized (NullMessages.class) {
      String copy = text;
      copy.length();
    }
  }

  static <T extends NullMessages> void generic(T value, int number) {
    try {
      value.number = number;
    } catch (NullPointerException thrown) {
      System.out.println("generic: " + thrown.getMessage());
    }
  }

  static class Made extends NullMessages {
    final int length;

    Made(String name, int[] data) {
      super();
      NullMessages local = next;
      try {
        System.out.println(data[0]);
      } catch (NullPointerException thrown) {
        System.out.println("constructor 1: " + thrown.getMessage());
      }
      try {
        local.text = name;
      } catch (NullPointerException thrown) {
        System.out.println("constructor 2: " + thrown.getMessage());
      }
      length = name.length();
    }

    Made(NullMessages other) {
      this(other.text, other.numbers);
    }
  }

  static void constructor() {
    try {
      new Made(null, null);
    } catch (NullPointerException thrown) {
      System.out.println("constructor 3: " + thrown.getMessage());
    }
    try {
      new Made(null);
    } catch (NullPointerException thrown) {
      System.out.println("constructor 4: " + thrown.getMessage());
    }
    try {
      new NullMessages().new Inner(null);
      nothing().new Inner("");
    } catch (NullPointerException thrown) {
      System.out.println("constructor 5: " + thrown.getMessage());
    }
  }

  class Inner {
    Inner(String name) {
      try {
        System.out.println(name.length() + number);
      } catch (NullPointerException thrown) {
        System.out.println("inner: " + thrown.getMessage());
      }
    }
  }

  static void casts(Object any) {
    try {
      ((NullMessages) any).self();
    } catch (NullPointerException thrown) {
      System.out.println("casts 1: " + thrown.getMessage());
    }
    try {
      System.out.println((int) any);
    } catch (NullPointerException thrown) {
      System.out.println("casts 2: " + thrown.getMessage());
    }
    for (Object wrong : new Object[] {"text", 1, new int[0], new NullMessages[0]}) {
      try {
        System.out.println((NullMessages) wrong);
      } catch (ClassCastException thrown) {
        System.out.println("casts 3: " + thrown.getMessage());
      }
    }
  }

  static void hot() {
    String last = "";
    for (int i = 0; i < 20000; i++) {
      NullMessages victim = i % 100 == 0 ? null : new NullMessages();
      try {
        last = "" + victim.number;
      } catch (NullPointerException thrown) {
        if (i % 5000 == 0) System.out.println("hot: " + thrown.getMessage());
      }
    }
    System.out.println(last);
  }
}
