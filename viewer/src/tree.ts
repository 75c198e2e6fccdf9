// The calling-context tree of the page, and its numbers for one metric and one choice of threads.

import type { Column, Data } from "./data";

// The shape: node 0 stands for everything, others in pre-order.
export interface Shape {
  size: number;
  parent: Int32Array; // -1 for node 0
  end: Int32Array; // one past the last node of the subtree
}

export function shapeOf(depth: Int32Array): Shape {
  const size = depth.length;
  const parent = new Int32Array(size);
  const end = new Int32Array(size).fill(size);
  parent[0] = -1;
  const open = [0];
  for (let i = 1; i < size; i++) {
    while (open.length > depth[i]) end[open.pop()!] = i;
    parent[i] = open[depth[i] - 1];
    open.push(i);
  }
  return { size, parent, end };
}

// Numbers of one metric. A variance of an estimate is that of the number itself, in units of its square.
export interface Weights {
  own: Float64Array;
  total: Float64Array; // own and everything below
  ownVariance: Float64Array | null;
  totalVariance: Float64Array | null;
}

function summed(own: Float64Array, parent: Int32Array): Float64Array {
  const total = own.slice();
  for (let i = own.length - 1; i > 0; i--) total[parent[i]] += total[i];
  return total;
}

export function weightsOf(shape: Shape, column: Column): Weights {
  const ownVariance = column.deviation ? column.deviation.map((d) => d * d) : null;
  return {
    own: column.value,
    total: summed(column.value, shape.parent),
    ownVariance,
    totalVariance: ownVariance ? summed(ownVariance, shape.parent) : null,
  };
}

// The numbers of one thread, as a column over the whole tree.
export function threadColumn(data: Data, thread: number, metric: number): Column {
  const part = data.threads[thread];
  const from = part.columns[metric];
  const spread = (numbers: Float64Array) => {
    const all = new Float64Array(data.method.length);
    for (let i = 0; i < part.node.length; i++) all[part.node[i]] = numbers[i];
    return all;
  };
  return { value: spread(from.value), deviation: from.deviation ? spread(from.deviation) : null };
}

// Children of each node, widest first; those of width 0 are not among them, as nothing would be seen of them.
export class Children {
  private readonly first: Int32Array;
  private readonly child: Int32Array;

  constructor(shape: Shape, width: Float64Array) {
    const { size, parent } = shape;
    this.first = new Int32Array(size + 1);
    for (let i = 1; i < size; i++) if (width[i] > 0) this.first[parent[i] + 1]++;
    for (let i = 0; i < size; i++) this.first[i + 1] += this.first[i];
    this.child = new Int32Array(this.first[size]);
    const next = this.first.slice();
    for (let i = 1; i < size; i++) if (width[i] > 0) this.child[next[parent[i]]++] = i;
    for (let i = 0; i < size; i++) this.sort(this.first[i], this.first[i + 1], width);
  }

  of(node: number): Int32Array {
    return this.child.subarray(this.first[node], this.first[node + 1]);
  }

  // Most nodes have few children.
  private sort(begin: number, end: number, width: Float64Array) {
    if (end - begin > 24) {
      this.child.subarray(begin, end).sort((a, b) => width[b] - width[a] || a - b);
      return;
    }
    for (let i = begin + 1; i < end; i++) {
      const node = this.child[i];
      let at = i;
      for (; at > begin && width[this.child[at - 1]] < width[node]; at--) this.child[at] = this.child[at - 1];
      this.child[at] = node;
    }
  }
}
