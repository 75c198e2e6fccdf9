import { describe, expect, test } from "vitest";
import { methodRows, Selection } from "../src/selection";
import { matcher, search } from "../src/search";
import { CalleesSource, CallersSource, TreeSource, type FlameSource } from "../src/sources";
import { threadColumn } from "../src/tree";
import { decode } from "../src/data";
import { above, facts, randomTree, selectionOf, totalOf, varints, type Node } from "./random_tree";

const SEEDS = Array.from({ length: 40 }, (_, i) => i + 1);
const isOutermost = (node: Node) => above(node).every((a) => a.method !== node.method);

describe("the tree", () => {
  test("has parents, subtree ends and totals as worked out one by one", () => {
    for (const seed of SEEDS) {
      const nodes = randomTree(seed);
      const { shape, sets } = selectionOf(nodes);
      for (const node of nodes) {
        expect(shape.parent[node.index]).toBe(node.parent?.index ?? 0);
        const last = (n: Node): number => (n.children.length > 0 ? last(n.children[n.children.length - 1]) : n.index);
        expect(shape.end[node.index]).toBe(last(node) + 1);
        expect(sets[0].total[node.index]).toBe(totalOf(node));
      }
      expect(sets[0].total[0]).toBe(nodes.reduce((sum, n) => sum + n.own, 0));
    }
  });

  test("gives children widest first, without those of no width", () => {
    for (const seed of SEEDS) {
      const nodes = randomTree(seed, 200);
      const { children } = selectionOf(nodes);
      for (const node of nodes) {
        const expected = node.children.filter((c) => totalOf(c) > 0).sort((a, b) => totalOf(b) - totalOf(a) || a.index - b.index);
        expect([...children.of(node.index)]).toEqual(expected.map((c) => c.index));
      }
    }
  });

  test("sorts many children too", () => {
    const nodes = randomTree(1, 1);
    for (let i = 0; i < 100; i++) nodes.push({ method: i % 6, own: (i * 37) % 101, deviation: 0, children: [], parent: nodes[0], index: i + 2 });
    nodes[0].children = nodes.slice(1);
    const { children, width } = selectionOf(nodes);
    const widths = [...children.of(1)].map((node) => width[node]);
    expect(widths).toEqual([...widths].sort((a, b) => b - a));
  });
});

describe("methods and search", () => {
  test("a method has its own numbers of all contexts, and totals of its outermost calls", () => {
    for (const seed of SEEDS) {
      const nodes = randomTree(seed);
      for (const row of methodRows(selectionOf(nodes))) {
        const of = nodes.filter((n) => n.method === row.method);
        expect(row.contexts).toBe(of.length);
        expect(row.own[0]).toBe(of.reduce((sum, n) => sum + n.own, 0));
        expect(row.total[0]).toBe(of.filter(isOutermost).reduce((sum, n) => sum + totalOf(n), 0));
      }
    }
  });

  test("a search adds up what matches and what that calls, nothing twice", () => {
    for (const seed of SEEDS) {
      const nodes = randomTree(seed);
      const found = search(selectionOf(nodes), matcher("/Class[024]/")!);
      const hit = (n: Node) => n.method >= 0 && n.method % 2 === 0;
      expect(found.methodCount).toBe(3);
      expect(found.contexts).toBe(nodes.filter(hit).length);
      expect(found.own[0]).toBe(nodes.filter(hit).reduce((sum, n) => sum + n.own, 0));
      const outermost = nodes.filter((n) => hit(n) && !above(n).some(hit));
      expect(found.total[0]).toBe(outermost.reduce((sum, n) => sum + totalOf(n), 0));
    }
  });

  test("plain text matches in any case, parameters only where they are asked for", () => {
    expect(matcher("  ")).toBeNull();
    expect(matcher("LIST.remove")!("java.util.List.remove(Object)")).toBe(true);
    expect(matcher("object")!("java.util.List.remove(Object)")).toBe(false);
    expect(matcher("remove(object")!("java.util.List.remove(Object)")).toBe(true);
    expect(matcher("/^java.*e\\b/")!("java.util.List.remove")).toBe(true);
    expect(matcher("/^util/")!("java.util.List.remove")).toBe(false);
    expect(() => matcher("/(/")).toThrow();
  });
});

describe("callers and callees", () => {
  // All ways down from a box, as text, with their numbers.
  const paths = (source: FlameSource, box = source.root, path = ""): string[] => {
    const here = `${path}/${source.method(box)}`;
    return [`${here}=${source.amounts(box)[0].total}`, ...Array.from(source.children(box)).flatMap((b) => paths(source, b, here))];
  };
  const grouped = (entries: [string, number][]) => {
    const sums = new Map<string, number>();
    for (const [path, number] of entries) sums.set(path, (sums.get(path) ?? 0) + number);
    return [...sums].filter(([, sum]) => sum > 0).map(([path, sum]) => `${path}=${sum}`).sort();
  };
  const prefixes = (methods: number[]) => methods.map((_, i) => "/" + methods.slice(0, i + 1).join("/"));

  test("callers are all ways from a method to the root, by its own number or by its subtree", () => {
    for (const seed of SEEDS) {
      const nodes = randomTree(seed);
      for (const byOwn of [true, false]) {
        const source = new CallersSource(selectionOf(nodes), 1, byOwn);
        const counted = nodes.filter((n) => n.method === 1 && (byOwn || isOutermost(n)));
        const entries = counted.flatMap((n) =>
          prefixes([n, ...above(n)].map((a) => a.method)).map((p) => [p, byOwn ? n.own : totalOf(n)] as [string, number]),
        );
        expect(paths(source).filter((p) => !p.endsWith("=0")).sort()).toEqual(grouped(entries));
      }
    }
  });

  test("callees are all ways down from its outermost calls", () => {
    for (const seed of SEEDS) {
      const nodes = randomTree(seed);
      const source = new CalleesSource(selectionOf(nodes), 1);
      const entries = nodes.flatMap((n) => {
        const way = [n, ...above(n)].reverse();
        const first = way.findIndex((a) => a.method === 1);
        if (first < 0) return [];
        return [["/" + way.slice(first).map((a) => a.method).join("/"), totalOf(n)] as [string, number]];
      });
      expect(paths(source).filter((p) => !p.endsWith("=0")).sort()).toEqual(grouped(entries));
    }
  });

  test("the tree itself is a source too", () => {
    const nodes = randomTree(3);
    const source = new TreeSource(selectionOf(nodes));
    expect(paths(source).length).toBe(1 + nodes.filter((n) => totalOf(n) > 0).length);
  });
});

describe("estimates, threads and comparisons", () => {
  const estimate = decode(
    facts(3, 2, { metrics: [{ name: "calls", kind: "estimate", scale: 0 }], threads: ["main"] }),
    Uint8Array.from(varints([0, 0, 1, 1, 2, 2, 10, 20, 30, 3, 4, 0, /* main */ 1, 1, 20, 4])),
  );

  test("variances add up", () => {
    const selection = new Selection(estimate);
    selection.choose(0, -1, "both");
    expect([...selection.sets[0].totalVariance!]).toEqual([25, 25, 16, 0]);
    expect(selection.estimated).toBe(true);
  });

  test("a thread has its own numbers in the whole tree", () => {
    expect([...threadColumn(estimate, 0, 0).value]).toEqual([0, 0, 20, 0]);
    const selection = new Selection(estimate);
    selection.choose(0, 0, "both");
    expect([...selection.sets[0].total]).toEqual([20, 20, 20, 0]);
  });

  test("a comparison is as wide as both, or as one of them", () => {
    const runs = [0, 1].map(() => ({ file: "", contexts: 2, info: {}, counters: {}, dropped: {}, skippedMethods: {}, series: [] }));
    const metrics = ["after", "before"].map((name) => ({ name, kind: "exact" as const, scale: 0 }));
    const data = decode(facts(2, 2, { runs, metrics }), Uint8Array.from(varints([0, 0, 1, 2, /* after */ 5, 7, /* before */ 1, 2])));
    const selection = new Selection(data);
    selection.choose(0, -1, "both");
    expect(selection.sets.map((set) => set.total[1])).toEqual([3, 12]);
    expect([...selection.width]).toEqual([15, 15, 9]);
    selection.widen("before");
    expect([...selection.width]).toEqual([3, 3, 2]);
  });
});
