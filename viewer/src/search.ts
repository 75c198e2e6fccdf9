// Search by the names of methods: plain text in any case, or a regular expression between slashes.

import type { Selection } from "./selection";

export interface Matches {
  methods: Uint8Array; // 1 for each method that matches
  methodCount: number;
  contexts: number;
  own: number[]; // by set: of matching contexts
  total: number[]; // of matching contexts and what they call, nothing counted twice
}

// Parameters, which tell overloads apart, count only in a search for them: "String" is not to find every method that
// takes one.
const WITHOUT_PARAMETERS = /\(.*$/;

// Null for an empty search; an Error if the expression is none.
export function matcher(text: string): ((name: string) => boolean) | null {
  const query = text.trim();
  if (query === "") return null;
  const expression = /^\/(.+)\/$/.exec(query);
  if (expression) {
    const pattern = new RegExp(expression[1]);
    return (name) => pattern.test(name);
  }
  const lower = query.toLowerCase();
  if (lower.includes("(")) return (name) => name.toLowerCase().includes(lower);
  return (name) => name.replace(WITHOUT_PARAMETERS, "").toLowerCase().includes(lower);
}

export function search(selection: Selection, matches: (name: string) => boolean): Matches {
  const { data, shape, sets } = selection;
  const methods = new Uint8Array(data.facts.methods.length);
  let methodCount = 0;
  data.facts.methods.forEach(([where, rest], i) => {
    if (!matches(where + rest)) return;
    methods[i] = 1;
    methodCount++;
  });
  const found: Matches = { methods, methodCount, contexts: 0, own: sets.map(() => 0), total: sets.map(() => 0) };
  let covered = 0;
  for (let i = 1; i < shape.size; i++) {
    const method = data.method[i];
    if (method < 0 || methods[method] === 0) continue;
    found.contexts++;
    const outermost = i >= covered;
    if (outermost) covered = shape.end[i];
    for (let s = 0; s < sets.length; s++) {
      found.own[s] += sets[s].own[i];
      if (outermost) found.total[s] += sets[s].total[i];
    }
  }
  return found;
}
