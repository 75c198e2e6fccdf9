import { expect, test } from "vitest";
import { change, changeColour, familyOf, methodColour } from "../src/colours";
import { lossesOf } from "../src/run_panel";
import { amount, counted, growth, grouped, percent, signed } from "../src/numbers";

test("numbers as people read them", () => {
  expect(grouped(1234567.4)).toBe("1,234,567");
  expect(percent(0, 5)).toBe("0 %");
  expect(percent(1, 0)).toBe("0 %");
  expect([percent(1, 3), percent(1, 30), percent(1, 30000)]).toEqual(["33.3 %", "3.33 %", "0.0033 %"]);
  expect([counted(1, "context"), counted(2000, "context")]).toEqual(["1 context", "2,000 contexts"]);
  expect(amount(5000, null)).toBe("5,000");
  expect(amount(5000, 100)).toBe("≈ 5,000 ± 20");
  expect(amount(0, 0)).toBe("≈ 0");
  expect([signed(12), signed(-12), signed(0)]).toEqual(["+12", "−12", "0"]);
  expect([growth(0, 3), growth(3, 0), growth(4, 5), growth(1000, 1011), growth(7, 7)]).toEqual(["new", "gone", "+25 %", "+1.1 %", "±0 %"]);
});

test("a change within the error is none", () => {
  const of = (total: number, totalVariance: number | null) => ({ own: total, ownVariance: totalVariance, total, totalVariance });
  expect(change(of(100, null), of(150, null))).toBeCloseTo(1 / 3);
  expect(change(of(100, 400), of(150, 400))).toBe(0);
  expect(change(of(100, 4), of(150, 4))).toBeCloseTo(1 / 3);
  expect(change(of(0, null), of(0, null))).toBe(0);
  expect(change(of(9, null), of(0, null))).toBe(-1);
  expect(new Set([1, -1, 0].map((by) => changeColour(by, false))).size).toBe(3);
});

test("families of methods have their colours, the same ones for the same name", () => {
  expect(familyOf(["java.util.", "List.add", 0])).toBe("library");
  expect(familyOf(["com.acme.", "Shop.main", 0])).toBe("application");
  expect(familyOf(["", "memcpy", 1])).toBe("native");
  expect(familyOf(["", "[vm]", 2])).toBe("pseudo");
  expect(methodColour(["a.", "B.c", 0], true)).toBe(methodColour(["a.", "B.c", 0], true));
});

test("losses are listed largest first, without empty ones", () => {
  const run = { file: "", contexts: 0, info: {}, counters: {}, dropped: { full: 2, none: 0 }, skippedMethods: { large: 7 }, series: [] };
  expect(lossesOf(run)).toEqual([{ what: "methods skipped: large", count: 7 }, { what: "events dropped: full", count: 2 }]);
});
