// The box beside the pointer, and the numbers of a box in words.

import { ALL, LEFT_OUT } from "./data";
import { el } from "./dom";
import { amount, error95, grouped, growth, percent, rough, signed } from "./numbers";
import type { Selection } from "./selection";
import type { FlameSource } from "./sources";

export class Tip {
  readonly element = el("div", { id: "tip" });

  show(title: string, rows: string[][], event: MouseEvent) {
    const table = el("table", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, cell)))));
    this.element.replaceChildren(el("b", {}, title), table);
    this.element.style.display = "block";
    const { width, height } = this.element.getBoundingClientRect();
    this.element.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8)) + "px";
    const below = event.clientY + 18;
    this.element.style.top = (below + height > innerHeight ? event.clientY - height - 12 : below) + "px";
  }

  hide() {
    this.element.style.display = "none";
  }
}

export function tipRows(source: FlameSource, box: number, selection: Selection): string[][] {
  const method = source.method(box);
  const amounts = source.amounts(box);
  if (amounts.length === 2) {
    const [before, after] = amounts;
    const error = error95((before.totalVariance ?? 0) + (after.totalVariance ?? 0));
    const rows = [
      ["subtree", `${rough(before.total, before.totalVariance !== null)} → ${rough(after.total, after.totalVariance !== null)}`, `${signed(after.total - before.total)} (${growth(before.total, after.total)})`],
    ];
    if (method >= 0) rows.push(["own", `${rough(before.own, before.ownVariance !== null)} → ${rough(after.own, after.ownVariance !== null)}`, `${signed(after.own - before.own)} (${growth(before.own, after.own)})`]);
    if (error > 0) rows.push(["error of the change", `± ${grouped(error)}`, Math.abs(after.total - before.total) <= error ? "may be noise" : ""]);
    return rows;
  }
  const [{ own, ownVariance, total, totalVariance }] = amounts;
  const all = selection.sets[0].total[0];
  const rows: string[][] = [];
  if (method !== ALL && method !== LEFT_OUT) rows.push(["own", amount(own, ownVariance), percent(own, all)]);
  rows.push(["subtree", amount(total, totalVariance), percent(total, all)]);
  const parent = source.parent(box);
  if (parent >= 0 && source.method(parent) !== ALL) rows.push(["of its caller's", "", percent(total, source.amounts(parent)[0].total)]);
  return rows;
}
