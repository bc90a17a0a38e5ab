import { isObject } from '@/lib/json/value';

/** A place where two definitions of an entry differ. */
export interface FieldChange {
  /** Path of the field: `inputSchema.properties.a.type`. Server text. */
  readonly path: string;
  /** The values as JSON, cut to {@link SHOWN} characters; undefined if absent. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Most changes reported of one entry. */
const MOST = 30;
/** Deepest field that is named. Below, a value is compared as a whole. */
const DEEPEST = 8;
/** Characters shown of a value. */
const SHOWN = 160;

/** Lists the fields that differ, those of nested objects one by one, at most {@link MOST}. */
export function fieldChanges(before: unknown, after: unknown): readonly FieldChange[] {
  const found: FieldChange[] = [];
  compare(before, after, [], found);
  return found;
}

function compare(before: unknown, after: unknown, path: readonly string[], found: FieldChange[]): void {
  if (found.length >= MOST) return;
  if (isObject(before) && isObject(after) && path.length < DEEPEST) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(memberOf(before, key), memberOf(after, key), [...path, key], found);
    }
    return;
  }
  const [was, is] = [JSON.stringify(before), JSON.stringify(after)];
  if (was !== is) found.push({ path: path.join('.'), before: cut(was), after: cut(is) });
}

function memberOf(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function cut(text: string | undefined): string | undefined {
  return text !== undefined && text.length > SHOWN ? `${text.slice(0, SHOWN - 1).toWellFormed()}…` : text;
}
