package bursar.sweep;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Runs every class of the jar that CraftedClasses wrote, and prints what each computes: RunCrafted JAR. */
public final class RunCrafted {
    private static final int ARGUMENTS = 40;

    private RunCrafted() { }

    public static void main(String[] args) throws Exception {
        List<String> names = new ArrayList<>();
        try (ZipFile jar = new ZipFile(args[0])) {
            for (ZipEntry e : Collections.list(jar.entries())) {
                names.add(e.getName().replace(".class", "").replace('/', '.'));
            }
        }
        Collections.sort(names);
        for (String name : names) {
            Method run = Class.forName(name).getMethod("run", int.class);
            long sum = 0;
            for (int n = 0; n < ARGUMENTS; n++) sum = sum * 31 + (Integer) run.invoke(null, n);
            System.out.printf("%s %016x%n", name, sum);
        }
    }
}
