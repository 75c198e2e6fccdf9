import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/** Calls of every kind; prints what a program can see of itself. */
public class Calls {
  interface Shape {
    double area();

    default double twice() {
      return 2 * area();
    }
  }

  record Square(double side) implements Shape {
    public double area() {
      return side * side;
    }
  }

  static class Circle implements Shape {
    private final double radius;

    Circle(double radius) {
      this.radius = radius;
    }

    public double area() {
      return 3 * radius * radius;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Circle c && c.radius == radius;
    }

    @Override
    public int hashCode() {
      return (int) radius;
    }
  }

  static int depth(int n) {
    return n == 0 ? 0 : 1 + depth(n - 1);
  }

  static int thrown(int n) {
    try {
      if (n % 3 == 0) throw new IllegalStateException("three");
      return n;
    } catch (IllegalStateException e) {
      return -e.getStackTrace()[0].getLineNumber();
    } finally {
      depth(1);
    }
  }

  static long work(int rounds) throws Exception {
    long sum = 0;
    List<Shape> shapes = new ArrayList<>();
    Map<Object, Integer> seen = new HashMap<>();
    IntUnaryOperator square = x -> x * x;
    for (int i = 0; i < rounds; i++) {
      Shape shape = i % 2 == 0 ? new Square(i) : new Circle(i % 50);
      shapes.add(shape);
      seen.merge(shape, 1, Integer::sum);
      sum += (long) shape.twice() + depth(i % 7) + thrown(i) + square.applyAsInt(i);
      sum += (Integer) Calls.class.getDeclaredMethod("depth", int.class).invoke(null, 3);
    }
    Map<Integer, String> sorted = new TreeMap<>();
    for (Shape shape : shapes) sorted.put((int) shape.area(), shape.getClass().getSimpleName());
    return sum + seen.size() + sorted.hashCode();
  }

  public static void main(String[] args) throws Exception {
    int times = Integer.parseInt(args[0]);
    long sum = 0;
    for (int i = 0; i < times; i++) sum = work(2000);
    System.out.println(sum);
    String[] methods = Arrays.stream(Calls.class.getDeclaredMethods()).map(Object::toString).sorted().toArray(String[]::new);
    System.out.println(Arrays.toString(methods));
    System.out.println(Arrays.toString(Circle.class.getDeclaredConstructors()));
    System.out.println(Arrays.toString(Thread.class.getDeclaredFields()).contains("bursar"));
    List<String> frames = StackWalker.getInstance().walk(s -> s.map(Object::toString).toList());
    System.out.println(frames);
  }
}
