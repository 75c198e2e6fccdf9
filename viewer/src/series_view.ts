// What was measured over time: one chart for each series, the median as a line in the range of the middle 80 %.

import type { Run, Series } from "./data";
import { el } from "./dom";

const HEIGHT = 190;
const LEFT = 74;
const RIGHT = 16;
const TOP = 12;
const BOTTOM = 26;

const TITLES: Record<string, string> = {
  call_density: "Call density",
  sampling_latency: "Sampling latency: from the tick to the first call seen",
  sampling_interval: "Interval between samples",
  burst_interval: "Interval between bursts",
};

// An interval holds until the next one; what is measured is between its points.
const isStepped = ({ name }: { name: string }) => name.endsWith("_interval");

// 12,345,678 as 12.3 M; nanoseconds as ms.
export function axisText(value: number, unit: string): string {
  if (unit === "ns") return value >= 1e9 ? `${+(value / 1e9).toPrecision(3)} s` : value >= 1e6 ? `${+(value / 1e6).toPrecision(3)} ms` : `${+(value / 1e3).toPrecision(3)} µs`;
  const magnitude = Math.abs(value);
  if (magnitude >= 1e9) return +(value / 1e9).toPrecision(3) + " G";
  if (magnitude >= 1e6) return +(value / 1e6).toPrecision(3) + " M";
  if (magnitude >= 1e4) return +(value / 1e3).toPrecision(3) + " k";
  return String(+value.toPrecision(3));
}

// Round numbers from 0 to at least `most`, about four of them.
export function ticks(most: number): number[] {
  if (!(most > 0)) return [0, 1];
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough)!;
  const all = [0];
  while (all[all.length - 1] < most * 0.999999) all.push(+(all.length * step).toPrecision(12));
  return all;
}

// The point that was the last one at a time.
export function pointAt(points: Series["points"], seconds: number): number {
  let low = 0;
  for (let high = points.length; high - low > 1; ) {
    const middle = (low + high) >> 1;
    if (points[middle][0] <= seconds) low = middle;
    else high = middle;
  }
  return low;
}

export class SeriesView {
  readonly element = el("div", { class: "series" });
  private thread = "";
  private charts: (() => void)[] = [];
  private readonly time: number; // seconds that all charts have room for

  constructor(
    private readonly runs: Run[],
    private readonly isDark: () => boolean,
  ) {
    const ends = runs.flatMap((run) => run.series.map(({ points }) => points[points.length - 1][0]));
    this.time = Math.max(0, ...ends) || 1;
    new ResizeObserver(() => this.redraw()).observe(this.element);
  }

  static has(runs: Run[]): boolean {
    return runs.some((run) => run.series.some((series) => series.points.length > 1));
  }

  get threads(): string[] {
    return [...new Set(this.runs.flatMap((run) => run.series.map((series) => series.thread)))].filter((name) => name !== "");
  }

  choose(thread: string) {
    this.thread = thread;
    this.show();
  }

  show() {
    const all = this.runs.flatMap((run) => run.series);
    const names = [...new Set([...all.filter((series) => !isStepped(series)), ...all].map((series) => series.name))];
    this.charts = [];
    this.element.replaceChildren(...names.map((name) => this.chart(name)).filter((chart) => chart !== null));
    this.redraw();
  }

  redraw() {
    for (const draw of this.charts) draw();
  }

  private of(run: Run, name: string): Series | undefined {
    const all = run.series.filter((series) => series.name === name);
    return all.find((series) => series.thread === this.thread) ?? (this.thread === "" || isStepped({ name }) ? all[0] : undefined);
  }

  private chart(name: string): HTMLElement | null {
    const lines = this.runs.map((run) => this.of(run, name));
    const first = lines.find((line) => line !== undefined);
    if (first === undefined) return null;
    const canvas = el("canvas", { role: "img", "aria-label": `${TITLES[name] ?? name} over time` });
    const said = el("span", { class: "soft" }, this.words(lines, first));
    const pointer = el("div", { class: "pointer", hidden: true });
    canvas.addEventListener("mousemove", (event) => {
      const room = canvas.clientWidth - LEFT - RIGHT;
      const seconds = Math.max(0, ((event.offsetX - LEFT) / room) * this.time);
      said.textContent = this.wordsAt(lines, seconds, first.unit);
      // Where the points are that are spoken of; a comparison has two such places.
      const [at] = first.points[pointAt(first.points, seconds)];
      pointer.style.left = LEFT + (lines.length === 2 || isStepped(first) ? Math.min(seconds, this.time) : at) / this.time * room + "px";
      pointer.hidden = false;
    });
    canvas.addEventListener("mouseleave", () => {
      said.textContent = this.words(lines, first);
      pointer.hidden = true;
    });
    this.charts.push(() => this.draw(canvas, lines, first.unit));
    return el("section", { "data-series": name }, el("h2", {}, TITLES[name] ?? name.replaceAll("_", " "), " ", el("small", { class: "soft" }, first.unit === "ns" ? "" : first.unit)), el("div", { class: "chart" }, canvas, pointer), said);
  }

  private words(lines: (Series | undefined)[], first: Series): string {
    if (this.runs.length === 2) return "before and after";
    const points = lines[0]?.points ?? [];
    const grouped = points.some((point) => point[1] !== point[3]);
    if (isStepped(first)) return "";
    return grouped ? "line: median; around it: eight of ten" : "every point as measured";
  }

  private wordsAt(lines: (Series | undefined)[], seconds: number, unit: string): string {
    const parts = lines.map((line, run) => {
      if (line === undefined) return "";
      const [at, low, middle, high] = line.points[pointAt(line.points, seconds)];
      const range = low === high ? "" : ` (${axisText(low, unit)} to ${axisText(high, unit)})`;
      const who = lines.length === 2 ? ["before: ", "after: "][run] : "";
      return `${who}${at.toFixed(2)} s: ${axisText(middle, unit)}${range}`;
    });
    return parts.filter((part) => part !== "").join(" · ");
  }

  private draw(canvas: HTMLCanvasElement, lines: (Series | undefined)[], unit: string) {
    const width = canvas.parentElement?.clientWidth ?? 0;
    if (width <= LEFT + RIGHT) return;
    const scale = devicePixelRatio || 1;
    canvas.style.height = HEIGHT + "px";
    canvas.style.width = width + "px";
    canvas.width = width * scale;
    canvas.height = HEIGHT * scale;
    const pen = canvas.getContext("2d")!;
    pen.scale(scale, scale);
    const style = getComputedStyle(document.documentElement);
    const [ink, faint] = [style.getPropertyValue("--soft"), style.getPropertyValue("--line")];
    const { time } = this;
    const levels = ticks(Math.max(...lines.flatMap((line) => line?.points.map((point) => point[3]) ?? [])));
    const x = (seconds: number) => LEFT + (seconds / time) * (width - LEFT - RIGHT);
    const y = (value: number) => HEIGHT - BOTTOM - (value / levels[levels.length - 1]) * (HEIGHT - TOP - BOTTOM);
    pen.font = "12px system-ui, sans-serif";
    pen.fillStyle = ink;
    pen.strokeStyle = faint;
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    for (const level of levels) {
      pen.fillText(axisText(level, unit), LEFT - 8, y(level));
      line(pen, LEFT, y(level), width - RIGHT, y(level));
    }
    pen.textAlign = "center";
    for (const tick of ticks(time)) if (tick <= time) pen.fillText(`${tick} s`, x(tick), HEIGHT - BOTTOM / 2);
    lines.forEach((series, run) => {
      if (series) this.curve(pen, series, x, y, time, this.colour(run));
    });
  }

  private colour(run: number): [number, number] {
    if (this.runs.length === 1) return [215, this.isDark() ? 70 : 45];
    return [run === 0 ? 214 : 14, this.isDark() ? 65 : 45];
  }

  private curve(pen: CanvasRenderingContext2D, series: Series, x: (s: number) => number, y: (v: number) => number, time: number, [hue, light]: [number, number]) {
    const { points } = series;
    const stepped = isStepped(series);
    pen.fillStyle = `hsl(${hue} 70% ${light}% / .25)`;
    pen.strokeStyle = `hsl(${hue} 75% ${light}%)`;
    pen.lineWidth = 1.5;
    pen.lineJoin = "round"; // or peaks would reach beyond their values
    pen.beginPath();
    points.forEach(([at, , , high]) => pen.lineTo(x(at), y(high)));
    for (let i = points.length - 1; i >= 0; i--) pen.lineTo(x(points[i][0]), y(points[i][1]));
    pen.fill();
    pen.beginPath();
    points.forEach(([at, , middle], i) => {
      if (stepped && i > 0) pen.lineTo(x(at), y(points[i - 1][2]));
      pen.lineTo(x(at), y(middle));
    });
    if (stepped) pen.lineTo(x(time), y(points[points.length - 1][2]));
    pen.stroke();
    pen.lineWidth = 1;
  }
}

function line(pen: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number) {
  pen.beginPath();
  pen.moveTo(x0, Math.round(y0) + 0.5);
  pen.lineTo(x1, Math.round(y1) + 0.5);
  pen.stroke();
}
