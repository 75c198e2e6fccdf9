import java.util.stream.IntStream;

class Modern {
    sealed interface Shape permits Circle, Square {}

    record Circle(double radius) implements Shape {}

    record Square(int side, long area) implements Shape {}

    static String describe(Object o) {
        if (o instanceof Circle c && c.radius() > 1) return "circle " + c.radius();
        return switch (o instanceof Square s ? s.side() : -1) {
            case 1, 2 -> "small";
            case 3 -> {
                int total = IntStream.range(0, 10).filter(i -> i % 2 == 0).map(i -> i * i).sum();
                yield "three " + total;
            }
            default -> "?";
        };
    }
}
