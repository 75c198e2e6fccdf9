// The call tree as a table that unfolds: every context with its own number and that of everything below it.

import { ALL, LEFT_OUT } from "./data";
import { el } from "./dom";
import { amount, counted, grouped, growth, percent, rough, signed } from "./numbers";
import type { Selection } from "./selection";
import { VirtualTable } from "./virtual_table";

interface Row {
  node: number;
  depth: number;
}

export class TreeTable {
  readonly table: VirtualTable;
  private rows: Row[] = [];
  private readonly open = new Set<number>();
  private hits: Uint8Array | null = null;

  constructor(
    private readonly selection: Selection,
    private readonly zoomTo: (node: number) => void,
    private readonly selected: (node: number) => void,
  ) {
    this.table = new VirtualTable("Call tree", {
      count: () => this.rows.length,
      cells: (row) => this.cells(this.rows[row]),
      classes: (row) => (this.isHit(this.rows[row].node) ? "hit" : ""),
      activate: (row) => this.zoomTo(this.rows[row].node),
      choose: (row) => this.selected(this.rows[row].node),
      step: (row, key) => this.step(row, key),
    });
  }

  // Called when the numbers changed: unfolds the way that most of them take.
  refresh() {
    const { selection } = this;
    const wide = selection.estimated;
    this.table.columns(
      selection.comparing
        ? [
            { title: "Before", hint: "calls of the context and everything below it" },
            { title: "After" },
            { title: "Change", wide: true },
            { title: "Own change", hint: "calls of the context itself" },
            { title: "Method", text: true },
          ]
        : [
            { title: "Subtree", hint: "the context and everything below it", wide },
            { title: "Share" },
            { title: "Own", hint: "the context itself", wide },
            { title: "Method", text: true },
          ],
    );
    if (this.open.size === 0) {
      let at = 0;
      for (let i = 0; i < 200; i++) {
        this.open.add(at);
        const [heaviest] = selection.children.of(at);
        if (heaviest === undefined || selection.width[heaviest] < 0.4 * selection.width[at]) break;
        at = heaviest;
      }
    }
    this.flatten();
    this.table.draw();
  }

  highlight(hits: Uint8Array | null) {
    this.hits = hits;
    this.table.draw();
  }

  private flatten() {
    const { children } = this.selection;
    this.rows = [];
    const stack: Row[] = [{ node: 0, depth: 0 }];
    while (stack.length > 0) {
      const row = stack.pop()!;
      this.rows.push(row);
      if (!this.open.has(row.node)) continue;
      const below = children.of(row.node);
      for (let i = below.length - 1; i >= 0; i--) stack.push({ node: below[i], depth: row.depth + 1 });
    }
  }

  private toggle(node: number) {
    if (this.open.has(node)) this.open.delete(node);
    else this.open.add(node);
    this.flatten();
    this.table.draw();
  }

  private step(row: number, key: "ArrowLeft" | "ArrowRight"): number {
    const { node, depth } = this.rows[row];
    const isOpen = this.open.has(node);
    const leaf = this.selection.children.of(node).length === 0;
    if (key === "ArrowRight") {
      if (!isOpen && !leaf) this.toggle(node);
      else if (!leaf) return row + 1;
      return row;
    }
    if (isOpen && !leaf) {
      this.toggle(node);
      return row;
    }
    for (let at = row - 1; at >= 0; at--) if (this.rows[at].depth < depth) return at;
    return row;
  }

  private isHit(node: number): boolean {
    const method = this.selection.data.method[node];
    return this.hits !== null && method >= 0 && this.hits[method] === 1;
  }

  private cells({ node, depth }: Row): (Node | string)[] {
    const { sets, data, children } = this.selection;
    const method = data.method[node];
    const twisty = el("button", { class: "twisty", tabindex: "-1", "aria-label": "unfold" }, this.open.has(node) ? "▾" : "▸");
    twisty.addEventListener("click", (event) => {
      event.stopPropagation();
      this.toggle(node);
    });
    if (children.of(node).length === 0) twisty.style.visibility = "hidden";
    const name = el("span", { class: "text name" });
    name.style.paddingLeft = Math.min(depth, 60) * 14 + "px";
    name.append(twisty, ...this.nameOf(node, method));
    if (depth > 60) name.append(el("small", {}, ` (${grouped(depth)} deep)`));
    if (this.selection.comparing) {
      const [before, after] = sets;
      return [
        ...sets.map((set) => rough(set.total[node], set.totalVariance !== null)),
        `${signed(after.total[node] - before.total[node])}  ${growth(before.total[node], after.total[node])}`,
        signed(after.own[node] - before.own[node]),
        name,
      ];
    }
    const [set] = sets;
    return [
      amount(set.total[node], set.totalVariance ? set.totalVariance[node] : null),
      percent(set.total[node], set.total[0]),
      method === ALL ? "" : amount(set.own[node], set.ownVariance ? set.ownVariance[node] : null),
      name,
    ];
  }

  private nameOf(node: number, method: number): (Node | string)[] {
    const { data } = this.selection;
    if (method === ALL) return ["all"];
    if (method === LEFT_OUT) return [el("i", {}, "… " + counted(data.leftOut.get(node) ?? 0, "context") + " left out")];
    const [where, rest] = data.facts.methods[method];
    const site = data.site?.[node] ?? -1;
    return [el("span", { class: "package" }, where), rest + (site >= 0 ? ` @${site}` : "")];
  }
}
