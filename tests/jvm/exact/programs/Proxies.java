import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;

/** Proxies: calls that a handler answers, refuses, or fails with an exception the interface does not declare. */
public class Proxies {
    // skip java.lang.reflect.Proxy.newProxyInstance # the order of an interface's methods is the JVM's whim
    public interface Greeter {
        String greet(String name);
        int count();
        void fails();
        default int both() { return count() + 1; }
    }

    interface Hidden {
        int secret();
    }

    static int answer() { return 42; }
    static void marker() { }

    static final InvocationHandler HANDLER = (proxy, method, arguments) -> {
        switch (method.getName()) {
            case "greet": return arguments[0];
            case "count": return answer();
            case "secret": return answer() + 1;
            case "fails": throw new Exception("on purpose");
            case "both": return 2;
            case "hashCode": return 7;
            default: throw new IllegalStateException(method.getName());
        }
    };

    static Object make(Class<?> type) {
        return Proxy.newProxyInstance(Proxies.class.getClassLoader(), new Class<?>[] {type}, HANDLER);
    }

    static int answered(Greeter greeter) {
        return greeter.greet("you").length() + greeter.count() + greeter.both() + greeter.hashCode();
    }

    static int failed(Greeter greeter) {
        int caught = 0;
        try {
            greeter.toString();
        } catch (IllegalStateException expected) {
            caught++;
        }
        try {
            greeter.fails();
        } catch (UndeclaredThrowableException expected) {
            caught++;
        }
        marker();
        return caught;
    }

    // expect 30 Proxies.answer
    // expect 15 Proxies.answered;*$Proxy.greet
    // expect 15 Proxies.answered;*$Proxy.both
    // expect 15 Proxies.failed;*$Proxy.toString
    // expect 15 Proxies.failed;*$Proxy.fails;java.lang.reflect.UndeclaredThrowableException.<init>
    // expect 15 Proxies.failed;Proxies.marker
    // expect 15 $Proxy.secret;Proxies$$Lambda.invoke;Proxies.lambda$static$*;Proxies.answer
    // expect 15 Proxies.main;$Proxy.secret
    // expect 0 Proxies$Greeter.both
    public static void main(String[] args) {
        Greeter greeter = (Greeter) make(Greeter.class);
        Hidden hidden = (Hidden) make(Hidden.class);
        int total = 0;
        for (int i = 0; i < 15; i++) total += answered(greeter) + failed(greeter) + hidden.secret();
        System.out.println(total);
    }
}
