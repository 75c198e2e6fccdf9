// Numbers as people read them.

export const grouped = (n: number) => Math.round(n).toLocaleString("en-US");

export function percent(part: number, whole: number): string {
  const p = whole > 0 ? (100 * part) / whole : 0;
  if (p === 0) return "0 %";
  const abs = Math.abs(p);
  return (abs >= 10 ? p.toFixed(1) : abs >= 0.1 ? p.toFixed(2) : p.toPrecision(2)) + " %";
}

export const counted = (n: number, noun: string) => `${grouped(n)} ${noun}${n === 1 ? "" : "s"}`;

// Half of the 95 % interval.
export const error95 = (variance: number) => 1.96 * Math.sqrt(variance);

// "5,000", or "≈ 5,000 ± 120" for an estimate.
export function amount(value: number, variance: number | null): string {
  if (variance === null) return grouped(value);
  return `≈ ${grouped(value)}` + (variance > 0 ? ` ± ${grouped(error95(variance))}` : "");
}

// Without its error, where there is no room for it.
export const rough = (value: number, isEstimate: boolean) => (isEstimate ? "≈ " : "") + grouped(value);

export const signed = (n: number) => (Math.round(n) > 0 ? "+" : "") + grouped(n).replace("-", "−");

// By how much a number changed, in percent of what it was.
export function growth(before: number, after: number): string {
  if (before === after) return "±0 %";
  if (before === 0) return "new";
  if (after === 0) return "gone";
  const p = (100 * (after - before)) / before;
  const digits = Math.abs(p) < 10 ? 1 : 0;
  return (p > 0 ? "+" : "−") + Math.abs(p).toLocaleString("en-US", { maximumFractionDigits: digits }) + " %";
}
