import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** A round trip: hooks called by reflection, a constructor of a superclass called without those below. */
public class Serialization {
    static class Plain {
        Plain() { made(); }
        static void made() { }
    }

    static class Item extends Plain implements Serializable {
        final String name;
        transient int computed;
        Item next;
        Item(String name) {
            this.name = name;
            computed = compute();
        }
        private int compute() { return name.length(); }
        private void writeObject(ObjectOutputStream out) throws IOException { out.defaultWriteObject(); }
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            computed = compute();
        }
        private Object readResolve() { return this; }
    }

    record Pair(String left, int right) implements Serializable {
        Pair { checked(right); }
        static void checked(int n) { }
    }

    enum Kind { ONE, TWO }

    static Object roundTrip(Object it) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(it);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return in.readObject();
        }
    }

    // expect 40 Serialization$Item.<init>;Serialization$Plain.<init>;Serialization$Plain.made
    // expect 80 Serialization$Plain.made
    // expect 40 Serialization$Item.writeObject
    // expect 40 Serialization$Item.readObject;Serialization$Item.compute
    // expect 40 Serialization$Item.readResolve
    // expect 40 Serialization$Pair.<init>;Serialization$Pair.checked
    // expect 20 Serialization.main;Serialization.roundTrip
    public static void main(String[] args) throws Exception {
        int total = 0;
        for (int i = 0; i < 20; i++) {
            List<Object> all = new ArrayList<>();
            Item item = new Item("item" + i);
            item.next = new Item("next");
            all.add(item);
            all.add(new Pair("p", i));
            all.add(Kind.TWO);
            all.add(new int[] {1, 2, 3});
            all.add("text");
            List<?> back = (List<?>) roundTrip(all);
            total += ((Item) back.get(0)).computed + back.size();
        }
        System.out.println(total + " " + ObjectStreamClass.lookup(Item.class).getSerialVersionUID());
    }
}
