import java.util.*;

public class Orders {
  record Order(int customer, int amount) {}

  static List<Order> orders(int count) {
    List<Order> orders = new ArrayList<>();
    for (int i = 0; i < count; i++) orders.add(new Order(i * 31 % 997, i % 100));
    return orders;
  }

  static Map<Integer, Integer> totals(List<Order> orders) {
    Map<Integer, Integer> totals = new HashMap<>();
    for (Order order : orders) totals.merge(order.customer(), order.amount(), Integer::sum);
    return totals;
  }

  public static void main(String[] args) {
    int sum = 0;
    for (int day = 0; day < 20; day++) {
      for (int total : totals(orders(5_000)).values()) sum += total;
    }
    System.out.println(sum);
  }
}
