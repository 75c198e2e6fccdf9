// All methods with what they have over all contexts: the way in to a method's callers and callees.

import { el } from "./dom";
import { error95, growth, grouped, percent, rough, signed, amount } from "./numbers";
import { methodRows, type MethodRow, type Selection } from "./selection";
import { VirtualTable, type TableColumn } from "./virtual_table";

export class MethodTable {
  readonly table: VirtualTable;
  private all: MethodRow[] = [];
  private rows: MethodRow[] = [];
  private hits: Uint8Array | null = null;
  private order: string;
  private metric = "calls";

  constructor(
    private readonly selection: Selection,
    open: (method: number) => void,
  ) {
    this.order = selection.comparing ? "change" : "own";
    this.table = new VirtualTable(
      "Methods",
      {
        count: () => this.rows.length,
        cells: (row) => this.cells(this.rows[row]),
        activate: (row) => open(this.rows[row].method),
        choose: () => {},
      },
      (key) => {
        this.order = key;
        this.table.top();
        this.arrange();
      },
    );
    this.table.element.addEventListener("click", (event) => {
      const row = (event.target as HTMLElement).closest<HTMLElement>(".name")?.parentElement?.dataset.row;
      if (row !== undefined) open(this.rows[Number(row)].method);
    });
  }

  refresh(metric: string) {
    this.all = methodRows(this.selection);
    this.metric = metric;
    this.arrange();
  }

  filterBy(hits: Uint8Array | null) {
    this.hits = hits;
    this.table.top();
  }

  arrange() {
    this.table.sortedBy(this.order);
    this.table.columns(this.columns());
    const key = this.key();
    const used = (row: MethodRow) => row.contexts > 0 && (this.hits === null || this.hits[row.method] === 1);
    this.rows = this.all.filter(used).sort((a, b) => key(b) - key(a) || a.method - b.method);
    this.table.draw();
  }

  private columns(): TableColumn[] {
    const name: TableColumn = { title: "Method (click for callers and callees)", text: true };
    if (this.selection.comparing) {
      return [
        { title: "Before", key: "before", hint: `${this.metric} of the method, over all contexts` },
        { title: "After", key: "after" },
        { title: "Change", key: "change", hint: "sorted by size; changes within the error come last", wide: true },
        { title: "Growth" },
        name,
      ];
    }
    return [
      { title: `Own ${this.metric}`, key: "own", hint: "of the method itself, over all contexts", wide: this.selection.estimated },
      { title: "Share" },
      { title: "With callees", key: "total", hint: "the method and everything below it; recursive calls count once", wide: this.selection.estimated },
      { title: "Contexts", key: "contexts", hint: "in how many calling contexts it ran" },
      name,
    ];
  }

  private key(): (row: MethodRow) => number {
    switch (this.order) {
      case "total":
        return (row) => row.total[0];
      case "contexts":
        return (row) => row.contexts;
      case "after":
        return (row) => row.own[1];
      case "change":
        return (row) => this.significance(row);
      default:
        return (row) => row.own[0];
    }
  }

  // The size of a change; what the error of both numbers explains comes after everything else.
  private significance(row: MethodRow): number {
    const difference = Math.abs(row.own[1] - row.own[0]);
    const error = error95(row.ownVariance[0] + row.ownVariance[1]);
    return difference > error ? difference : difference - 1e300;
  }

  private cells(row: MethodRow): (Node | string)[] {
    const [where, rest] = this.selection.data.facts.methods[row.method];
    const name = el("span", { class: "text name link" }, el("span", { class: "package" }, where), rest);
    if (this.selection.comparing) {
      const within = this.significance(row) < 0;
      return [
        ...this.selection.sets.map((set, i) => rough(row.own[i], set.ownVariance !== null)),
        (within && row.own[0] !== row.own[1] ? "within error " : "") + signed(row.own[1] - row.own[0]),
        growth(row.own[0], row.own[1]),
        name,
      ];
    }
    const [set] = this.selection.sets;
    return [
      amount(row.own[0], set.ownVariance ? row.ownVariance[0] : null),
      percent(row.own[0], set.total[0]),
      amount(row.total[0], set.totalVariance ? row.totalVariance[0] : null),
      grouped(row.contexts),
      name,
    ];
  }
}
