package bursar.sweep;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The few facts of a class file that a sweep needs: its version, its name, where the code of its methods lies.
 *
 * Written apart from the class-file library on purpose, so that the two counts of methods can be held against each other.
 */
final class ClassScan {
    private static final int JSR = 0xa8;
    private static final int JSR_W = 0xc9;
    private static final int TABLESWITCH = 0xaa;
    private static final int LOOKUPSWITCH = 0xab;
    private static final int WIDE = 0xc4;
    private static final int IINC = 0x84;

    /** Length of each instruction by opcode, as a digit; 0 for the three of variable length. */
    private static final String LENGTHS = "1".repeat(16) + "2323" + "3" + "2".repeat(5) + "1".repeat(28) + "2".repeat(5)
            + "1".repeat(73) + "3" + "1".repeat(20) + "3".repeat(16) + "2" + "00" + "1".repeat(6) + "3".repeat(7)
            + "55" + "323" + "11" + "33" + "11" + "0" + "4" + "33" + "55";

    /** One Code attribute: where its instructions begin, and where its StackMapTable begins (0 without one). */
    record Code(int offset, int length, int stackMapOffset) { }

    final int major;
    final String name;
    /** Null for java/lang/Object and for modules. */
    final String superName;
    final List<Code> codes = new ArrayList<>();
    private final byte[] b;
    private final int[] pool;
    private int at;

    ClassScan(byte[] classFile) {
        b = classFile;
        major = u2(6);
        pool = new int[u2(8)];
        at = 10;
        for (int i = 1; i < pool.length; i++) {
            pool[i] = at;
            int tag = b[at];
            at += poolEntryLength(tag);
            if (tag == 5 || tag == 6) i++;
        }
        name = className(u2(at + 2));
        superName = className(u2(at + 4));
        at += 8 + 2 * u2(at + 6);
        members(false);
        members(true);
    }

    int largestCode() {
        int largest = 0;
        for (Code c : codes) largest = Math.max(largest, c.length());
        return largest;
    }

    int methodsWithJsr() {
        int n = 0;
        for (Code c : codes) {
            if (hasJsr(c)) n++;
        }
        return n;
    }

    private void members(boolean methods) {
        int count = u2(at);
        at += 2;
        for (int i = 0; i < count; i++) {
            int attributes = u2(at + 6);
            at += 8;
            for (int k = 0; k < attributes; k++) {
                if (methods && isNamed(at, "Code")) codes.add(code(at + 6));
                at += 6 + u4(at + 2);
            }
        }
    }

    private Code code(int start) {
        int length = u4(start + 4);
        int after = start + 8 + length;
        after += 2 + 8 * u2(after);
        int attributes = u2(after);
        after += 2;
        int stackMap = 0;
        for (int i = 0; i < attributes; i++) {
            if (isNamed(after, "StackMapTable")) stackMap = after;
            after += 6 + u4(after + 2);
        }
        return new Code(start + 8, length, stackMap);
    }

    /** Whether the attribute at this offset has this name. */
    private boolean isNamed(int attribute, String wanted) {
        int entry = pool[u2(attribute)];
        return u2(entry + 1) == wanted.length() && utf8(u2(attribute)).equals(wanted);
    }

    private boolean hasJsr(Code c) {
        for (int pc = 0; pc < c.length();) {
            int opcode = b[c.offset() + pc] & 0xff;
            if (opcode == JSR || opcode == JSR_W) return true;
            pc += instructionLength(c, pc, opcode);
        }
        return false;
    }

    private int instructionLength(Code c, int pc, int opcode) {
        int operands = c.offset() + (pc & ~3) + 4;
        switch (opcode) {
            case TABLESWITCH:
                return (pc & ~3) + 4 - pc + 12 + 4 * (u4(operands + 8) - u4(operands + 4) + 1);
            case LOOKUPSWITCH:
                return (pc & ~3) + 4 - pc + 8 + 8 * u4(operands + 4);
            case WIDE:
                return (b[c.offset() + pc + 1] & 0xff) == IINC ? 6 : 4;
            default:
                return LENGTHS.charAt(opcode) - '0';
        }
    }

    private int poolEntryLength(int tag) {
        switch (tag) {
            case 1: return 3 + u2(at + 1);
            case 7: case 8: case 16: case 19: case 20: return 3;
            case 15: return 4;
            case 3: case 4: case 9: case 10: case 11: case 12: case 17: case 18: return 5;
            case 5: case 6: return 9;
            default: throw new IllegalArgumentException("constant pool tag " + tag);
        }
    }

    private String className(int index) {
        return index == 0 ? null : utf8(u2(pool[index] + 1));
    }

    /** Close enough to the modified UTF-8 of class files: the names are only shown, or compared to each other. */
    private String utf8(int index) {
        return new String(b, pool[index] + 3, u2(pool[index] + 1), StandardCharsets.UTF_8);
    }

    private int u2(int i) {
        return (b[i] & 0xff) << 8 | b[i + 1] & 0xff;
    }

    private int u4(int i) {
        return u2(i) << 16 | u2(i + 2);
    }
}
