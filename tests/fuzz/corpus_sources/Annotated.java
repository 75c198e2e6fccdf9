import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

class Annotated {
    @Target(ElementType.TYPE_USE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Marked {
        String[] value() default {};

        int level() default 1;
    }

    @SuppressWarnings("unchecked")
    static <T> T everywhere(Object o, @Marked String s) throws Exception {
        @Marked(value = {"a", "b"}, level = 3) List<@Marked String> list = new @Marked ArrayList<@Marked String>();
        try (@Marked AutoCloseable c = () -> {}) {
            if (o instanceof @Marked String) list.add((@Marked String) o);
        } catch (@Marked RuntimeException e) {
            list.add(s);
        }
        Supplier<List<String>> maker = @Marked ArrayList<String>::new;
        Function<@Marked String, Integer> length = @Marked String::length;
        return (T) Annotated.<@Marked Integer>identity(length.apply(maker.get().isEmpty() ? s : null));
    }

    static <U> U identity(U u) {
        return u;
    }
}
