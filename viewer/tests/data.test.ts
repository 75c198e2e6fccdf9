import { describe, expect, test } from "vitest";
import { bytesOfBase64, decode, LEFT_OUT } from "../src/data";
import { depthOf, facts, randomTree, shapeNumbers, varints } from "./random_tree";

describe("decode", () => {
  test("reads depths, methods, stand-ins and numbers of random trees", () => {
    for (let seed = 1; seed <= 50; seed++) {
      const nodes = randomTree(seed);
      const data = decode(facts(nodes.length, 6), Uint8Array.from(varints([...shapeNumbers(nodes), ...nodes.map((n) => n.own)])));
      expect([...data.depth.slice(1)]).toEqual(nodes.map(depthOf));
      expect([...data.method.slice(1)]).toEqual(nodes.map((n) => (n.method === -2 ? LEFT_OUT : n.method)));
      expect([...data.columns[0].value.slice(1)]).toEqual(nodes.map((n) => n.own));
      expect([...data.leftOut.keys()]).toEqual(nodes.filter((n) => n.method === -2).map((n) => n.index));
    }
  });

  test("reads fixed point, deviations, call sites and threads", () => {
    const given = facts(3, 2, {
      callSites: true,
      metrics: [{ name: "calls", kind: "estimate", scale: 4 }],
      threads: ["main", "worker"],
    });
    const numbers = [0, 0, 1, /* methods */ 1, 2, 2, /* sites */ 0, 18, 1, /* calls */ 16, 40, 8, /* ± */ 0, 4, 8];
    const threads = [/* main */ 1, 0, 16, 0, /* worker */ 2, 1, 1, 40, 8, 4, 8];
    const data = decode(given, Uint8Array.from(varints([...numbers, ...threads])));
    expect([...data.site!]).toEqual([-1, -1, 17, 0]);
    expect([...data.columns[0].value]).toEqual([0, 1, 2.5, 0.5]);
    expect([...data.columns[0].deviation!]).toEqual([0, 0, 0.25, 0.5]);
    expect([...data.threads[0].node]).toEqual([1]);
    expect([...data.threads[1].node]).toEqual([2, 3]);
    expect([...data.threads[1].columns[0].value]).toEqual([2.5, 0.5]);
  });

  test("reads numbers up to the largest", () => {
    const data = decode(facts(1, 1), Uint8Array.from(varints([0, 1, 2n ** 64n - 1n])));
    expect(data.columns[0].value[1]).toBe(2 ** 64);
  });

  test("refuses a page that was cut off or has too much", () => {
    const bytes = varints([0, 1, 300]);
    expect(() => decode(facts(1, 1), Uint8Array.from(bytes.slice(0, -1)))).toThrow("cut off");
    expect(() => decode(facts(1, 1), Uint8Array.from(bytes.slice(0, -2)))).toThrow();
    expect(() => decode(facts(1, 1), Uint8Array.from([...bytes, 0]))).toThrow("do not fit");
  });
});

test("base64 comes back as its bytes", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  expect(bytesOfBase64(Buffer.from(bytes).toString("base64"))).toEqual(bytes);
});
