import { stringEnd } from '@/lib/json/scan';
import { JsonSource } from '@/lib/json/source';
import type { DiffPath } from './value-diff';

/**
 * Places in a JSON value: `$.content[0].text`, `$.items[*].id`, `$..etag`, `$["a b"]`. A part of JSONPath (RFC 9535):
 * names, indexes from the start, `*`, and `..` before a name or `*`. JSON in a string is entered like any other value.
 */
export interface PlacePattern {
  readonly steps: readonly Step[];
}

interface Step {
  /** A name, an index, or anything. */
  readonly is: string | number | typeof ANY;
  /** True if other steps may stand before it. */
  readonly deep: boolean;
}

const ANY = Symbol('any step');
/** Most steps of a pattern. */
const MOST_STEPS = 64;
const NAME = /[\p{L}_$][\p{L}\p{N}_$-]*/uy;
const INDEX = /(?:0|[1-9]\d{0,9})(?=\])/y;

/** Reads a pattern. Returns undefined if it is none. */
export function parsePlace(text: string): PlacePattern | undefined {
  if (!text.startsWith('$')) return undefined;
  const steps: Step[] = [];
  let at = 1;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const eat = (word: string): boolean => {
    const isThere = text.startsWith(word, at);
    if (isThere) at += word.length;
    return isThere;
  };
  const takeString = (): string | undefined => {
    const end = text[at] === '"' ? stringEnd(text, at) : -1;
    if (end < 0) return undefined;
    const quoted = text.slice(at, end);
    at = end;
    try {
      return JSON.parse(quoted) as string;
    } catch {
      return undefined;
    }
  };
  while (at < text.length) {
    const deep = eat('..');
    let is: Step['is'] | undefined;
    if (eat('[')) {
      const index = take(INDEX);
      is = index === undefined ? (eat('*') ? ANY : takeString()) : Number(index);
      if (!eat(']')) return undefined;
    } else if (deep || eat('.')) is = eat('*') ? ANY : take(NAME);
    if (is === undefined || steps.length === MOST_STEPS) return undefined;
    steps.push({ is, deep });
  }
  return { steps };
}

/** True if the pattern names this place or one that holds it. */
export function holdsPlace({ steps }: PlacePattern, path: DiffPath): boolean {
  const names = path.filter((step) => typeof step !== 'symbol');
  // The positions after the steps so far. A pattern matches once its last step does.
  let ends = new Set([0]);
  for (const { is, deep } of steps) {
    const next = new Set<number>();
    for (const end of ends) {
      const last = deep ? names.length : end + 1;
      for (let at = end; at < Math.min(last, names.length); at++) {
        if (is === ANY || is === names[at]) next.add(at + 1);
      }
    }
    ends = next;
  }
  return ends.size > 0;
}

/** Finds the value at a place without `*` or `..`, as written; undefined if there is none. */
export function textAtPlace({ steps }: PlacePattern, json: string): string | undefined {
  let inside = JsonSource.parse(json);
  for (const { is } of steps) {
    if (inside?.kind === 'string') inside = JsonSource.parse(String(inside.value));
    if (typeof is === 'symbol') return undefined;
    inside = typeof is === 'number' ? inside?.item(is) : inside?.member(is);
  }
  return inside?.text;
}

/** True if a pattern names one place: it has no `*` or `..`. */
export function isOnePlace({ steps }: PlacePattern): boolean {
  return steps.every(({ is, deep }) => typeof is !== 'symbol' && !deep);
}
