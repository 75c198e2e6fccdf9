// App: the page around the views. Holds what the user chose and tells the views.

import { ALL, LEFT_OUT, type Data } from "./data";
import { familyColour, changeColour, type Family } from "./colours";
import { el } from "./dom";
import { FlameView } from "./flame";
import { HELP } from "./help";
import { MethodTable } from "./method_table";
import { counted, grouped, percent, rough, signed } from "./numbers";
import { isOverflow, lossesOf, modeOf, runPanel } from "./run_panel";
import { PathTable, type PathView } from "./path_table";
import { SandwichView } from "./sandwich";
import { matcher, search, type Matches } from "./search";
import { Selection, type WidthOf } from "./selection";
import { SeriesView } from "./series_view";
import { TreeSource } from "./sources";
import { Tip, tipRows } from "./tip";
import { TreeTable } from "./tree_table";

const TITLES = {
  flame: "Flame graph",
  sandwich: "Sandwich",
  tree: "Tree",
  methods: "Methods",
  paths: "Paths",
  time: "Over time",
  run: "Run",
} as const;
type Tab = keyof typeof TITLES;

// Those that this profile has something for.
function tabsFor(data: Data): Tab[] {
  const all: Tab[] = data.facts.metrics.length > 0 ? ["flame", "sandwich", "tree", "methods"] : [];
  if (data.facts.paths) all.push("paths");
  if (SeriesView.has(data.facts.runs)) all.push("time");
  return [...all, "run"];
}

export class App {
  private readonly selection: Selection;
  private metric: number;
  private thread = -1;
  private widthOf: WidthOf = "both";
  private readonly offered: Tab[];
  private tab: Tab;
  private theme: "light" | "dark";
  private matches: Matches | null = null;
  private rootOnTop = true;
  private sandwiched = -1;

  private readonly tip = new Tip();
  private readonly source: TreeSource;
  private readonly flame: FlameView;
  private readonly sandwich: SandwichView;
  private readonly tree: TreeTable;
  private readonly methods: MethodTable;
  private readonly paths: PathTable | null;
  private readonly series: SeriesView;
  private readonly stage = el("main");
  private readonly tabs = el("nav", { role: "tablist" });
  private readonly tools = el("div", { class: "tools" });
  private readonly found = el("span", { id: "found", role: "status" });
  private readonly status = el("div", { id: "status", role: "status" });
  private readonly legend = el("div", { id: "legend" });
  private readonly input = el("input", { id: "search", type: "search", placeholder: "Search methods ( / )", "aria-label": "Search methods" });
  private readonly help = el("dialog", { id: "help" });

  constructor(private readonly data: Data) {
    this.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    this.offered = tabsFor(data);
    this.tab = this.offered[0];
    this.selection = new Selection(data);
    this.metric = data.facts.metric;
    this.source = new TreeSource(this.selection);
    const dark = () => this.theme === "dark";
    this.flame = new FlameView(
      data,
      {
        hover: (box, event) => this.hover(box, event),
        select: (box) => this.say(box),
        zoom: () => this.drawTools(),
      },
      "Flame graph; the tree and the methods hold the same numbers as text",
      dark,
    );
    this.sandwich = new SandwichView(this.selection, this.tip, dark, (method) => this.openSandwich(method));
    this.tree = new TreeTable(
      this.selection,
      (node) => {
        this.show("flame");
        this.flame.select(node);
        this.flame.zoom(node);
      },
      (node) => this.say(node),
    );
    this.methods = new MethodTable(this.selection, (method) => this.openSandwich(method));
    this.paths = data.facts.paths ? new PathTable(data.facts, data.facts.paths) : null;
    this.series = new SeriesView(data.facts.runs, dark);
  }

  start() {
    document.documentElement.dataset.theme = this.theme;
    if (this.hasTree) this.selection.choose(this.metric, this.thread, this.widthOf);
    this.build();
    this.show(this.tab);
    if (this.hasTree) this.flame.show(this.source);
    performance.mark("drawn");
  }

  private get hasTree(): boolean {
    return this.offered[0] === "flame";
  }

  // ---- The page

  private build() {
    const { facts } = this.data;
    this.input.addEventListener("input", () => this.search());
    const header = el(
      "header",
      {},
      el("div", { class: "titles" }, el("h1", {}, facts.title), el("div", { id: "facts-line" }, this.factsLine())),
      this.choices(),
      this.input,
      el("button", { id: "theme", title: "Dark or light", click: () => this.turnTheme() }, "◐"),
      el("button", { id: "help-button", title: "Keys and what they do ( ? )", click: () => this.help.showModal() }, "?"),
    );
    this.offered.forEach((name, i) => {
      const tab = el("button", { role: "tab", title: `key ${i + 1}` }, TITLES[name]);
      tab.addEventListener("click", () => this.show(name));
      this.tabs.append(tab);
    });
    this.help.innerHTML = HELP;
    this.help.addEventListener("click", () => this.help.close());
    document.body.append(
      header,
      el("div", { class: "bar" }, this.tabs, this.found, this.tools),
      this.stage,
      el("footer", {}, this.status, this.legend),
      this.tip.element,
      this.help,
    );
    addEventListener("keydown", (event) => this.key(event));
    this.drawLegend();
  }

  private factsLine(): string {
    const { facts } = this.data;
    if (!this.hasTree) return this.pathsLine();
    if (this.selection.comparing) {
      const [before, after] = this.selection.sets.map((set) => set.total[0]);
      const [first, second] = this.selection.sets.map((set) => rough(set.total[0], set.totalVariance !== null));
      return `${first} → ${second} ${facts.compared} (${signed(after - before)}, ${percent(after - before, before)})`;
    }
    const total = this.selection.sets[0]?.total[0] ?? 0;
    const metric = facts.metrics[this.metric];
    const what = metric === undefined ? "" : `${grouped(total)} ${this.metricWords(this.metric)} · `;
    return `${what}${counted(facts.contexts, "context")} · mode ${modeOf(facts.runs[0])}`;
  }

  private pathsLine(): string {
    const { paths, runs } = this.data.facts;
    const modes = [...new Set(runs.map(modeOf))].join(" → ");
    return `${counted(paths?.different ?? 0, "different path")} · mode ${modes}`;
  }

  private metricWords(metric: number): string {
    const { name, kind } = this.data.facts.metrics[metric];
    return kind === "estimate" ? `${name} (estimated)` : kind === "samples" && name !== "samples" ? `${name} (samples)` : name;
  }

  private choices(): HTMLElement {
    const { facts } = this.data;
    const line = el("div", { class: "choices" });
    if (!this.selection.comparing && facts.metrics.length > 1) {
      const options = facts.metrics.map((_, i) => el("option", { value: String(i), selected: i === this.metric }, this.metricWords(i)));
      const select = el("select", { id: "metric", "aria-label": "Metric" }, ...options);
      select.addEventListener("change", () => {
        this.metric = Number(select.value);
        this.chosen();
      });
      line.append(select);
    }
    if (!this.selection.comparing && facts.threads.length > 0) {
      const options = facts.threads.map((name, i) => el("option", { value: String(i) }, name));
      const select = el("select", { id: "thread", "aria-label": "Thread" }, el("option", { value: "-1" }, "all threads"), ...options);
      select.addEventListener("change", () => {
        this.thread = Number(select.value);
        this.chosen();
      });
      line.append(select);
    }
    line.append(this.lossBadge());
    return line;
  }

  // Losses must not be out of sight.
  private lossBadge(): HTMLElement {
    const losses = this.data.facts.runs.flatMap(lossesOf);
    const dropped = losses.reduce((sum, loss) => sum + loss.count, 0);
    const text = losses.length === 0 ? "nothing lost" : `${grouped(dropped)} lost`;
    const badge = el("button", { id: "losses", class: losses.length === 0 ? "quiet" : "warning", title: "What was lost, and why" }, text);
    badge.addEventListener("click", () => this.show("run"));
    return badge;
  }

  private chosen() {
    this.selection.choose(this.metric, this.thread, this.widthOf);
    this.refresh();
  }

  private refresh() {
    document.getElementById("facts-line")!.textContent = this.factsLine();
    this.flame.refresh();
    this.search();
    this.show(this.tab);
  }

  // ---- Tabs

  private show(tab: Tab) {
    this.tab = tab;
    this.tip.hide();
    [...this.tabs.children].forEach((child, i) => child.setAttribute("aria-selected", String(this.offered[i] === tab)));
    const metricName = this.selection.comparing ? this.data.facts.compared : (this.data.facts.metrics[this.metric]?.name ?? "calls");
    switch (tab) {
      case "flame":
        this.stage.replaceChildren(this.flame.element);
        this.flame.redraw();
        break;
      case "sandwich":
        if (this.sandwiched < 0) this.sandwiched = this.hottestMethod();
        this.stage.replaceChildren(this.sandwich.element);
        this.sandwich.show(this.sandwiched, this.byOwn(), metricName);
        break;
      case "tree":
        this.stage.replaceChildren(this.tree.table.element);
        this.tree.refresh();
        break;
      case "methods":
        this.stage.replaceChildren(this.methods.table.element);
        this.methods.refresh(metricName);
        break;
      case "paths":
        this.stage.replaceChildren(this.paths!.element);
        this.paths!.refresh();
        break;
      case "time":
        this.stage.replaceChildren(this.series.element);
        this.series.show();
        break;
      case "run":
        this.stage.replaceChildren(runPanel(this.data.facts, this.overflow(), this.selection.sets.at(-1)?.total[0] ?? 0));
    }
    this.drawTools();
  }

  private overflow(): number {
    let sum = 0;
    const set = this.selection.sets.at(-1);
    if (set === undefined) return 0;
    for (let i = 1; i < this.selection.shape.size; i++) if (isOverflow(this.data.facts, this.data.method[i])) sum += set.own[i];
    return sum;
  }

  private byOwn(): boolean {
    const { facts } = this.data;
    return (this.selection.comparing ? facts.compared : facts.metrics[this.metric]?.name) === "calls";
  }

  private hottestMethod(): number {
    const own = new Float64Array(this.data.facts.methods.length);
    for (const set of this.selection.sets) {
      for (let i = 1; i < this.selection.shape.size; i++) if (this.data.method[i] >= 0) own[this.data.method[i]] += set.own[i];
    }
    return own.reduce((best, value, i) => (value > own[best] ? i : best), 0);
  }

  private openSandwich(method: number) {
    this.sandwiched = method;
    this.show("sandwich");
  }

  private drawTools() {
    const button = (text: string, title: string, click: () => void, pressed?: boolean) => {
      const made = el("button", { title, click: () => click() }, text);
      if (pressed !== undefined) made.setAttribute("aria-pressed", String(pressed));
      return made;
    };
    this.tools.replaceChildren();
    if (this.tab === "paths") {
      const turn = (view: PathView) => () => {
        this.paths!.view = view;
        this.paths!.table.top();
        this.show("paths");
      };
      this.tools.append(
        button("Paths", "the hottest paths through methods", turn("paths"), this.paths!.view === "paths"),
        button("Branches", "which way each branch goes", turn("branches"), this.paths!.view === "branches"),
      );
    }
    if (this.tab === "time" && this.series.threads.length > 0) this.tools.append(this.threadsOverTime());
    if (this.tab !== "flame") return;
    if (this.selection.comparing) {
      this.tools.append(el("span", { class: "label" }, "width:"));
      for (const width of ["both", "before", "after"] as const) {
        this.tools.append(button(width, `boxes are as wide as ${width === "both" ? "before and after together" : "what ran " + width}`, () => this.widen(width), this.widthOf === width));
      }
    }
    this.tools.append(
      button("Icicle", "callers on top ( i )", () => this.turn(true), this.rootOnTop),
      button("Flame", "callers at the bottom ( f )", () => this.turn(false), !this.rootOnTop),
    );
    const reset = button("Reset zoom", "Escape", () => this.flame.reset());
    reset.id = "reset";
    reset.disabled = !this.flame.zoomed;
    this.tools.append(reset);
  }

  private threadsOverTime(): HTMLElement {
    const options = this.series.threads.map((name) => el("option", { value: name }, name));
    const select = el("select", { id: "time-thread", "aria-label": "Thread" }, el("option", { value: "" }, "all threads"), ...options);
    select.addEventListener("change", () => this.series.choose(select.value));
    this.series.choose("");
    return select;
  }

  private widen(width: WidthOf) {
    this.widthOf = width;
    this.selection.widen(width);
    this.flame.refresh();
    this.drawTools();
  }

  private turn(rootOnTop: boolean) {
    this.rootOnTop = rootOnTop;
    this.flame.turn(rootOnTop);
    this.drawTools();
  }

  private turnTheme() {
    this.theme = this.theme === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = this.theme;
    this.drawLegend();
    this.flame.redraw();
    this.sandwich.redraw();
    this.series.redraw();
  }

  // ---- Search, pointing, keys

  private search() {
    let test: ((name: string) => boolean) | null = null;
    this.input.setCustomValidity("");
    try {
      test = matcher(this.input.value);
    } catch (error) {
      this.input.setCustomValidity("not a regular expression");
      this.found.textContent = (error as Error).message;
      return;
    }
    this.matches = test === null ? null : search(this.selection, test);
    this.found.textContent = this.matches ? (this.hasTree ? this.foundText(this.matches) : this.pathsFound(this.matches)) : "";
    const hits = this.matches?.methods ?? null;
    this.flame.highlight(hits);
    this.sandwich.highlight(hits);
    this.tree.highlight(hits);
    this.methods.filterBy(hits);
    this.paths?.filterBy(hits);
    if (this.tab === "methods") this.methods.arrange();
    if (this.tab === "paths") {
      this.paths!.refresh();
      if (this.matches) this.found.textContent = this.pathsFound(this.matches);
    }
    performance.mark("searched");
  }

  private pathsFound(matches: Matches): string {
    return `${counted(matches.methodCount, "method")}, ${counted(this.paths?.found ?? 0, "path")}`;
  }

  private foundText(matches: Matches): string {
    const where = `${counted(matches.methodCount, "method")}, ${counted(matches.contexts, "context")}`;
    if (this.selection.comparing) return `${where}: ${grouped(matches.own[0])} → ${grouped(matches.own[1])} own`;
    const all = this.selection.sets[0].total[0];
    const least = this.data.facts.leftOut > 0 ? "at least " : "";
    return `${where}: ${least}${grouped(matches.own[0])} own, ${percent(matches.total[0], all)} with callees`;
  }

  private hover(box: number, event: MouseEvent | null) {
    if (box < 0 || event === null) this.tip.hide();
    else this.tip.show(this.flame.name(box), tipRows(this.source, box, this.selection), event);
  }

  // The box that is selected, in words, with the way to its callers and callees.
  private say(box: number) {
    this.status.replaceChildren();
    if (box < 0) return;
    const rows = tipRows(this.source, box, this.selection);
    const name = this.flame.name(box);
    this.status.append(el("b", {}, name), " " + rows.map((row) => row.filter((cell) => cell !== "").join(" ")).join(" · "));
    const method = this.data.method[box];
    if (method !== ALL && method !== LEFT_OUT) {
      this.status.append(" ", el("button", { id: "to-sandwich", title: "( s )", click: () => this.openSandwich(method) }, "callers and callees"));
      this.sandwiched = method;
    }
  }

  private drawLegend() {
    const dark = this.theme === "dark";
    const entry = (colour: string, text: string) => {
      const swatch = el("i");
      swatch.style.background = colour;
      return el("span", {}, swatch, text);
    };
    if (!this.hasTree) return;
    if (this.selection.comparing) {
      this.legend.replaceChildren(entry(changeColour(0.7, dark), "more"), entry(changeColour(-0.7, dark), "fewer"), entry(changeColour(0, dark), "no change beyond the error"));
      return;
    }
    const families: [Family, string][] = [["application", "application"], ["library", "class library"], ["native", "native"], ["pseudo", "VM and others"]];
    this.legend.replaceChildren(...families.map(([family, text]) => entry(familyColour(family, dark), text)));
    if (this.data.facts.metrics.some((metric) => metric.kind === "estimate")) this.legend.append(el("span", {}, el("i", { class: "stripes" }), "error"));
  }

  private key(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = document.activeElement === this.input || document.activeElement?.tagName === "SELECT";
    if (event.key === "Escape") {
      if (this.help.open) return;
      if (typing) {
        this.input.value = "";
        this.input.blur();
        this.search();
      } else if (this.tab === "flame") this.flame.reset();
      return;
    }
    if (typing) {
      if (event.key === "Enter" && document.activeElement === this.input) this.show(this.hasTree && this.tab !== "paths" ? "methods" : "paths");
      return;
    }
    if (event.key === "/") this.input.focus();
    else if (event.key === "?") this.help.showModal();
    else if (event.key === "d") this.turnTheme();
    else if (this.offered[Number(event.key) - 1] !== undefined) this.show(this.offered[Number(event.key) - 1]);
    else if (!this.hasTree) return;
    else if (event.key === "i") this.turn(true);
    else if (event.key === "f") this.turn(false);
    else if (event.key === "s") this.show("sandwich");
    else return;
    event.preventDefault();
  }
}
