import { describe, expect, test } from "vitest";
import type { PathFacts } from "../src/data";
import { branchRows, outcomeText, pathRows, wayText } from "../src/path_table";
import { axisText, pointAt, SeriesView, ticks } from "../src/series_view";
import { facts } from "./random_tree";

const PATHS: PathFacts = {
  kind: "exact",
  runs: [130, 60],
  flow: [150, 70],
  different: 2,
  rows: [
    [0, 2, [31, 31, 32, ~9], 100, 10],
    [1, 1, [5], 30, 50],
  ],
  branches: [
    [0, 31, 2, [0, 25, 50], [1, 75, 0]],
    [1, ~7, 7, [0, 9, 9]],
    [1, 8, 11, [0, 5, 0], [3, 15, 0]],
  ],
};

describe("paths", () => {
  test("are read with a number for each run", () => {
    expect(pathRows(PATHS)[1]).toEqual({ method: 1, branches: 1, places: [5], counts: [30, 50] });
    expect(branchRows(PATHS)[0].counts).toEqual([100, 50]);
  });

  test("name a line once, and a bytecode index where no line is known", () => {
    expect(wayText([31, 31, 32, ~9, 31])).toBe("31 → 32 → @9 → 31");
  });

  test("branches say which way they go", () => {
    const [both, never, sorted] = branchRows(PATHS);
    expect(outcomeText(both, 0)).toBe("taken 75.0 %");
    expect(outcomeText(both, 1)).toBe("taken 0 %");
    expect(outcomeText(never, 0)).toBe("never taken");
    expect(outcomeText(sorted, 0)).toBe("0: 25.0 %, 3: 75.0 %");
    expect(outcomeText(sorted, 1)).toBe("not run");
  });
});

describe("over time", () => {
  test("numbers on an axis are short", () => {
    expect([0, 0.25, 1234, 45_600, 12_345_678].map((n) => axisText(n, "cycles"))).toEqual(["0", "0.25", "1230", "45.6 k", "12.3 M"]);
    expect([4_000_000, 25_000, 2e9].map((n) => axisText(n, "ns"))).toEqual(["4 ms", "25 µs", "2 s"]);
  });

  test("ticks are round and reach what is shown", () => {
    for (const most of [0.003, 1, 7.2, 99, 12_345_678]) {
      const all = ticks(most);
      expect(all[all.length - 1]).toBeGreaterThanOrEqual(most);
      expect(all.length).toBeLessThan(7);
    }
    expect(ticks(7.2)).toEqual([0, 2, 4, 6, 8]);
    expect(ticks(0)).toEqual([0, 1]);
  });

  test("the point at a time is the last one before it", () => {
    const points: [number, number, number, number][] = [[1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]];
    expect([0, 1, 1.9, 2, 3.9, 9].map((s) => pointAt(points, s))).toEqual([0, 0, 0, 1, 1, 2]);
  });

  test("a profile has something over time if there are two points of it", () => {
    const run = (points: number) => ({
      ...facts(0, 0).runs[0],
      series: [{ name: "sampling_interval", unit: "ns", thread: "", points: Array.from({ length: points }, (_, i) => [i, 1, 1, 1] as [number, number, number, number]) }],
    });
    expect(SeriesView.has([run(1)])).toBe(false);
    expect(SeriesView.has([run(1), run(2)])).toBe(true);
  });
});
