/** Lists the members of a class that is not initialised, which does not initialise it. */
public class Unready {
  static class Quiet {
    static {
      System.out.println("initialised");
    }

    static int field;

    Quiet() {}

    void method() {}
  }

  public static void main(String[] words) {
    System.out.println(Quiet.class.getDeclaredMethods().length);
    System.out.println(Quiet.class.getDeclaredFields().length);
    System.out.println(Quiet.class.getDeclaredConstructors().length);
    System.out.println("listed");
    new Quiet().method();
  }
}
