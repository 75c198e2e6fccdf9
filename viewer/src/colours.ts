// Colours. Application code is warm, the class library cool, native code green, what is not a method grey or violet. In
// a comparison red is more, blue is less, grey is no change beyond the error.

import { error95 } from "./numbers";
import type { Amount } from "./sources";

export type Family = "application" | "library" | "native" | "pseudo" | "rest";

const LIBRARY = /^(java|javax|jdk|sun|com\.sun)\./;
const NATIVE = 1;
const PSEUDO = 2;

export function familyOf([where, , kind]: [string, string, number]): Family {
  if (kind >= PSEUDO) return "pseudo";
  if (kind === NATIVE && where === "") return "native";
  return LIBRARY.test(where) ? "library" : "application";
}

const HUES: Record<Family, [hue: number, range: number, saturation: number]> = {
  application: [18, 30, 72],
  library: [200, 26, 55],
  native: [135, 14, 32],
  pseudo: [285, 12, 22],
  rest: [0, 0, 0],
};

// A number from 0 to 1 that is always the same for a text.
function spread(text: string): number {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return ((h >>> 8) % 1000) / 1000;
}

export function methodColour(method: [string, string, number] | null, dark: boolean): string {
  const [where, rest] = method ?? ["", ""];
  const [hue, range, saturation] = HUES[method ? familyOf(method) : "rest"];
  const h = hue + range * spread(where);
  const shade = 5 * spread(rest);
  return dark ? `hsl(${h} ${saturation * 0.6}% ${29 + shade}%)` : `hsl(${h} ${saturation}% ${78 + shade}%)`;
}

export const familyColour = (family: Family, dark: boolean) => {
  const [hue, range, saturation] = HUES[family];
  return dark ? `hsl(${hue + range / 2} ${saturation * 0.6}% 32%)` : `hsl(${hue + range / 2} ${saturation}% 80%)`;
};

// From -1 (gone) to 1 (new); 0 if the change is within the error of both numbers.
export function change(before: Amount, after: Amount): number {
  const difference = after.total - before.total;
  const error = error95((before.totalVariance ?? 0) + (after.totalVariance ?? 0));
  const larger = Math.max(before.total, after.total);
  return larger === 0 || Math.abs(difference) <= error ? 0 : difference / larger;
}

export function changeColour(by: number, dark: boolean): string {
  if (by === 0) return dark ? "hsl(0 0% 27%)" : "hsl(0 0% 88%)";
  const strength = Math.sqrt(Math.abs(by));
  const hue = by > 0 ? 4 : 214;
  return dark ? `hsl(${hue} ${25 + 50 * strength}% ${27 + 12 * strength}%)` : `hsl(${hue} ${30 + 60 * strength}% ${90 - 24 * strength}%)`;
}
