/** Call sites with 2, 5 and 50 receivers, by class and by interface. */
public class Polymorphic {
    interface Number {
        int value();
    }

    static class One implements Number { @Override public int value() { return 1; } }
    static class Two implements Number { @Override public int value() { return 2; } }
    static class Three extends Two { @Override public int value() { return super.value() + 1; } }
    static class Four extends Two { }
    static class Five implements Number { @Override public int value() { return 5; } }

    enum Many {
        R00 { @Override int of(int n) { return n + 0; } }, R01 { @Override int of(int n) { return n + 1; } },
        R02 { @Override int of(int n) { return n + 2; } }, R03 { @Override int of(int n) { return n + 3; } },
        R04 { @Override int of(int n) { return n + 4; } }, R05 { @Override int of(int n) { return n + 5; } },
        R06 { @Override int of(int n) { return n + 6; } }, R07 { @Override int of(int n) { return n + 7; } },
        R08 { @Override int of(int n) { return n + 8; } }, R09 { @Override int of(int n) { return n + 9; } },
        R10 { @Override int of(int n) { return n + 10; } }, R11 { @Override int of(int n) { return n + 11; } },
        R12 { @Override int of(int n) { return n + 12; } }, R13 { @Override int of(int n) { return n + 13; } },
        R14 { @Override int of(int n) { return n + 14; } }, R15 { @Override int of(int n) { return n + 15; } },
        R16 { @Override int of(int n) { return n + 16; } }, R17 { @Override int of(int n) { return n + 17; } },
        R18 { @Override int of(int n) { return n + 18; } }, R19 { @Override int of(int n) { return n + 19; } },
        R20 { @Override int of(int n) { return n + 20; } }, R21 { @Override int of(int n) { return n + 21; } },
        R22 { @Override int of(int n) { return n + 22; } }, R23 { @Override int of(int n) { return n + 23; } },
        R24 { @Override int of(int n) { return n + 24; } }, R25 { @Override int of(int n) { return n + 25; } },
        R26 { @Override int of(int n) { return n + 26; } }, R27 { @Override int of(int n) { return n + 27; } },
        R28 { @Override int of(int n) { return n + 28; } }, R29 { @Override int of(int n) { return n + 29; } },
        R30 { @Override int of(int n) { return n + 30; } }, R31 { @Override int of(int n) { return n + 31; } },
        R32 { @Override int of(int n) { return n + 32; } }, R33 { @Override int of(int n) { return n + 33; } },
        R34 { @Override int of(int n) { return n + 34; } }, R35 { @Override int of(int n) { return n + 35; } },
        R36 { @Override int of(int n) { return n + 36; } }, R37 { @Override int of(int n) { return n + 37; } },
        R38 { @Override int of(int n) { return n + 38; } }, R39 { @Override int of(int n) { return n + 39; } },
        R40 { @Override int of(int n) { return n + 40; } }, R41 { @Override int of(int n) { return n + 41; } },
        R42 { @Override int of(int n) { return n + 42; } }, R43 { @Override int of(int n) { return n + 43; } },
        R44 { @Override int of(int n) { return n + 44; } }, R45 { @Override int of(int n) { return n + 45; } },
        R46 { @Override int of(int n) { return n + 46; } }, R47 { @Override int of(int n) { return n + 47; } },
        R48 { @Override int of(int n) { return n + 48; } }, R49 { @Override int of(int n) { return n + 49; } };
        abstract int of(int n);
    }

    static int at(Number number) { return number.value(); }

    static int two(int n) {
        Number[] numbers = {new One(), new Two()};
        int total = 0;
        for (int i = 0; i < n; i++) total += at(numbers[i & 1]);
        return total;
    }

    static int five(int n) {
        Number[] numbers = {new One(), new Two(), new Three(), new Four(), new Five()};
        int total = 0;
        for (int i = 0; i < n; i++) total += at(numbers[i % 5]);
        return total;
    }

    static int fifty(int n) {
        Many[] all = Many.values();
        int total = 0;
        for (int i = 0; i < n; i++) total += all[i * 7 % 50].of(i);
        return total;
    }

    // expect 500 Polymorphic.two;Polymorphic.at;Polymorphic$One.value
    // expect 500 Polymorphic.two;Polymorphic.at;Polymorphic$Two.value
    // expect 400 Polymorphic.five;Polymorphic.at;Polymorphic$Two.value
    // expect 200 Polymorphic.five;Polymorphic.at;Polymorphic$Three.value;Polymorphic$Two.value
    // expect 200 Polymorphic.five;Polymorphic.at;Polymorphic$Five.value
    // expect 60 Polymorphic.fifty;Polymorphic$Many$1.of
    // expect 60 Polymorphic.fifty;Polymorphic$Many$33.of
    // expect 60 Polymorphic.fifty;Polymorphic$Many$50.of
    public static void main(String[] args) {
        System.out.println(two(1000) + five(1000) + fifty(3000));
    }
}
