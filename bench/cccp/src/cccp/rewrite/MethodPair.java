package cccp.rewrite;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * One method in its two forms (figures 3 and 4 of the paper): the extended one with the caller's node as its last
 * argument (ESI, or B2N for a native method), and the original signature for callers that were not rewritten (N2B).
 */
final class MethodPair {
    private static final String NODE = "cccp/Node";

    private final ClassSet classes;
    private final Options options;
    private final ClassNode owner;
    private final MethodNode method;
    private final String descriptor;
    private final boolean isStatic, isInterface;
    private final int firstLocal; // of the original method, behind its arguments

    MethodPair(ClassSet classes, Options options, ClassNode owner, MethodNode method) {
        this.classes = classes;
        this.options = options;
        this.owner = owner;
        this.method = method;
        descriptor = method.desc;
        isStatic = has(Opcodes.ACC_STATIC);
        isInterface = (owner.access & Opcodes.ACC_INTERFACE) != 0;
        firstLocal = (Type.getArgumentsAndReturnSizes(descriptor) >> 2) - (isStatic ? 1 : 0);
    }

    /** The methods that replace the original. */
    List<MethodNode> rewrite(int id) {
        if (method.name.equals("<clinit>")) return List.of(classInitialiser(id));
        if (has(Opcodes.ACC_ABSTRACT)) return List.of(method, handoverToOriginal(-1));
        if (has(Opcodes.ACC_NATIVE)) return List.of(method, handoverToOriginal(id));
        MethodNode wrapper = wrapper();
        extend(id);
        return List.of(wrapper, method);
    }

    /**
     * Only the VM calls it, so there is no argument to take; its context is that of the last handover, which must stand
     * again behind it (behind one that throws it does not: its class is of no use any more).
     */
    private MethodNode classInitialiser(int id) {
        shiftLocals(0, List.of(NODE, NODE));
        passNodeAtCalls(0);
        for (AbstractInsnNode each : method.instructions.toArray()) {
            if (each.getOpcode() != Opcodes.RETURN || !options.handover()) continue;
            InsnList exit = new InsnList();
            addLeave(exit, 1);
            method.instructions.insertBefore(each, exit);
        }
        InsnList entry = new InsnList();
        entry.add(call("current", "()L" + NODE + ";"));
        entry.add(new InsnNode(Opcodes.DUP));
        entry.add(new VarInsnNode(Opcodes.ASTORE, 1));
        if (options.callSiteSlots()) entry.add(new InsnNode(Opcodes.ICONST_0));
        addEnter(entry, id, 0);
        method.instructions.insert(entry);
        return method;
    }

    private void extend(int id) {
        shiftLocals(firstLocal, options.callSiteSlots() ? List.of(NODE, Opcodes.TOP) : List.of(NODE));
        passNodeAtCalls(firstLocal);
        InsnList entry = new InsnList();
        entry.add(new VarInsnNode(Opcodes.ALOAD, firstLocal));
        if (options.callSiteSlots()) entry.add(new VarInsnNode(Opcodes.ILOAD, firstLocal + 1));
        addEnter(entry, id, firstLocal);
        method.instructions.insert(entry);
        method.desc = extendedDescriptor(descriptor);
        method.access = extendedAccess();
        method.signature = null;
        method.visibleLocalVariableAnnotations = method.invisibleLocalVariableAnnotations = null;
    }

    /** N2B: takes the annotations along, for reflection finds this one. */
    private MethodNode wrapper() {
        MethodNode wrapper = new MethodNode(method.access, method.name, descriptor, method.signature,
                method.exceptions.toArray(new String[0]));
        moveAttributes(wrapper);
        InsnList code = wrapper.instructions;
        LabelNode start = new LabelNode(), end = new LabelNode(), handler = new LabelNode();
        code.add(call("current", "()L" + NODE + ";"));
        code.add(new VarInsnNode(Opcodes.ASTORE, firstLocal));
        code.add(start);
        loadArguments(code);
        code.add(new VarInsnNode(Opcodes.ALOAD, firstLocal));
        if (options.callSiteSlots()) code.add(new InsnNode(Opcodes.ICONST_0));
        code.add(new MethodInsnNode(isStatic ? Opcodes.INVOKESTATIC : Opcodes.INVOKESPECIAL, owner.name, method.name,
                extendedDescriptor(descriptor), isInterface));
        code.add(end);
        if (options.handover()) addLeave(code, firstLocal); // the caller's next callback finds the same node
        code.add(new InsnNode(Type.getReturnType(descriptor).getOpcode(Opcodes.IRETURN)));
        if (options.handover() && !method.name.equals("<init>")) {
            wrapper.tryCatchBlocks.add(new TryCatchBlockNode(start, end, handler, null));
            code.add(handler);
            code.add(handlerFrame());
            addLeave(code, firstLocal);
            code.add(new InsnNode(Opcodes.ATHROW));
        }
        return wrapper;
    }

    /** B2N, and the extended form of an abstract method: lambdas and proxies implement the original signature only. */
    private MethodNode handoverToOriginal(int id) {
        MethodNode bridge = new MethodNode(extendedAccess() & ~Opcodes.ACC_ABSTRACT & ~Opcodes.ACC_NATIVE, method.name,
                extendedDescriptor(descriptor), null, method.exceptions.toArray(new String[0]));
        InsnList code = bridge.instructions;
        if (id >= 0) {
            code.add(new VarInsnNode(Opcodes.ALOAD, firstLocal));
            if (options.callSiteSlots()) code.add(new VarInsnNode(Opcodes.ILOAD, firstLocal + 1));
            addEnter(code, id, firstLocal);
        }
        if (options.handover()) addLeave(code, firstLocal);
        loadArguments(code);
        int opcode = isStatic ? Opcodes.INVOKESTATIC : isInterface ? Opcodes.INVOKEINTERFACE : Opcodes.INVOKEVIRTUAL;
        code.add(new MethodInsnNode(opcode, owner.name, method.name, descriptor, isInterface));
        code.add(new InsnNode(Type.getReturnType(descriptor).getOpcode(Opcodes.IRETURN)));
        return bridge;
    }

    private void passNodeAtCalls(int node) {
        int site = 0; // 0 is for callers that were not rewritten
        for (AbstractInsnNode each : method.instructions.toArray()) {
            InsnList before = new InsnList();
            if (each instanceof MethodInsnNode call) {
                if (classes.isExtended(call.owner, call.name, call.desc)) {
                    call.desc = extendedDescriptor(call.desc);
                    before.add(new VarInsnNode(Opcodes.ALOAD, node));
                    if (options.callSiteSlots()) before.add(constant(++site));
                } else if (options.handover() && !isObjectConstructor(call)) {
                    addLeave(before, node);
                }
            } else if (each instanceof InvokeDynamicInsnNode && options.handover()) {
                addLeave(before, node);
            }
            method.instructions.insertBefore(each, before);
        }
    }

    private static boolean isObjectConstructor(MethodInsnNode call) {
        return call.owner.equals("java/lang/Object") && call.name.equals("<init>");
    }

    /** Makes room for locals of the given types. */
    private void shiftLocals(int from, List<Object> types) {
        int by = types.size();
        for (AbstractInsnNode each : method.instructions) {
            if (each instanceof VarInsnNode insn && insn.var >= from) insn.var += by;
            if (each instanceof IincInsnNode insn && insn.var >= from) insn.var += by;
            if (each instanceof FrameNode frame) insertIntoFrame(frame, from, types);
        }
        if (method.localVariables == null) return;
        for (LocalVariableNode variable : method.localVariables) if (variable.index >= from) variable.index += by;
    }

    private void insertIntoFrame(FrameNode frame, int at, List<Object> types) {
        List<Object> locals = new ArrayList<>(frame.local);
        int slot = 0, entry = 0;
        while (slot < at && entry < locals.size()) {
            Object type = locals.get(entry++);
            slot += type == Opcodes.LONG || type == Opcodes.DOUBLE ? 2 : 1;
        }
        for (; slot < at; slot++) locals.add(entry++, Opcodes.TOP);
        if (slot > at) throw new IllegalStateException(owner.name + "." + method.name + " widens an argument's slot");
        locals.addAll(entry, types);
        frame.local = locals;
    }

    private FrameNode handlerFrame() {
        List<Object> locals = new ArrayList<>();
        if (!isStatic) locals.add(owner.name);
        for (Type type : Type.getArgumentTypes(descriptor)) locals.add(frameType(type));
        locals.add(NODE);
        return new FrameNode(Opcodes.F_NEW, locals.size(), locals.toArray(), 1, new Object[] {"java/lang/Throwable"});
    }

    private static Object frameType(Type type) {
        return switch (type.getSort()) {
            case Type.LONG -> Opcodes.LONG;
            case Type.DOUBLE -> Opcodes.DOUBLE;
            case Type.FLOAT -> Opcodes.FLOAT;
            case Type.ARRAY, Type.OBJECT -> type.getInternalName();
            default -> Opcodes.INTEGER;
        };
    }

    private void moveAttributes(MethodNode to) {
        to.visibleAnnotations = method.visibleAnnotations;
        to.invisibleAnnotations = method.invisibleAnnotations;
        to.visibleParameterAnnotations = method.visibleParameterAnnotations;
        to.invisibleParameterAnnotations = method.invisibleParameterAnnotations;
        to.visibleAnnotableParameterCount = method.visibleAnnotableParameterCount;
        to.invisibleAnnotableParameterCount = method.invisibleAnnotableParameterCount;
        to.parameters = method.parameters;
        method.visibleAnnotations = method.invisibleAnnotations = null;
        method.visibleParameterAnnotations = method.invisibleParameterAnnotations = null;
        method.visibleTypeAnnotations = method.invisibleTypeAnnotations = null;
        method.parameters = null;
    }

    private void loadArguments(InsnList code) {
        int slot = 0;
        if (!isStatic) code.add(new VarInsnNode(Opcodes.ALOAD, slot++));
        for (Type type : Type.getArgumentTypes(descriptor)) {
            code.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), slot));
            slot += type.getSize();
        }
    }

    private void addEnter(InsnList code, int id, int node) {
        code.add(constant(id));
        String site = options.callSiteSlots() ? "I" : "";
        code.add(call("enter", "(L" + NODE + ";" + site + "I)L" + NODE + ";"));
        code.add(new VarInsnNode(Opcodes.ASTORE, node));
    }

    private static void addLeave(InsnList code, int node) {
        code.add(new VarInsnNode(Opcodes.ALOAD, node));
        code.add(call("leave", "(L" + NODE + ";)V"));
    }

    private String extendedDescriptor(String original) {
        return original.replace(")", "L" + NODE + ";" + (options.callSiteSlots() ? "I" : "") + ")");
    }

    private int extendedAccess() { return method.access & ~Opcodes.ACC_VARARGS | Opcodes.ACC_SYNTHETIC; }

    private boolean has(int flag) { return (method.access & flag) != 0; }

    private static MethodInsnNode call(String name, String descriptor) {
        return new MethodInsnNode(Opcodes.INVOKESTATIC, NODE, name, descriptor, false);
    }

    private static AbstractInsnNode constant(int value) {
        if (value <= 5) return new InsnNode(Opcodes.ICONST_0 + value);
        if (value <= Short.MAX_VALUE) {
            int opcode = value <= Byte.MAX_VALUE ? Opcodes.BIPUSH : Opcodes.SIPUSH;
            return new IntInsnNode(opcode, value);
        }
        return new LdcInsnNode(value);
    }
}
