import java.lang.annotation.Annotation;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints the methods with code that the class library marks as ones the JIT may replace: package.Class.method(I)V. */
public class ListIntrinsics {
    public static void main(String[] args) throws Exception {
        List<Path> classes;
        try (Stream<Path> all = Files.walk(FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", "java.base"))) {
            classes = all.filter(path -> path.toString().endsWith(".class")).collect(Collectors.toList());
        }
        for (Path path : classes) {
            String file = path.subpath(2, path.getNameCount()).toString();
            if (file.equals("module-info.class")) continue;
            String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
            Class<?> type = Class.forName(name, false, null);
            for (Method method : type.getDeclaredMethods()) print(method, method.getName(), method.getReturnType());
            for (Constructor<?> constructor : type.getDeclaredConstructors()) print(constructor, "<init>", void.class);
        }
    }

    private static void print(Executable method, String name, Class<?> returned) {
        if (Modifier.isNative(method.getModifiers())) return;
        for (Annotation annotation : method.getAnnotations()) {
            if (!annotation.annotationType().getSimpleName().equals("IntrinsicCandidate")) continue;
            String descriptor = MethodType.methodType(returned, method.getParameterTypes()).toMethodDescriptorString();
            System.out.println(method.getDeclaringClass().getName() + "." + name + descriptor);
        }
    }
}
