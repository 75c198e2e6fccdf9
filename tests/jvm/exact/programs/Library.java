import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The class library at work: collections, streams, text, numbers. */
public class Library {
    static boolean isWanted(int n) { return n % 3 == 0; }
    static String text(int n) { return "n" + n; }

    /** Collides on purpose. */
    record Key(int n) {
        @Override public int hashCode() { return hash(n); }
        static int hash(int n) { return n % 4; }
    }

    static int collections(int n) {
        Map<Key, Integer> hashed = new HashMap<>();
        Map<String, Integer> sorted = new TreeMap<>(Collections.reverseOrder());
        PriorityQueue<Integer> queue = new PriorityQueue<>((a, b) -> b - a);
        ArrayDeque<Integer> deque = new ArrayDeque<>();
        for (int i = 0; i < n; i++) {
            hashed.put(new Key(i), i);
            sorted.merge(text(i % 10), 1, Integer::sum);
            queue.add(i * 7 % n);
            deque.push(i);
        }
        int total = queue.poll() + deque.pollLast();
        for (Map.Entry<String, Integer> entry : sorted.entrySet()) total += entry.getValue();
        List<Integer> list = new ArrayList<>(hashed.values());
        Collections.sort(list);
        return total + list.get(n / 2) + Collections.binarySearch(list, 5);
    }

    static int streams(int n) {
        Map<Integer, List<String>> grouped = IntStream.range(0, n).filter(Library::isWanted).mapToObj(Library::text)
                .collect(Collectors.groupingBy(String::length, LinkedHashMap::new, Collectors.toList()));
        Optional<String> longest = Stream.of("a", "bbb", "cc").max((a, b) -> a.length() - b.length());
        int[] numbers = IntStream.iterate(1, i -> i * 3 % 101).limit(n).sorted().distinct().toArray();
        return grouped.size() + longest.get().length() + numbers.length
                + Stream.of(1, 2, 3).flatMap(i -> Stream.of(i, -i)).mapToInt(Integer::intValue).sum();
    }

    static int texts(int n) {
        Matcher matcher = Pattern.compile("([a-z]+)(\\d+)?").matcher("ab12 cd ef3 gh");
        int total = 0;
        while (matcher.find()) total += matcher.group(1).length();
        for (int i = 0; i < n; i++) {
            String line = String.format("%d:%s:%.2f", i, text(i), i / 3.0);
            total += line.split(":").length + new String(line.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).indexOf(':');
            total += String.join("-", Arrays.asList("x", line)).toUpperCase().hashCode();
        }
        return total;
    }

    static int numbers(int n) {
        BigInteger product = BigInteger.ONE;
        BigDecimal sum = BigDecimal.ZERO;
        for (int i = 1; i <= n; i++) {
            product = product.multiply(BigInteger.valueOf(i));
            sum = sum.add(new BigDecimal("0.1").multiply(BigDecimal.valueOf(i)));
        }
        return product.bitLength() + sum.intValue() + LocalDate.of(2020, 2, 29).plusDays(n).getDayOfYear();
    }

    // expect 200 Library.collections;Library$Key.<init>
    // expect 200 Library.collections;Library.text
    // expect 300 Library.isWanted
    // expect 100 Library.texts;Library.text
    // expect 200 Library$Key.<init>
    // expect 100 Library.texts;java.lang.String.format
    // expect 60 Library.numbers;java.math.BigInteger.multiply
    public static void main(String[] args) {
        System.out.println(collections(200) + streams(300) + texts(100) + numbers(60));
    }
}
