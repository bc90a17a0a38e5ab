import { isRecord, type JsonPath, setAt } from '@/lib/json/edit';
import { stringifyJson } from '@/lib/json/exact';
import type { SchemaChecker } from '@/lib/schema/check';
import type { BranchPlaces, SchemaFinding } from '@/lib/schema/schema-worker';

/** Values of one example that are tried as null. Each costs a check of the whole example. */
const MOST_TRIED = 150;

/** Number of values that may be null, and the paths of those whose field does not offer it. */
export interface NullCounts {
  readonly allowed: number;
  readonly missing: readonly string[];
}

/**
 * Tries each value of the mounted example as null. The validator decides which may be null: none of its findings is
 * new. Then looks at the field in the page. Left out are values without a field of their own, those inside a union,
 * where null may fit another branch, and those of any type.
 */
export function countNulls(value: unknown, branches: BranchPlaces, checker: SchemaChecker): NullCounts {
  const findings = (document: unknown) => checker.check(stringifyJson(document), branches);
  const before = findings(value);
  if (before.unchecked !== undefined) return { allowed: 0, missing: [] };
  const known = new Set(before.findings.map(keyOf));
  const accepts = (path: JsonPath, item: unknown) =>
    findings(setAt(value, path, item)).findings.every((found) => known.has(keyOf(found)));
  const missing: string[] = [];
  let allowed = 0;
  for (const path of pathsIn(value).slice(0, MOST_TRIED)) {
    const field = document.querySelector(`[data-field="${CSS.escape(JSON.stringify(path))}"]`);
    const isInUnion = path.some((_, length) => branches.has(JSON.stringify(path.slice(0, length))));
    if (field === null || isInUnion || !accepts(path, null)) continue;
    if (accepts(path, 7) && accepts(path, { a: 7 })) continue;
    allowed++;
    if (!offersNull(field)) missing.push(path.join('.'));
  }
  return { allowed, missing };
}

function keyOf({ path, text }: SchemaFinding): string {
  return JSON.stringify([path, text]);
}

/** Returns the paths of all values in a document, but not of the document itself. */
function pathsIn(value: unknown, path: JsonPath = []): JsonPath[] {
  const inner = Array.isArray(value) ? [...value.entries()] : isRecord(value) ? Object.entries(value) : [];
  return inner.flatMap(([key, item]) => [[...path, key], ...pathsIn(item, [...path, key])]);
}

/** The button, a choice, or a box in which any JSON can be typed. A long list of choices is not in the page. */
const OFFERS = 'button[title="Send null"], option, input[type=radio], [role=combobox], textarea.font-mono, label, span';

function offersNull(field: Element): boolean {
  return [...field.querySelectorAll<HTMLElement>(OFFERS)].some(
    (each) =>
      each.closest('[data-field]') === field &&
      (each.matches('button, [role=combobox], textarea') || each.textContent?.trim() === 'null'),
  );
}
