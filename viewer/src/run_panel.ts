// What the page is about: the run or runs, and what was lost in them and why.

import type { Facts, Run } from "./data";
import { el } from "./dom";
import { counted, grouped, percent } from "./numbers";

const OVERFLOW = 3;

export interface Loss {
  what: string;
  count: number;
}

export function lossesOf(run: Run): Loss[] {
  const of = (what: string, counts: Record<string, number>) =>
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([reason, count]) => ({ what: `${what}: ${reason}`, count }));
  return [...of("events dropped", run.dropped), ...of("methods skipped", run.skippedMethods)].sort((a, b) => b.count - a.count);
}

export const modeOf = (run: Run) => (run.info.mode ?? ["unknown"]).join(" + ");

function runTable(run: Run): HTMLElement {
  const rows: [string, string][] = [["file", run.file]];
  rows.push(["mode", modeOf(run)]);
  for (const key of ["command", "jvm"]) if (run.info[key]) rows.push([key, run.info[key].join("\n")]);
  if (run.contexts > 0) rows.push(["contexts", grouped(run.contexts)]);
  const { threads, rewritten_methods, profiler_cpu_ns, process_cpu_ns } = run.counters;
  if (threads !== undefined) rows.push(["threads", grouped(threads)]);
  if (rewritten_methods !== undefined) rows.push(["methods rewritten", grouped(rewritten_methods)]);
  if (profiler_cpu_ns !== undefined && process_cpu_ns) {
    const seconds = (ns: number) => (ns / 1e9).toFixed(3) + " s";
    rows.push([
      "profiler's CPU time",
      `${seconds(profiler_cpu_ns)} of ${seconds(process_cpu_ns)} (${percent(profiler_cpu_ns, process_cpu_ns)})`,
    ]);
  }
  return el("table", {}, ...rows.map(([key, value]) => el("tr", {}, el("th", {}, key), el("td", {}, value))));
}

function lossTable(losses: Loss[]): HTMLElement {
  if (losses.length === 0) return el("p", {}, "Nothing dropped, no method skipped.");
  return el(
    "table",
    { class: "losses" },
    ...losses.map(({ what, count }) => el("tr", {}, el("td", { class: "number" }, grouped(count)), el("td", {}, what))),
  );
}

const MEANING: Record<string, string> = {
  exact: "Every event was counted.",
  estimate:
    "Estimates: what was seen, scaled up. ± is half of the 95 % interval; in flame graphs it is the striped end of a box.",
  samples: "Samples: how often a look found a method running. They say where time goes, not how often something was called.",
};

const PATHS = {
  exact: "Paths through methods: every one was counted. A path begins where a method or a loop does, and ends there.",
  samples: "Paths through methods: samples of them, each with its weight. They say which are hot, compared with each other.",
};

export function runPanel(facts: Facts, overflow: number, total: number): HTMLElement {
  const kinds = [...new Set(facts.metrics.map((metric) => metric.kind))];
  const { paths } = facts;
  const panel = el("div", { class: "runs" });
  facts.runs.forEach((run, i) => {
    const role = facts.runs.length === 2 ? ["Before", "After"][i] : "The run";
    panel.append(el("section", {}, el("h2", {}, role), runTable(run), el("h3", {}, "What was lost, and why"), lossTable(lossesOf(run))));
  });
  const notes = el("section", {}, el("h2", {}, "What the numbers are"));
  for (const kind of kinds) notes.append(el("p", {}, MEANING[kind]));
  if (paths) notes.append(el("p", {}, PATHS[paths.kind]));
  if (overflow > 0) {
    notes.append(el("p", { class: "warning" }, `${grouped(overflow)} (${percent(overflow, total)}) lie beyond the limit of contexts, in [overflow].`));
  }
  if (facts.leftOut > 0) {
    notes.append(
      el("p", {}, `${counted(facts.leftOut, "context")} of ${grouped(facts.contexts)} are not in this page, to keep it small. Their numbers are in it, as grey boxes.`),
    );
  }
  panel.append(notes);
  return panel;
}

export const isOverflow = (facts: Facts, method: number) => method >= 0 && facts.methods[method][2] === OVERFLOW;
