// Random trees in the form of a page, and the same as objects, for tests that work everything out anew the simple way.

import { decode, type Data, type Facts } from "../src/data";
import { Selection } from "../src/selection";

export interface Node {
  method: number; // -2: stands for contexts left out
  own: number;
  deviation: number;
  children: Node[];
  parent: Node | null;
  index: number; // of the page, from 1
}

export function random(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 12345;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export function randomTree(seed: number, size = 60, methods = 6): Node[] {
  const next = random(seed);
  const nodes: Node[] = [];
  const roots: Node[] = [];
  for (let i = 0; i < size; i++) {
    const parent = i === 0 || next(8) === 0 ? null : nodes[next(nodes.length)];
    const standsIn = parent !== null && next(12) === 0;
    if (parent?.method === -2) continue;
    const node = { method: standsIn ? -2 : next(methods), own: next(5) === 0 ? 0 : next(100_000), deviation: next(50), children: [], parent, index: 0 };
    (parent ? parent.children : roots).push(node);
    nodes.push(node);
  }
  const ordered: Node[] = [];
  const visit = (node: Node) => {
    node.index = ordered.push(node);
    node.children.forEach(visit);
  };
  roots.forEach(visit);
  return ordered;
}

export const depthOf = (node: Node): number => (node.parent ? depthOf(node.parent) + 1 : 1);
export const totalOf = (node: Node): number => node.own + node.children.reduce((sum, child) => sum + totalOf(child), 0);
export const above = (node: Node): Node[] => (node.parent ? [node.parent, ...above(node.parent)] : []);

export function varints(numbers: (number | bigint)[]): number[] {
  const bytes: number[] = [];
  for (const number of numbers) {
    let value = BigInt(number);
    for (; value >= 128n; value >>= 7n) bytes.push(Number(value & 127n) | 128);
    bytes.push(Number(value));
  }
  return bytes;
}

export function facts(nodes: number, methods: number, more: Partial<Facts> = {}): Facts {
  const names = Array.from({ length: methods }, (_, i) => [`pack${i % 2}.`, `Class${i}.method${i}`, 0] as [string, string, number]);
  return {
    title: "test", nodes, contexts: nodes, leftOut: 0, compared: "", callSites: false, metric: 0,
    metrics: [{ name: "calls", kind: "exact", scale: 0 }],
    threads: [], runs: [{ file: "a", contexts: nodes, info: {}, counters: {}, dropped: {}, skippedMethods: {}, series: [] }],
    methods: names, paths: null, ...more,
  };
}

export function shapeNumbers(nodes: Node[]): number[] {
  const levels = nodes.map((node, i) => (i === 0 ? 0 : depthOf(nodes[i - 1])) + 1 - depthOf(node));
  const standIns = nodes.filter((node) => node.method === -2).map(() => 3);
  return [...levels, ...nodes.map((node) => (node.method === -2 ? 0 : node.method + 1)), ...standIns];
}

export function dataOf(nodes: Node[], methods = 6): Data {
  const bytes = varints([...shapeNumbers(nodes), ...nodes.map((node) => node.own)]);
  return decode(facts(nodes.length, methods), Uint8Array.from(bytes));
}

export function selectionOf(nodes: Node[], methods = 6): Selection {
  const selection = new Selection(dataOf(nodes, methods));
  selection.choose(0, -1, "both");
  return selection;
}
