// FlameView: a tree of boxes on a canvas. A box is as wide as its number and lies below (icicle) or above (flame) the one
// that called it. It draws only what is at least a pixel wide, so that its work depends on the screen and not on the
// profile.

import { ALL, LEFT_OUT, type Data } from "./data";
import { change, changeColour, methodColour } from "./colours";
import { counted, error95 } from "./numbers";
import type { FlameSource } from "./sources";
import { el } from "./dom";

export const ROW = 20;
const GAP = 1;
const PAD = 8;

interface Box {
  id: number;
  x: number;
  width: number;
  level: number;
}

export interface FlameEvents {
  hover(box: number, event: MouseEvent | null): void;
  select(box: number): void;
  zoom(box: number): void;
}

export class FlameView {
  readonly element: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly space: HTMLElement;
  private readonly pen: CanvasRenderingContext2D;
  private source: FlameSource | null = null;
  private boxes: Box[] = []; // in the order of drawing, so that of two boxes at one place the later counts
  private levels = 0;
  private focus = 0;
  private hovered = -1;
  private selected = -1;
  private hits: Uint8Array | null = null;
  private pending = false;
  private glyph = 7;
  private stripes: CanvasPattern | null = null;
  private stripesDark = false;
  rootOnTop = true;

  constructor(
    private readonly data: Data,
    private readonly events: FlameEvents,
    label: string,
    private readonly isDark: () => boolean,
  ) {
    this.canvas = el("canvas", { class: "graph", role: "img", "aria-label": label });
    this.space = el("div");
    this.element = el("div", { class: "flame", tabindex: "0", "aria-label": label }, this.canvas, this.space);
    this.pen = this.canvas.getContext("2d")!;
    this.canvas.addEventListener("mousemove", (event) => this.hover(this.at(event), event));
    this.canvas.addEventListener("mouseleave", () => this.hover(-1, null));
    this.canvas.addEventListener("click", (event) => {
      const box = this.at(event);
      this.element.focus({ preventScroll: true });
      if (box < 0) return;
      this.select(box);
      this.zoom(box);
    });
    this.element.addEventListener("scroll", () => {
      this.hover(-1, null);
      this.redraw();
    });
    this.element.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.redraw()).observe(this.element);
  }

  show(source: FlameSource) {
    this.source = source;
    this.focus = source.root;
    this.selected = this.hovered = -1;
    this.draw();
    this.element.scrollTop = this.rootOnTop ? 0 : this.element.scrollHeight;
    this.redraw();
  }

  // The source has other numbers now: the same boxes with other widths.
  refresh() {
    if (this.source && this.source.width(this.focus) <= 0) this.focus = this.source.root;
    this.redraw();
  }

  highlight(hits: Uint8Array | null) {
    this.hits = hits;
    this.redraw();
  }

  turn(rootOnTop: boolean) {
    this.rootOnTop = rootOnTop;
    this.draw();
    this.element.scrollTop = rootOnTop ? 0 : this.element.scrollHeight;
    this.redraw();
  }

  select(box: number) {
    this.selected = box;
    this.events.select(box);
    this.redraw();
  }

  zoom(box: number) {
    if (!this.source || this.source.method(box) === LEFT_OUT || this.source.width(box) <= 0) return;
    this.focus = box;
    this.draw();
    this.bringIntoView(box);
    this.events.zoom(box);
  }

  reset() {
    if (this.source) this.zoom(this.source.root);
  }

  get zoomed() {
    return this.source !== null && this.focus !== this.source.root;
  }

  redraw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.draw();
    });
  }

  // ---- Drawing

  private lay(width: number) {
    const source = this.source!;
    this.boxes = [];
    const above: number[] = [];
    for (let at = this.focus; at >= 0; at = source.parent(at)) above.push(at);
    above.reverse();
    above.forEach((id, level) => this.boxes.push({ id, x: 0, width, level }));
    this.levels = above.length;
    const whole = source.width(this.focus);
    if (whole <= 0) return;
    const scale = width / whole;
    const open: Box[] = [this.boxes[this.boxes.length - 1]];
    while (open.length > 0) {
      const box = open.pop()!;
      let x = box.x;
      const children = source.children(box.id);
      for (let i = 0; i < children.length; i++) {
        const wide = source.width(children[i]) * scale;
        if (wide < 1) break; // widest first: nothing wider follows
        const child = { id: children[i], x, width: wide, level: box.level + 1 };
        this.boxes.push(child);
        open.push(child);
        x += wide;
        this.levels = Math.max(this.levels, child.level + 1);
      }
    }
  }

  private top(level: number, height: number): number {
    const whole = Math.max(this.levels * ROW + 2 * PAD, height);
    return (this.rootOnTop ? PAD + level * ROW : whole - PAD - (level + 1) * ROW) - this.element.scrollTop;
  }

  private draw() {
    const source = this.source;
    const width = this.element.clientWidth - 2 * PAD;
    const height = this.element.clientHeight;
    if (!source || width <= 0 || height <= 0) return;
    this.lay(width);
    this.fit(width, height);
    const pen = this.pen;
    pen.clearRect(0, 0, width, height);
    const style = getComputedStyle(this.element);
    const ink = style.getPropertyValue("--ink");
    const edge = style.getPropertyValue("--focus");
    const hit = style.getPropertyValue("--hit");
    pen.font = "12px " + style.getPropertyValue("--mono");
    pen.textBaseline = "middle";
    this.glyph = pen.measureText("MMMMMMMMMM").width / 10;
    const focusLevel = this.boxes.findIndex((box) => box.id === this.focus);
    for (const box of this.boxes) {
      const y = this.top(box.level, height);
      if (y <= -ROW || y >= height) continue;
      const found = this.hits !== null && this.isHit(box.id);
      pen.globalAlpha = box.level < focusLevel ? 0.6 : this.hits && !found ? 0.4 : 1;
      const drawn = Math.max(box.width - (box.width > 3 ? GAP : 0), 1);
      pen.fillStyle = found ? hit : this.colour(box.id);
      pen.fillRect(box.x, y, drawn, ROW - GAP);
      if (box.level >= focusLevel) this.drawError(box, y);
      const text = this.label(box);
      if (text !== "") {
        pen.globalAlpha = Math.max(pen.globalAlpha, 0.7);
        pen.fillStyle = ink;
        pen.fillText(text, box.x + 4, y + (ROW - GAP) / 2 + 0.5);
      }
      if (box.id === this.hovered || box.id === this.selected) {
        pen.globalAlpha = 1;
        pen.strokeStyle = edge;
        pen.lineWidth = 2;
        pen.strokeRect(box.x + 1, y + 1, Math.max(drawn - 2, 1), ROW - GAP - 2);
      }
    }
    pen.globalAlpha = 1;
  }

  private fit(width: number, height: number) {
    const ratio = devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.canvas.style.width = width + "px";
      this.canvas.style.height = height + "px";
    }
    this.space.style.height = Math.max(0, this.levels * ROW + 2 * PAD - height) + "px";
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  // Stripes over the part of a box that its error may take away.
  private drawError(box: Box, y: number) {
    const [amount, second] = this.source!.amounts(box.id);
    if (second || !amount.totalVariance || amount.total <= 0) return;
    const share = Math.min(1, error95(amount.totalVariance) / amount.total);
    const wide = share * (box.width - GAP);
    if (wide < 1) return;
    this.pen.fillStyle = this.stripePattern();
    this.pen.fillRect(box.x + box.width - GAP - wide, y, wide, ROW - GAP);
  }

  private stripePattern(): CanvasPattern {
    const dark = this.isDark();
    if (this.stripes && this.stripesDark === dark) return this.stripes;
    const tile = document.createElement("canvas");
    tile.width = tile.height = 6;
    const pen = tile.getContext("2d")!;
    pen.strokeStyle = dark ? "rgb(255 255 255 / .28)" : "rgb(0 0 0 / .22)";
    pen.lineWidth = 1.2;
    for (const shift of [-6, 0, 6]) {
      pen.beginPath();
      pen.moveTo(shift, 6);
      pen.lineTo(shift + 6, 0);
      pen.stroke();
    }
    this.stripesDark = dark;
    return (this.stripes = this.pen.createPattern(tile, "repeat")!);
  }

  private colour(box: number): string {
    const source = this.source!;
    const dark = this.isDark();
    const method = source.method(box);
    if (method !== LEFT_OUT) {
      const [before, after] = source.amounts(box);
      if (after) return changeColour(change(before, after), dark);
    }
    return methodColour(method < 0 ? null : this.data.facts.methods[method], dark);
  }

  private isHit(box: number): boolean {
    const method = this.source!.method(box);
    return method >= 0 && this.hits![method] === 1;
  }

  private label(box: Box): string {
    const fits = Math.floor((box.width - 8) / this.glyph);
    if (fits < 3) return "";
    const method = this.source!.method(box.id);
    const name = this.name(box.id);
    if (name.length <= fits) return name;
    if (method < 0) return name.slice(0, fits - 1) + "…";
    const rest = this.data.facts.methods[method][1];
    if (rest.length <= fits) return rest;
    const bare = rest.replace(/\(.*$/, "");
    const last = bare.slice(bare.lastIndexOf(".") + 1);
    return last.length <= fits ? last : last.slice(0, fits - 1) + "…";
  }

  name(box: number): string {
    const source = this.source!;
    const method = source.method(box);
    if (method === ALL) return "all";
    if (method === LEFT_OUT) return "… " + counted(source.leftOut(box), "context") + " left out";
    const [where, rest] = this.data.facts.methods[method];
    return where + rest + (source.site(box) >= 0 ? " @" + source.site(box) : "");
  }

  // ---- Pointing and keys

  private at(event: MouseEvent): number {
    const area = this.canvas.getBoundingClientRect();
    const x = event.clientX - area.left;
    const y = event.clientY - area.top;
    const height = this.element.clientHeight;
    for (let i = this.boxes.length - 1; i >= 0; i--) {
      const box = this.boxes[i];
      if (x < box.x || x >= box.x + box.width) continue;
      const top = this.top(box.level, height);
      if (y >= top && y < top + ROW) return box.id;
    }
    return -1;
  }

  private hover(box: number, event: MouseEvent | null) {
    this.canvas.style.cursor = box >= 0 && this.source!.method(box) !== LEFT_OUT ? "pointer" : "default";
    this.events.hover(box, event);
    if (box === this.hovered) return;
    this.hovered = box;
    this.redraw();
  }

  private bringIntoView(box: number) {
    const found = this.boxes.find((b) => b.id === box);
    const height = this.element.clientHeight;
    if (found) {
      const top = this.top(found.level, height);
      if (top < 0 || top + ROW > height) this.element.scrollTop += top - (this.rootOnTop ? ROW : height - 2 * ROW);
    }
    this.redraw();
  }

  private key(event: KeyboardEvent) {
    const source = this.source;
    if (!source || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.selected < 0 ? this.focus : this.selected;
    const outward = this.rootOnTop ? "ArrowUp" : "ArrowDown";
    const inward = this.rootOnTop ? "ArrowDown" : "ArrowUp";
    let next = -1;
    if (event.key === outward) next = source.parent(at);
    else if (event.key === inward) next = source.children(at)[0] ?? -1;
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      const parent = source.parent(at);
      const siblings = parent < 0 ? [at] : Array.from(source.children(parent));
      next = siblings[siblings.indexOf(at) + (event.key === "ArrowLeft" ? -1 : 1)] ?? -1;
    } else if (event.key === "Enter") this.zoom(at);
    else return;
    event.preventDefault();
    if (next < 0) return;
    // What lies outside of the zoomed box cannot be seen: zoom out to the box that holds both.
    if (this.boxes.every((box) => box.id !== next) && source.parent(next) >= 0) this.zoom(source.parent(next));
    this.select(next);
    this.bringIntoView(next);
  }
}
