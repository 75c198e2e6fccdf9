import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import java.util.zip.Adler32;
import java.util.zip.CRC32;

/**
 * Methods that the JIT replaces or inlines away, each called a known number of times from a method of its own, for as many
 * seconds as the argument says (0: two short rounds). Prints how often, as the expectations that a profile must meet.
 */
public class Intrinsics {
    // arguments 0
    interface Body {
        long run(int n);
    }

    static final List<String> CONTEXTS = new ArrayList<>();
    static final List<Body> BODIES = new ArrayList<>();

    static final Integer BOXED = 12345;
    static final String TEXT = "some text to look at", OTHER = new String("some text to look at".toCharArray()), PART = "look";
    static final char[] CHARS = TEXT.toCharArray(), TARGET = new char[64];
    static final StringBuilder BUILDER = new StringBuilder(TEXT);
    static final byte[] BYTES = TEXT.getBytes(), MORE_BYTES = BYTES.clone(), COPIED = new byte[64];
    static final Object[] OBJECTS = {"a", 1, 'c', "d"};
    static final Class<?>[] TYPES = {Integer.class, String.class};
    static final Object LOCK = new Object();
    static final AtomicInteger ATOMIC = new AtomicInteger();
    static final AtomicLong ATOMIC_LONG = new AtomicLong();
    static final CRC32 CRC = new CRC32();
    static final Adler32 ADLER = new Adler32();
    static final SoftReference<Object> SOFT = new SoftReference<>(LOCK);
    static final WeakReference<Object> WEAK = new WeakReference<>(LOCK);
    static final BigInteger BIG = BigInteger.ONE.shiftLeft(300).subtract(BigInteger.TEN);
    static final BigInteger SMALL = BigInteger.valueOf(12345), ODD = BigInteger.valueOf(1_000_003);
    static final Charset ISO = StandardCharsets.ISO_8859_1;
    static final Base64.Encoder ENCODER = Base64.getEncoder();
    static final MessageDigest SHA = sha();
    static final Intrinsics SEVEN = new Intrinsics(7);
    static final IntUnaryOperator LAMBDA = n -> n + 1, CAPTURING = adding(5);
    static final IntUnaryOperator STATIC_REFERENCE = Intrinsics::twice, BOUND_REFERENCE = SEVEN::plus;
    static final IntBinaryOperator MAX_REFERENCE = Math::max;

    final int weight;
    Intrinsics(int weight) { this.weight = weight; }
    int weight() { return weight; }
    int plus(int n) { return weight + n; }
    static int twice(int n) { return 2 * n; }
    static int empty() { return 0; }
    static int constant() { return 42; }
    static IntUnaryOperator adding(int k) { return n -> n + k; }
    static int joined(int n) { return ("n" + n + TEXT).length(); }

    static MessageDigest sha() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static int chars(int i) {
        TEXT.getChars(0, 8, TARGET, i & 7);
        return TARGET[i & 7];
    }
    static int appended(int i) {
        StringBuilder out = new StringBuilder();
        out.append(i);
        return out.length();
    }
    static int copied(int i) {
        System.arraycopy(BYTES, 0, COPIED, i & 7, 8);
        return COPIED[i & 7];
    }
    static int lazilySet(int i) {
        ATOMIC.lazySet(i);
        return 0;
    }
    static int crcOfByte(int i) {
        CRC.update(i);
        return 0;
    }
    static int crcOfBytes(int i) {
        CRC.update(BYTES, 0, 8);
        return 0;
    }
    static int adler(int i) {
        ADLER.update(BYTES, 0, 8);
        return 0;
    }
    static int spinWait(int i) {
        Thread.onSpinWait();
        return 0;
    }
    static int digested(int i) {
        SHA.update((byte) i);
        return SHA.digest()[0];
    }

    static long callMax(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Math.max(i, 7);
        return sum;
    }

    static long callMin(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Math.min(i, 7);
        return sum;
    }

    static long callAbsInt(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Math.abs(7 - i);
        return sum;
    }

    static long callAbsDouble(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += (long) Math.abs(7.5 - i);
        return sum;
    }

    static long callSin(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += (long) Math.sin(i);
        return sum;
    }

    static long callCos(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += (long) Math.cos(i);
        return sum;
    }

    static long callTan(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += (long) Math.tan(i);
        return sum;
    }

    static long callExp(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += (long) Math.exp(i);
        return sum;
    }

    static long callLog(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += (long) Math.log(i);
        return sum;
    }

    static long callLog10(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += (long) Math.log10(i);
        return sum;
    }

    static long callSqrt(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += (long) Math.sqrt(i);
        return sum;
    }

    static long callFloor(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += (long) Math.floor(i);
        return sum;
    }

    static long callCeil(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += (long) Math.ceil(i);
        return sum;
    }

    static long callRint(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += (long) Math.rint(i);
        return sum;
    }

    static long callPow(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += (long) Math.pow(i, 0.5);
        return sum;
    }

    static long callFma(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += (long) Math.fma(i, 2.0, 1.0);
        return sum;
    }

    static long callMultiplyHigh(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Math.multiplyHigh((long) i << 40, (long) i << 40);
        return sum;
    }

    static long callAddExact(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Math.addExact(i, 1);
        return sum;
    }

    static long callMultiplyExact(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Math.multiplyExact((long) i, 3L);
        return sum;
    }

    static long callSignum(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += (long) Math.signum((double) i);
        return sum;
    }

    static long callBitCount(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Integer.bitCount(i);
        return sum;
    }

    static long callLeadingZeros(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Integer.numberOfLeadingZeros(i);
        return sum;
    }

    static long callTrailingZeros(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Integer.numberOfTrailingZeros(i);
        return sum;
    }

    static long callReverseBytes(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Integer.reverseBytes(i);
        return sum;
    }

    static long callLongBitCount(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Long.bitCount(i);
        return sum;
    }

    static long callIntegerValueOf(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Integer.valueOf(i).hashCode();
        return sum;
    }

    static long callIntValue(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += BOXED.intValue();
        return sum;
    }

    static long callIsDigit(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Character.isDigit((char) i) ? 1 : 0;
        return sum;
    }

    static long callIsLetter(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Character.isLetter((char) i) ? 1 : 0;
        return sum;
    }

    static long callIsWhitespace(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Character.isWhitespace((char) i) ? 1 : 0;
        return sum;
    }

    static long callFloatBits(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Float.floatToRawIntBits(i);
        return sum;
    }

    static long callBitsToFloat(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += (long) Float.intBitsToFloat(i);
        return sum;
    }

    static long callDoubleBits(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Double.doubleToRawLongBits(i);
        return sum;
    }

    static long callDoubleToLongBits(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Double.doubleToLongBits(i);
        return sum;
    }

    static long callCharAt(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += TEXT.charAt(i & 7);
        return sum;
    }

    static long callStringLength(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += TEXT.length();
        return sum;
    }

    static long callStringEquals(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += TEXT.equals(OTHER) ? 1 : 0;
        return sum;
    }

    static long callCompareTo(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += TEXT.compareTo(OTHER);
        return sum;
    }

    static long callIndexOfText(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += TEXT.indexOf(PART);
        return sum;
    }

    static long callIndexOfChar(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += TEXT.indexOf('t');
        return sum;
    }

    static long callStringHash(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += TEXT.hashCode();
        return sum;
    }

    static long callGetChars(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += chars(i);
        return sum;
    }

    static long callToCharArray(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += TEXT.toCharArray().length;
        return sum;
    }

    static long callNewString(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += new String(CHARS).length();
        return sum;
    }

    static long callGetBytes(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += TEXT.getBytes(ISO).length;
        return sum;
    }

    static long callAppend(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += appended(i);
        return sum;
    }

    static long callBuilderToString(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += BUILDER.toString().length();
        return sum;
    }

    static long callArraycopy(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += copied(i);
        return sum;
    }

    static long callNanoTime(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += System.nanoTime();
        return sum;
    }

    static long callCurrentTimeMillis(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += System.currentTimeMillis();
        return sum;
    }

    static long callIdentityHash(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += System.identityHashCode(TEXT);
        return sum;
    }

    static long callCopyOf(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Arrays.copyOf(OBJECTS, 3).length;
        return sum;
    }

    static long callCopyOfRange(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Arrays.copyOfRange(OBJECTS, 1, 3).length;
        return sum;
    }

    static long callArraysEquals(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Arrays.equals(BYTES, MORE_BYTES) ? 1 : 0;
        return sum;
    }

    static long callCharArraysEqual(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Arrays.equals(CHARS, CHARS.clone()) ? 1 : 0;
        return sum;
    }

    static long callObjectHash(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += LOCK.hashCode();
        return sum;
    }

    static long callGetClass(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += OBJECTS[i & 3].getClass() == String.class ? 1 : 0;
        return sum;
    }

    static long callClone(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += BYTES.clone().length;
        return sum;
    }

    static long callIsInstance(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += String.class.isInstance(OBJECTS[i & 3]) ? 1 : 0;
        return sum;
    }

    static long callIsAssignable(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Number.class.isAssignableFrom(TYPES[i & 1]) ? 1 : 0;
        return sum;
    }

    static long callSuperclass(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += TYPES[i & 1].getSuperclass() == null ? 1 : 0;
        return sum;
    }

    static long callIsArray(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += TYPES[i & 1].isArray() ? 1 : 0;
        return sum;
    }

    static long callCast(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Object.class.cast(OBJECTS[i & 3]) == null ? 1 : 0;
        return sum;
    }

    static long callGetAndIncrement(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += ATOMIC.getAndIncrement();
        return sum;
    }

    static long callCompareAndSet(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += ATOMIC.compareAndSet(i, i + 1) ? 1 : 0;
        return sum;
    }

    static long callAddAndGet(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += ATOMIC_LONG.addAndGet(2);
        return sum;
    }

    static long callLazySet(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += lazilySet(i);
        return sum;
    }

    static long callCrcByte(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += crcOfByte(i);
        return sum;
    }

    static long callCrcBytes(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += crcOfBytes(i);
        return sum;
    }

    static long callAdler(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += adler(i);
        return sum;
    }

    static long callReferenceGet(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += SOFT.get() == null ? 1 : 0;
        return sum;
    }

    static long callWeakReferenceGet(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += WEAK.get() == null ? 1 : 0;
        return sum;
    }

    static long callCurrentThread(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Thread.currentThread() == null ? 1 : 0;
        return sum;
    }

    static long callOnSpinWait(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += spinWait(i);
        return sum;
    }

    static long callCheckIndex(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Objects.checkIndex(i & 7, 8);
        return sum;
    }

    static long callBigMultiply(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += BIG.multiply(BIG).signum();
        return sum;
    }

    static long callModPow(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += SMALL.modPow(SMALL, ODD).signum();
        return sum;
    }

    static long callNewArray(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += ((Object[]) Array.newInstance(String.class, 2)).length;
        return sum;
    }

    static long callArrayLength(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Array.getLength(BYTES);
        return sum;
    }

    static long callEncode(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += ENCODER.encode(BYTES).length;
        return sum;
    }

    static long callDigest(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += digested(i);
        return sum;
    }

    static long callLambda(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += LAMBDA.applyAsInt(i);
        return sum;
    }

    static long callCapturing(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += CAPTURING.applyAsInt(i);
        return sum;
    }

    static long callStaticReference(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += STATIC_REFERENCE.applyAsInt(i);
        return sum;
    }

    static long callBoundReference(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += BOUND_REFERENCE.applyAsInt(i);
        return sum;
    }

    static long callMaxReference(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += MAX_REFERENCE.applyAsInt(i, 3);
        return sum;
    }

    static long callConcat(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += joined(i);
        return sum;
    }

    static long callEmpty(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += empty();
        return sum;
    }

    static long callConstant(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += constant();
        return sum;
    }

    static long callGetter(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += SEVEN.weight();
        return sum;
    }

    static void add(String context, Body body) {
        CONTEXTS.add(context);
        BODIES.add(body);
    }

    static void fill() {
        add("Intrinsics.callMax;java.lang.Math.max", Intrinsics::callMax);
        add("Intrinsics.callMin;java.lang.Math.min", Intrinsics::callMin);
        add("Intrinsics.callAbsInt;java.lang.Math.abs", Intrinsics::callAbsInt);
        add("Intrinsics.callAbsDouble;java.lang.Math.abs", Intrinsics::callAbsDouble);
        add("Intrinsics.callSin;java.lang.Math.sin", Intrinsics::callSin);
        add("Intrinsics.callCos;java.lang.Math.cos", Intrinsics::callCos);
        add("Intrinsics.callTan;java.lang.Math.tan", Intrinsics::callTan);
        add("Intrinsics.callExp;java.lang.Math.exp", Intrinsics::callExp);
        add("Intrinsics.callLog;java.lang.Math.log", Intrinsics::callLog);
        add("Intrinsics.callLog10;java.lang.Math.log10", Intrinsics::callLog10);
        add("Intrinsics.callSqrt;java.lang.Math.sqrt", Intrinsics::callSqrt);
        add("Intrinsics.callFloor;java.lang.Math.floor", Intrinsics::callFloor);
        add("Intrinsics.callCeil;java.lang.Math.ceil", Intrinsics::callCeil);
        add("Intrinsics.callRint;java.lang.Math.rint", Intrinsics::callRint);
        add("Intrinsics.callPow;java.lang.Math.pow", Intrinsics::callPow);
        add("Intrinsics.callFma;java.lang.Math.fma", Intrinsics::callFma);
        add("Intrinsics.callMultiplyHigh;java.lang.Math.multiplyHigh", Intrinsics::callMultiplyHigh);
        add("Intrinsics.callAddExact;java.lang.Math.addExact", Intrinsics::callAddExact);
        add("Intrinsics.callMultiplyExact;java.lang.Math.multiplyExact", Intrinsics::callMultiplyExact);
        add("Intrinsics.callSignum;java.lang.Math.signum", Intrinsics::callSignum);
        add("Intrinsics.callBitCount;java.lang.Integer.bitCount", Intrinsics::callBitCount);
        add("Intrinsics.callLeadingZeros;java.lang.Integer.numberOfLeadingZeros", Intrinsics::callLeadingZeros);
        add("Intrinsics.callTrailingZeros;java.lang.Integer.numberOfTrailingZeros", Intrinsics::callTrailingZeros);
        add("Intrinsics.callReverseBytes;java.lang.Integer.reverseBytes", Intrinsics::callReverseBytes);
        add("Intrinsics.callLongBitCount;java.lang.Long.bitCount", Intrinsics::callLongBitCount);
        add("Intrinsics.callIntegerValueOf;java.lang.Integer.valueOf", Intrinsics::callIntegerValueOf);
        add("Intrinsics.callIntValue;java.lang.Integer.intValue", Intrinsics::callIntValue);
        add("Intrinsics.callIsDigit;java.lang.Character.isDigit", Intrinsics::callIsDigit);
        add("Intrinsics.callIsLetter;java.lang.Character.isLetter", Intrinsics::callIsLetter);
        add("Intrinsics.callIsWhitespace;java.lang.Character.isWhitespace", Intrinsics::callIsWhitespace);
        add("Intrinsics.callFloatBits;java.lang.Float.floatToRawIntBits", Intrinsics::callFloatBits);
        add("Intrinsics.callBitsToFloat;java.lang.Float.intBitsToFloat", Intrinsics::callBitsToFloat);
        add("Intrinsics.callDoubleBits;java.lang.Double.doubleToRawLongBits", Intrinsics::callDoubleBits);
        add("Intrinsics.callDoubleToLongBits;java.lang.Double.doubleToLongBits", Intrinsics::callDoubleToLongBits);
        add("Intrinsics.callCharAt;java.lang.String.charAt", Intrinsics::callCharAt);
        add("Intrinsics.callStringLength;java.lang.String.length", Intrinsics::callStringLength);
        add("Intrinsics.callStringEquals;java.lang.String.equals", Intrinsics::callStringEquals);
        add("Intrinsics.callCompareTo;java.lang.String.compareTo", Intrinsics::callCompareTo);
        add("Intrinsics.callIndexOfText;java.lang.String.indexOf", Intrinsics::callIndexOfText);
        add("Intrinsics.callIndexOfChar;java.lang.String.indexOf", Intrinsics::callIndexOfChar);
        add("Intrinsics.callStringHash;java.lang.String.hashCode", Intrinsics::callStringHash);
        add("Intrinsics.callGetChars;Intrinsics.chars;java.lang.String.getChars", Intrinsics::callGetChars);
        add("Intrinsics.callToCharArray;java.lang.String.toCharArray", Intrinsics::callToCharArray);
        add("Intrinsics.callNewString;java.lang.String.<init>", Intrinsics::callNewString);
        add("Intrinsics.callGetBytes;java.lang.String.getBytes", Intrinsics::callGetBytes);
        add("Intrinsics.callAppend;Intrinsics.appended;java.lang.StringBuilder.append", Intrinsics::callAppend);
        add("Intrinsics.callBuilderToString;java.lang.StringBuilder.toString", Intrinsics::callBuilderToString);
        add("Intrinsics.callArraycopy;Intrinsics.copied;java.lang.System.arraycopy", Intrinsics::callArraycopy);
        add("Intrinsics.callNanoTime;java.lang.System.nanoTime", Intrinsics::callNanoTime);
        add("Intrinsics.callCurrentTimeMillis;java.lang.System.currentTimeMillis", Intrinsics::callCurrentTimeMillis);
        add("Intrinsics.callIdentityHash;java.lang.System.identityHashCode", Intrinsics::callIdentityHash);
        add("Intrinsics.callCopyOf;java.util.Arrays.copyOf", Intrinsics::callCopyOf);
        add("Intrinsics.callCopyOfRange;java.util.Arrays.copyOfRange", Intrinsics::callCopyOfRange);
        add("Intrinsics.callArraysEquals;java.util.Arrays.equals", Intrinsics::callArraysEquals);
        add("Intrinsics.callCharArraysEqual;java.util.Arrays.equals", Intrinsics::callCharArraysEqual);
        add("Intrinsics.callObjectHash;java.lang.Object.hashCode", Intrinsics::callObjectHash);
        add("Intrinsics.callGetClass;java.lang.Object.getClass", Intrinsics::callGetClass);
        add("Intrinsics.callClone;java.lang.Object.clone", Intrinsics::callClone);
        add("Intrinsics.callIsInstance;java.lang.Class.isInstance", Intrinsics::callIsInstance);
        add("Intrinsics.callIsAssignable;java.lang.Class.isAssignableFrom", Intrinsics::callIsAssignable);
        add("Intrinsics.callSuperclass;java.lang.Class.getSuperclass", Intrinsics::callSuperclass);
        add("Intrinsics.callIsArray;java.lang.Class.isArray", Intrinsics::callIsArray);
        add("Intrinsics.callCast;java.lang.Class.cast", Intrinsics::callCast);
        add("Intrinsics.callGetAndIncrement;java.util.concurrent.atomic.AtomicInteger.getAndIncrement", Intrinsics::callGetAndIncrement);
        add("Intrinsics.callCompareAndSet;java.util.concurrent.atomic.AtomicInteger.compareAndSet", Intrinsics::callCompareAndSet);
        add("Intrinsics.callAddAndGet;java.util.concurrent.atomic.AtomicLong.addAndGet", Intrinsics::callAddAndGet);
        add("Intrinsics.callLazySet;Intrinsics.lazilySet;java.util.concurrent.atomic.AtomicInteger.lazySet", Intrinsics::callLazySet);
        add("Intrinsics.callCrcByte;Intrinsics.crcOfByte;java.util.zip.CRC32.update", Intrinsics::callCrcByte);
        add("Intrinsics.callCrcBytes;Intrinsics.crcOfBytes;java.util.zip.CRC32.update", Intrinsics::callCrcBytes);
        add("Intrinsics.callAdler;Intrinsics.adler;java.util.zip.Adler32.update", Intrinsics::callAdler);
        add("Intrinsics.callReferenceGet;java.lang.ref.SoftReference.get", Intrinsics::callReferenceGet);
        add("Intrinsics.callWeakReferenceGet;java.lang.ref.Reference.get", Intrinsics::callWeakReferenceGet);
        add("Intrinsics.callCurrentThread;java.lang.Thread.currentThread", Intrinsics::callCurrentThread);
        add("Intrinsics.callOnSpinWait;Intrinsics.spinWait;java.lang.Thread.onSpinWait", Intrinsics::callOnSpinWait);
        add("Intrinsics.callCheckIndex;java.util.Objects.checkIndex", Intrinsics::callCheckIndex);
        add("Intrinsics.callBigMultiply;java.math.BigInteger.multiply", Intrinsics::callBigMultiply);
        add("Intrinsics.callModPow;java.math.BigInteger.modPow", Intrinsics::callModPow);
        add("Intrinsics.callNewArray;java.lang.reflect.Array.newInstance", Intrinsics::callNewArray);
        add("Intrinsics.callArrayLength;java.lang.reflect.Array.getLength", Intrinsics::callArrayLength);
        add("Intrinsics.callEncode;java.util.Base64$Encoder.encode", Intrinsics::callEncode);
        add("Intrinsics.callDigest;Intrinsics.digested;java.security.MessageDigest.digest", Intrinsics::callDigest);
        add("Intrinsics.callLambda;Intrinsics$$Lambda.applyAsInt", Intrinsics::callLambda);
        add("Intrinsics.callCapturing;Intrinsics$$Lambda.applyAsInt", Intrinsics::callCapturing);
        add("Intrinsics.callStaticReference;Intrinsics$$Lambda.applyAsInt;Intrinsics.twice", Intrinsics::callStaticReference);
        add("Intrinsics.callBoundReference;Intrinsics$$Lambda.applyAsInt;Intrinsics.plus", Intrinsics::callBoundReference);
        add("Intrinsics.callMaxReference;Intrinsics$$Lambda.applyAsInt;java.lang.Math.max", Intrinsics::callMaxReference);
        add("Intrinsics.callConcat;Intrinsics.joined", Intrinsics::callConcat);
        add("Intrinsics.callEmpty;Intrinsics.empty", Intrinsics::callEmpty);
        add("Intrinsics.callConstant;Intrinsics.constant", Intrinsics::callConstant);
        add("Intrinsics.callGetter;Intrinsics.weight", Intrinsics::callGetter);
    }

    public static void main(String[] args) {
        double seconds = args.length > 0 ? Double.parseDouble(args[0]) : 10;
        int n = seconds > 0 ? 2000 : 20;
        fill();
        long end = System.nanoTime() + (long) (seconds * 1e9);
        long rounds = 0, sum = 0;
        do {
            for (int i = 0; i < BODIES.size(); i++) sum += BODIES.get(i).run(n);
            rounds++;
        } while (rounds < 2 || System.nanoTime() < end);
        for (String context : CONTEXTS) System.out.println("expect " + rounds * n + " " + context);
        if (sum == 1) System.out.println();
    }
}
