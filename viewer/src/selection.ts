// What is looked at: a metric, all threads or one, and in a comparison the numbers before and after.

import type { Data } from "./data";
import { Children, shapeOf, threadColumn, weightsOf, type Shape, type Weights } from "./tree";

export type WidthOf = "both" | "before" | "after";

export class Selection {
  readonly shape: Shape;
  sets: Weights[] = []; // one; or before and after
  width: Float64Array = new Float64Array(0);
  children!: Children;
  readonly comparing: boolean;

  constructor(readonly data: Data) {
    this.shape = shapeOf(data.depth);
    this.comparing = data.facts.runs.length === 2;
  }

  get estimated(): boolean {
    return this.sets.some((set) => set.ownVariance !== null);
  }

  // -1 for all threads.
  choose(metric: number, thread: number, widthOf: WidthOf) {
    const { facts, columns } = this.data;
    const column = (m: number) => (thread < 0 ? columns[m] : threadColumn(this.data, thread, m));
    if (this.comparing) {
      const index = (name: string) => facts.metrics.findIndex((m) => m.name === name);
      this.sets = [weightsOf(this.shape, column(index("before"))), weightsOf(this.shape, column(index("after")))];
    } else {
      this.sets = [weightsOf(this.shape, column(metric))];
    }
    this.width = this.widths(widthOf);
    this.children = new Children(this.shape, this.width);
  }

  widen(widthOf: WidthOf) {
    this.width = this.widths(widthOf);
    this.children = new Children(this.shape, this.width);
  }

  private widths(widthOf: WidthOf): Float64Array {
    if (!this.comparing) return this.sets[0].total;
    const [before, after] = this.sets;
    if (widthOf !== "both") return (widthOf === "before" ? before : after).total;
    return before.total.map((t, i) => t + after.total[i]);
  }
}

export interface MethodRow {
  method: number;
  contexts: number;
  own: number[]; // by set
  ownVariance: number[];
  total: number[]; // own and below, a recursive call not counted again
  totalVariance: number[];
}

// What each method has over all contexts.
export function methodRows(selection: Selection): MethodRow[] {
  const { data, shape, sets } = selection;
  const rows: MethodRow[] = data.facts.methods.map((_, method) => ({
    method,
    contexts: 0,
    own: sets.map(() => 0),
    ownVariance: sets.map(() => 0),
    total: sets.map(() => 0),
    totalVariance: sets.map(() => 0),
  }));
  const covered = new Int32Array(rows.length); // up to where the outermost call of a method reaches
  for (let i = 1; i < shape.size; i++) {
    const method = data.method[i];
    if (method < 0) continue;
    const row = rows[method];
    row.contexts++;
    const outermost = i >= covered[method];
    if (outermost) covered[method] = shape.end[i];
    for (let s = 0; s < sets.length; s++) {
      row.own[s] += sets[s].own[i];
      row.ownVariance[s] += sets[s].ownVariance?.[i] ?? 0;
      if (!outermost) continue;
      row.total[s] += sets[s].total[i];
      row.totalVariance[s] += sets[s].totalVariance?.[i] ?? 0;
    }
  }
  return rows;
}
