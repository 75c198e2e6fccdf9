// What the page holds of a profile: facts (JSON) and columns (base64 of LEB128 numbers). src/export/view_page.h of the
// command says how they are written.

export interface Metric {
  name: string;
  kind: "exact" | "estimate" | "samples";
  scale: number; // numbers are in units of 2^-scale
}

export interface Run {
  file: string;
  contexts: number;
  info: Record<string, string[]>;
  counters: Record<string, number>;
  dropped: Record<string, number>;
  skippedMethods: Record<string, number>;
  series: Series[];
}

// Something measured over time.
export interface Series {
  name: string;
  unit: string;
  thread: string; // empty for all together
  points: [seconds: number, low: number, middle: number, high: number][];
}

// Numbers are one for each run, in the order of runs. A place is a source line, or ~bytecode index.
export interface PathFacts {
  kind: "exact" | "samples";
  runs: number[];
  flow: number[];
  different: number; // paths there are
  rows: [method: number, branches: number, places: number[], ...counts: number[]][];
  branches: [method: number, place: number, bci: number, ...outcomes: number[][]][];
  sources?: Record<number, Record<number, string>>; // by method, by line
}

export interface Facts {
  title: string;
  nodes: number;
  contexts: number;
  leftOut: number;
  compared: string; // the metric that two runs are compared by
  callSites: boolean;
  metric: number;
  metrics: Metric[];
  threads: string[];
  runs: Run[];
  methods: [packageName: string, rest: string, kind: number][];
  paths: PathFacts | null;
}

// Own numbers in natural units; deviations only of estimates.
export interface Column {
  value: Float64Array;
  deviation: Float64Array | null;
}

export interface ThreadPart {
  node: Int32Array; // ascending
  columns: Column[];
}

// Node 0 stands for everything; the others follow in pre-order.
export interface Data {
  facts: Facts;
  depth: Int32Array;
  method: Int32Array; // -1 for node 0, -2 for a node that stands for contexts left out
  leftOut: Map<number, number>;
  site: Int32Array | null; // -1 for none
  columns: Column[];
  threads: ThreadPart[];
}

export const ALL = -1;
export const LEFT_OUT = -2;

class NumberReader {
  private at = 0;
  constructor(private readonly bytes: Uint8Array) {}

  next(): number {
    let byte = this.bytes[this.at++];
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let unit = 128;
    do {
      if (this.at >= this.bytes.length) throw new Error("the page is cut off: its numbers end too early");
      byte = this.bytes[this.at++];
      value += (byte & 0x7f) * unit;
      unit *= 128;
    } while (byte >= 0x80);
    return value;
  }

  column(size: number, offset: number, metric: Metric): Column {
    const step = 2 ** -metric.scale;
    const read = () => {
      const numbers = new Float64Array(size + offset);
      for (let i = offset; i < size + offset; i++) numbers[i] = this.next() * step;
      return numbers;
    };
    return { value: read(), deviation: metric.kind === "estimate" ? read() : null };
  }

  expectEnd() {
    if (this.at !== this.bytes.length) throw new Error("the page's numbers do not fit its facts");
  }
}

export function decode(facts: Facts, bytes: Uint8Array): Data {
  const n = facts.nodes;
  const reader = new NumberReader(bytes);
  const depth = new Int32Array(n + 1);
  for (let i = 1; i <= n; i++) depth[i] = depth[i - 1] + 1 - reader.next();
  const method = new Int32Array(n + 1);
  method[0] = ALL;
  const standIns: number[] = [];
  for (let i = 1; i <= n; i++) {
    const number = reader.next();
    method[i] = number === 0 ? LEFT_OUT : number - 1;
    if (number === 0) standIns.push(i);
  }
  const leftOut = new Map(standIns.map((node) => [node, reader.next()]));
  let site: Int32Array | null = null;
  if (facts.callSites) {
    site = new Int32Array(n + 1).fill(-1);
    for (let i = 1; i <= n; i++) site[i] = reader.next() - 1;
  }
  const columns = facts.metrics.map((metric) => reader.column(n, 1, metric));
  const threads = facts.threads.map(() => {
    const size = reader.next();
    const node = new Int32Array(size);
    for (let i = 0, at = 1; i < size; i++) node[i] = at += reader.next();
    return { node, columns: facts.metrics.map((metric) => reader.column(size, 0, metric)) };
  });
  reader.expectEnd();
  return { facts, depth, method, leftOut, site, columns, threads };
}

export function bytesOfBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
