// What a flame graph draws: a tree of boxes, asked for level by level. The tree itself, and the callers and callees of a
// method, which are put together only as far as they are looked at.

import { ALL } from "./data";
import type { Selection } from "./selection";

export interface Amount {
  own: number;
  ownVariance: number | null; // null unless it is an estimate
  total: number;
  totalVariance: number | null;
}

export interface FlameSource {
  readonly root: number;
  parent(box: number): number; // -1 for the root
  children(box: number): ArrayLike<number>; // widest first
  width(box: number): number;
  method(box: number): number; // ALL, LEFT_OUT or a method
  amounts(box: number): Amount[]; // one for each set of the selection
  leftOut(box: number): number; // contexts it stands for
  site(box: number): number; // call site, -1 for none
}

export class TreeSource implements FlameSource {
  readonly root = 0;
  constructor(readonly selection: Selection) {}
  parent(box: number) {
    return this.selection.shape.parent[box];
  }
  children(box: number) {
    return this.selection.children.of(box);
  }
  width(box: number) {
    return this.selection.width[box];
  }
  method(box: number) {
    return this.selection.data.method[box];
  }
  leftOut(box: number) {
    return this.selection.data.leftOut.get(box) ?? 0;
  }
  site(box: number) {
    return this.selection.data.site?.[box] ?? -1;
  }
  amounts(box: number): Amount[] {
    return this.selection.sets.map((set) => ({
      own: set.own[box],
      ownVariance: set.ownVariance ? set.ownVariance[box] : null,
      total: set.total[box],
      totalVariance: set.totalVariance ? set.totalVariance[box] : null,
    }));
  }
}

interface Group {
  method: number;
  parent: number;
  nodes: number[]; // where it stands in the tree
  weighed: number[]; // the node whose number counts, for each of `nodes`
  amounts: Amount[];
  width: number;
  leftOut: number;
  children: number[] | null;
}

// Boxes that stand for several contexts at once.
abstract class MergedSource implements FlameSource {
  readonly root = 0;
  protected readonly groups: Group[] = [];

  constructor(
    protected readonly selection: Selection,
    method: number,
    nodes: number[],
    private readonly byOwn: boolean,
  ) {
    this.add(method, -1, nodes, nodes);
  }

  parent(box: number) {
    return this.groups[box].parent;
  }
  width(box: number) {
    return this.groups[box].width;
  }
  method(box: number) {
    return this.groups[box].method;
  }
  amounts(box: number) {
    return this.groups[box].amounts;
  }
  leftOut(box: number) {
    return this.groups[box].leftOut;
  }
  site() {
    return -1;
  }
  children(box: number) {
    return (this.groups[box].children ??= this.grouped(box));
  }

  // The next nodes after one of the box, with the node whose number counts.
  protected abstract next(node: number, weighed: number, take: (node: number, weighed: number) => void): void;

  private grouped(box: number): number[] {
    const { data } = this.selection;
    const found = new Map<number, { nodes: number[]; weighed: number[] }>();
    const from = this.groups[box];
    from.nodes.forEach((node, i) =>
      this.next(node, from.weighed[i], (at, weighed) => {
        const method = data.method[at];
        let group = found.get(method);
        if (!group) found.set(method, (group = { nodes: [], weighed: [] }));
        group.nodes.push(at);
        group.weighed.push(weighed);
      }),
    );
    const boxes = [...found].map(([method, { nodes, weighed }]) => this.add(method, box, nodes, weighed));
    return boxes
      .filter((b) => this.groups[b].width > 0)
      .sort((a, b) => this.groups[b].width - this.groups[a].width || a - b);
  }

  private add(method: number, parent: number, nodes: number[], weighed: number[]): number {
    const { sets, width, data } = this.selection;
    const amounts = sets.map((set) => {
      const sum: Amount = { own: 0, ownVariance: set.ownVariance && 0, total: 0, totalVariance: set.totalVariance && 0 };
      for (const node of weighed) {
        sum.own += set.own[node];
        sum.total += this.byOwn ? set.own[node] : set.total[node];
        if (set.ownVariance) sum.ownVariance! += set.ownVariance[node];
        if (set.totalVariance) sum.totalVariance! += (this.byOwn ? set.ownVariance! : set.totalVariance)[node];
      }
      return sum;
    });
    let wide = 0;
    let leftOut = 0;
    for (const node of weighed) {
      wide += this.byOwn ? sets.reduce((sum, set) => sum + set.own[node], 0) : width[node];
      leftOut += data.leftOut.get(node) ?? 0;
    }
    this.groups.push({ method, parent, nodes, weighed, amounts, width: wide, leftOut, children: null });
    return this.groups.length - 1;
  }
}

// Everything that a method calls, wherever it is called. What it calls within a call of itself is below that one.
export class CalleesSource extends MergedSource {
  constructor(selection: Selection, method: number) {
    super(selection, method, outermost(selection, method), false);
  }
  protected next(node: number, _weighed: number, take: (node: number, weighed: number) => void) {
    for (const child of this.selection.children.of(node)) take(child, child);
  }
}

// Who calls a method, caller by caller. Calls of a method are told apart by where they come from, so its own number is
// what counts; samples are found below a method too, so there its subtree counts.
export class CallersSource extends MergedSource {
  constructor(selection: Selection, method: number, byOwn: boolean) {
    super(selection, method, byOwn ? everywhere(selection, method) : outermost(selection, method), byOwn);
  }
  protected next(node: number, weighed: number, take: (node: number, weighed: number) => void) {
    const parent = this.selection.shape.parent[node];
    if (parent >= 0 && this.selection.data.method[parent] !== ALL) take(parent, weighed);
  }
}

function everywhere({ data, shape }: Selection, method: number): number[] {
  const nodes: number[] = [];
  for (let i = 1; i < shape.size; i++) if (data.method[i] === method) nodes.push(i);
  return nodes;
}

function outermost(selection: Selection, method: number): number[] {
  let covered = 0;
  return everywhere(selection, method).filter((node) => {
    if (node < covered) return false;
    covered = selection.shape.end[node];
    return true;
  });
}
