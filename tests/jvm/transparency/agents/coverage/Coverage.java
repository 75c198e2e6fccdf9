import java.io.File;
import java.util.TreeSet;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.tools.ExecFileLoader;

/** What is in a file that JaCoCo wrote: a line for each class, with its number and what of it ran. */
public class Coverage {
  public static void main(String[] arguments) throws Exception {
    ExecFileLoader loader = new ExecFileLoader();
    loader.load(new File(arguments[0]));
    TreeSet<String> lines = new TreeSet<>();
    for (ExecutionData data : loader.getExecutionDataStore().getContents()) {
      StringBuilder line = new StringBuilder(data.getName() + " " + Long.toHexString(data.getId()) + " ");
      for (boolean ran : data.getProbes()) line.append(ran ? 'x' : '.');
      lines.add(line.toString());
    }
    lines.forEach(System.out::println);
  }
}
