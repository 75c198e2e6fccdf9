// VirtualTable: a table of any length, of which only the rows in sight exist. Rows are as high as each other.

import { el } from "./dom";

export const ROW_HEIGHT = 24;

export interface TableColumn {
  title: string;
  hint?: string;
  key?: string; // sorts by it when clicked
  text?: boolean; // left-aligned, takes the rest of the width
  wide?: boolean; // has estimates with their errors
}

export interface TableRows {
  count(): number;
  cells(row: number): (Node | string)[];
  classes?(row: number): string;
  activate?(row: number): void; // Enter or double click
  choose?(row: number): void; // click or moved to by keys
  step?(row: number, key: "ArrowLeft" | "ArrowRight"): number; // the row to be at then
}

export class VirtualTable {
  readonly element: HTMLElement;
  private readonly head = el("div", { class: "thead", role: "row" });
  private readonly body = el("div", { class: "tbody", tabindex: "0", role: "grid" });
  private readonly space = el("div");
  private readonly shown = el("div", { class: "rows" });
  private at = -1;
  private sorted = "";

  constructor(
    label: string,
    private readonly rows: TableRows,
    private readonly onSort: (key: string) => void = () => {},
  ) {
    this.body.setAttribute("aria-label", label);
    this.space.append(this.shown);
    this.space.style.position = "relative";
    this.body.append(this.space);
    this.element = el("div", { class: "table" }, this.head, this.body);
    this.body.addEventListener("scroll", () => this.draw());
    this.body.addEventListener("keydown", (event) => this.key(event));
    this.body.addEventListener("click", (event) => this.clicked(event, (row) => this.choose(row)));
    this.body.addEventListener("dblclick", (event) => this.clicked(event, (row) => this.rows.activate?.(row)));
    new ResizeObserver(() => this.draw()).observe(this.body);
  }

  columns(columns: TableColumn[]) {
    this.element.style.setProperty("--columns", columns.map((column) => (column.text ? "minmax(160px, 1fr)" : `${column.wide ? 190 : 110}px`)).join(" "));
    this.head.replaceChildren(
      ...columns.map((column) => {
        const cell = column.key
          ? el("button", { class: "sorter", title: column.hint ?? "" }, column.title + (column.key === this.sorted ? " ▾" : ""))
          : el("span", { title: column.hint ?? "" }, column.title);
        if (column.key) cell.addEventListener("click", () => this.onSort(column.key!));
        if (column.text) cell.classList.add("text");
        return cell;
      }),
    );
  }

  sortedBy(key: string) {
    this.sorted = key;
  }

  draw() {
    const count = this.rows.count();
    this.space.style.height = count * ROW_HEIGHT + "px";
    const first = Math.max(0, Math.floor(this.body.scrollTop / ROW_HEIGHT) - 4);
    const last = Math.min(count, Math.ceil((this.body.scrollTop + this.body.clientHeight) / ROW_HEIGHT) + 4);
    this.shown.style.transform = `translateY(${first * ROW_HEIGHT}px)`;
    const elements: HTMLElement[] = [];
    for (let row = first; row < last; row++) {
      const line = el("div", { class: "row " + (this.rows.classes?.(row) ?? ""), role: "row" });
      if (row === this.at) line.classList.add("at");
      line.dataset.row = String(row);
      for (const cell of this.rows.cells(row)) line.append(typeof cell === "string" ? el("span", {}, cell) : cell);
      elements.push(line);
    }
    this.shown.replaceChildren(...elements);
  }

  choose(row: number) {
    this.at = row;
    this.rows.choose?.(row);
    this.show(row);
  }

  show(row: number) {
    const top = row * ROW_HEIGHT;
    const height = this.body.clientHeight;
    if (top < this.body.scrollTop) this.body.scrollTop = top;
    else if (top + ROW_HEIGHT > this.body.scrollTop + height) this.body.scrollTop = top + ROW_HEIGHT - height;
    this.draw();
  }

  top() {
    this.at = -1;
    this.body.scrollTop = 0;
  }

  private clicked(event: MouseEvent, then: (row: number) => void) {
    const row = (event.target as HTMLElement).closest<HTMLElement>(".row")?.dataset.row;
    if (row !== undefined) then(Number(row));
  }

  private key(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.body.clientHeight / ROW_HEIGHT) - 1);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    let next = this.at;
    if (event.key in steps) next = this.at + steps[event.key];
    else if (event.key === "Home") next = 0;
    else if (event.key === "End") next = this.rows.count() - 1;
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      if (this.at < 0 || !this.rows.step) return;
      next = this.rows.step(this.at, event.key);
    } else if (event.key === "Enter") {
      if (this.at >= 0) this.rows.activate?.(this.at);
      return;
    } else return;
    event.preventDefault();
    if (this.rows.count() > 0) this.choose(Math.min(Math.max(next, 0), this.rows.count() - 1));
  }
}
