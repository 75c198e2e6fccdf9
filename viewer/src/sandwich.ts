// SandwichView: one method in the middle, who calls it above, what it calls below, over all contexts.

import { LEFT_OUT } from "./data";
import { el } from "./dom";
import { FlameView } from "./flame";
import { amount, grouped, growth, signed } from "./numbers";
import type { Selection } from "./selection";
import { CalleesSource, CallersSource, type FlameSource } from "./sources";
import type { Tip } from "./tip";
import { tipRows } from "./tip";

export class SandwichView {
  readonly element: HTMLElement;
  private readonly callers: FlameView;
  private readonly callees: FlameView;
  private readonly title = el("div", { id: "sandwich-title" });
  private above: CallersSource | null = null;
  private below: CalleesSource | null = null;

  constructor(
    private readonly selection: Selection,
    private readonly tip: Tip,
    isDark: () => boolean,
    private readonly open: (method: number) => void,
  ) {
    const { data } = selection;
    this.callers = new FlameView(data, this.events(() => this.callers, () => this.above), "Callers", isDark);
    this.callees = new FlameView(data, this.events(() => this.callees, () => this.below), "Callees", isDark);
    this.callers.rootOnTop = false;
    this.callers.element.id = "callers";
    this.callees.element.id = "callees";
    this.element = el("div", { class: "sandwich" }, this.callers.element, this.title, this.callees.element);
  }

  show(method: number, byOwn: boolean, metric: string) {
    const { selection } = this;
    const { data } = selection;
    if (data.facts.methods.length === 0) {
      this.title.replaceChildren("The profile has no methods.");
      return;
    }
    this.above = new CallersSource(selection, method, byOwn);
    this.below = new CalleesSource(selection, method);
    const [where, rest] = data.facts.methods[method];
    this.title.replaceChildren(
      el("b", {}, el("span", { class: "package" }, where), rest),
      el("span", { class: "soft" }, this.words(byOwn, metric)),
    );
    this.callers.show(this.above);
    this.callees.show(this.below);
  }

  highlight(hits: Uint8Array | null) {
    this.callers.highlight(hits);
    this.callees.highlight(hits);
  }

  redraw() {
    this.callers.redraw();
    this.callees.redraw();
  }

  private words(byOwn: boolean, metric: string): string {
    const above = this.above!.amounts(0);
    const below = this.below!.amounts(0);
    if (above.length === 2) {
      const change = (a: { total: number }[]) =>
        `${grouped(a[0].total)} → ${grouped(a[1].total)} (${signed(a[1].total - a[0].total)}, ${growth(a[0].total, a[1].total)})`;
      return ` called ${change(above)} times by the methods above; with what it calls ${change(below)}`;
    }
    const total = amount(below[0].total, below[0].totalVariance);
    if (!byOwn) return ` ${total} ${metric} with what it calls; above by caller, below by callee`;
    return ` called ${amount(above[0].total, above[0].totalVariance)} times by the methods above; ${total} ${metric} with what it calls, below`;
  }

  // A click on a caller or callee zooms; a second one on it opens that method.
  private events(view: () => FlameView, source: () => FlameSource | null) {
    let last = -1;
    return {
      hover: (box: number, event: MouseEvent | null) => {
        const from = source();
        if (box < 0 || event === null || from === null) this.tip.hide();
        else this.tip.show(view().name(box), tipRows(from, box, this.selection), event);
      },
      select: (box: number) => {
        const method = source()!.method(box);
        if (box === last && box !== 0 && method >= 0 && method !== LEFT_OUT) {
          last = -1;
          queueMicrotask(() => this.open(method));
        } else last = box;
      },
      zoom: () => {},
    };
  }
}
