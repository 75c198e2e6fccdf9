// Paths through methods and the branches along them: the hottest first, by source lines where they are known.

import type { Facts, PathFacts } from "./data";
import { el } from "./dom";
import { grouped, growth, percent, signed } from "./numbers";
import { VirtualTable, type TableColumn } from "./virtual_table";

export type PathView = "paths" | "branches";

// A source line, or the bytecode index where that is not known.
export const placeText = (place: number) => (place >= 0 ? String(place) : `@${~place}`);

// A line that several blocks in a row lie on is named once.
export function wayText(places: number[]): string {
  return places
    .filter((place, i) => i === 0 || place !== places[i - 1])
    .map(placeText)
    .join(" → ");
}

export interface PathRow {
  method: number;
  branches: number; // along it
  places: number[];
  counts: number[]; // by run
}

export interface BranchRow {
  method: number;
  place: number;
  bci: number;
  outcomes: { outcome: number; counts: number[] }[];
  counts: number[]; // of all of them
}

export function pathRows(paths: PathFacts): PathRow[] {
  return paths.rows.map(([method, branches, places, ...counts]) => ({ method, branches, places, counts }));
}

export function branchRows(paths: PathFacts): BranchRow[] {
  return paths.branches.map(([method, place, bci, ...outcomes]) => {
    const parts = outcomes.map(([outcome, ...counts]) => ({ outcome, counts }));
    const counts = paths.runs.map((_, run) => parts.reduce((sum, part) => sum + part.counts[run], 0));
    return { method, place, bci, outcomes: parts, counts };
  });
}

// "taken 67 %", or of a switch each outcome.
export function outcomeText(row: BranchRow, run: number): string {
  if (row.counts[run] === 0) return "not run";
  const share = (i: number) => percent(row.outcomes[i].counts[run], row.counts[run]);
  const last = row.outcomes.length - 1;
  if (row.outcomes[last].outcome <= 1) return row.outcomes[last].outcome === 1 ? `taken ${share(last)}` : "never taken";
  return row.outcomes.map(({ outcome }, i) => `${outcome}: ${share(i)}`).join(", ");
}

export class PathTable {
  readonly table: VirtualTable;
  readonly element: HTMLElement;
  view: PathView = "paths";
  private readonly detail = el("div", { id: "way", role: "status" });
  private readonly paths: PathRow[];
  private readonly branches: BranchRow[];
  private hits: Uint8Array | null = null;
  private shownPaths: PathRow[] = [];
  private shownBranches: BranchRow[] = [];

  constructor(
    private readonly facts: Facts,
    private readonly of: PathFacts,
  ) {
    this.paths = pathRows(of);
    this.branches = branchRows(of);
    if (this.comparing) {
      // By how much of the flow moved.
      const moved = (row: PathRow) => Math.abs(this.flow(row, 1) - this.flow(row, 0));
      this.paths.sort((a, b) => moved(b) - moved(a));
    }
    this.table = new VirtualTable("Paths", {
      count: () => (this.view === "paths" ? this.shownPaths : this.shownBranches).length,
      cells: (row) => (this.view === "paths" ? this.pathCells(this.shownPaths[row]) : this.branchCells(this.shownBranches[row])),
      choose: (row) => this.choose(row),
    });
    this.element = el("div", { class: "paths" }, this.table.element, this.detail);
  }

  filterBy(hits: Uint8Array | null) {
    this.hits = hits;
    this.table.top();
  }

  // How many paths are in the table, of methods that a search found.
  get found(): number {
    return this.paths.filter((row) => this.isHit(row.method)).length;
  }

  refresh() {
    this.shownPaths = this.paths.filter((row) => this.isHit(row.method));
    this.shownBranches = this.branches.filter((row) => this.isHit(row.method));
    this.table.columns(this.columns());
    this.table.draw();
    this.detail.replaceChildren(this.summary());
  }

  private get comparing(): boolean {
    return this.of.runs.length === 2;
  }

  private get times(): string {
    return this.of.kind === "samples" ? "Weight" : "Times";
  }

  private isHit(method: number): boolean {
    return this.hits === null || this.hits[method] === 1;
  }

  // Share of all flow.
  private flow(row: PathRow, run: number): number {
    return this.of.flow[run] > 0 ? (row.counts[run] * row.branches) / this.of.flow[run] : 0;
  }

  private summary(): HTMLElement {
    const sum = (numbers: number[]) => numbers.map(grouped).join(" → ");
    const what = this.of.kind === "samples" ? `sampled paths of weight ${sum(this.of.runs)}` : `${sum(this.of.runs)} paths run`;
    const missing = this.of.different - this.paths.length;
    const rest = missing > 0 ? `; the ${grouped(this.paths.length)} with most flow are here` : "";
    return el("p", { class: "soft" }, `${what}, ${grouped(this.of.different)} different ones${rest}. ${this.view === "paths" ? "Flow is how often a path ran times the branches along it. Click a path for its lines." : "Click a branch for its line."}`);
  }

  private columns(): TableColumn[] {
    const method: TableColumn = { title: "Method", text: true };
    const flow = "share of the branch flow: how often it ran times the branches along it";
    if (this.view === "branches") {
      const numbers = this.comparing ? [{ title: `${this.times} before` }, { title: "After" }] : [{ title: this.times }];
      return [...numbers, method, { title: "Line" }, { title: "Which way", text: true, hint: "of a switch: its targets, in the order of the bytecode, from 0" }];
    }
    if (this.comparing) {
      return [{ title: "Flow before", hint: flow }, { title: "Flow after", hint: flow }, { title: `${this.times}, change`, wide: true }, method, { title: "Lines", text: true }];
    }
    return [{ title: "Flow", hint: flow }, { title: this.times }, { title: "Branches", hint: "along the path" }, method, { title: "Lines (@ where only the bytecode is known)", text: true }];
  }

  private name(method: number): HTMLElement {
    const [where, rest] = this.facts.methods[method];
    return el("span", { class: "text name", title: where + rest }, el("span", { class: "package" }, where), rest);
  }

  private pathCells(row: PathRow): (Node | string)[] {
    const way = el("span", { class: "text" }, wayText(row.places));
    const share = (run: number) => percent(this.flow(row, run), 1);
    if (this.comparing) {
      const [before, after] = row.counts;
      return [share(0), share(1), `${signed(after - before)}  ${growth(before, after)}`, this.name(row.method), way];
    }
    return [share(0), grouped(row.counts[0]), grouped(row.branches), this.name(row.method), way];
  }

  private branchCells(row: BranchRow): (Node | string)[] {
    const ways = [...new Set(this.of.runs.map((_, run) => outcomeText(row, run)))].join(" → ");
    return [...row.counts.map(grouped), this.name(row.method), placeText(row.place), el("span", { class: "text" }, ways)];
  }

  // The whole of a path, line by line, with the text where the page has it.
  private choose(at: number) {
    const row = this.view === "paths" ? this.shownPaths[at] : this.shownBranches[at];
    const places = "places" in row ? row.places.filter((place, i) => i === 0 || place !== row.places[i - 1]) : [row.place];
    const texts = this.of.sources?.[row.method] ?? {};
    const lines = places.map((place) => el("li", {}, el("b", {}, placeText(place)), el("code", {}, texts[place] ?? "")));
    const known = Object.keys(texts).length > 0;
    this.detail.replaceChildren(
      this.name(row.method),
      known ? el("ol", { class: "lines" }, ...lines) : el("p", {}, wayText(places)),
    );
    if (!known && places.some((place) => place >= 0)) {
      this.detail.append(el("p", { class: "soft" }, "bursar view --sources src/main/java puts the text of the lines here."));
    }
  }
}
