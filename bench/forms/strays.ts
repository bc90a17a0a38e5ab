import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import type { JsonPath } from '@/lib/json/edit';
import { dialectOf, errorText, missingName, pickedIndex, schemaDraft } from '@/lib/schema/check';
import type { BranchPlaces, SchemaFinding } from '@/lib/schema/schema-worker';

/** Index of a validator's errors, by the location of keywords such as `#/properties/a/anyOf`. */
interface Index {
  /** Locations of values that failed a union. */
  readonly unions: ReadonlyMap<string, readonly string[]>;
  /** Locations of values that failed within a branch, by branch. */
  readonly failures: ReadonlyMap<string, readonly string[]>;
  /** The shown branches, by the location of their values. */
  readonly shown: ReadonlyMap<string, string>;
}

const BRANCH = /\/(anyOf|oneOf)\/(\d+)(?=\/|$)/g;

/**
 * Counts the findings that no error of a shown branch explains. It runs the validator again to get all errors, and
 * reads from the location of an error's keyword which unions it belongs to.
 */
export function countStrays(
  schema: string,
  text: string,
  places: BranchPlaces,
  findings: readonly SchemaFinding[],
): number {
  if (findings.length === 0) return 0;
  const parsed: unknown = JSON.parse(schema);
  const { errors } = new Validator(parsed as Schema, schemaDraft(dialectOf(parsed)), false).validate(JSON.parse(text));
  const index = indexOf(errors, places);
  const explained = new Set(
    errors
      .filter((error) => error.keyword === 'false' || isOfShownBranch(error, index))
      .map((error) => keyOf(error, parsed)),
  );
  return findings.filter((finding) => !explained.has(keyOfFinding(finding))).length;
}

function isOfShownBranch({ keywordLocation, instanceLocation }: OutputUnit, index: Index): boolean {
  return [...keywordLocation.matchAll(BRANCH)].every(({ 1: keyword, 2: branch, index: at }) => {
    const union = keywordLocation.slice(0, at + 1 + keyword!.length);
    const place = index.unions.get(union)?.find((place) => isAt(instanceLocation, place));
    const shown = place === undefined ? undefined : index.shown.get(place);
    const picked = shown === undefined ? undefined : pickedIndex(shown, union);
    if (place === undefined || picked === undefined || picked === branch) return true;
    // The shown branch has no errors here, so errors of other branches are accepted.
    return !index.failures.get(`${union}/${picked}`)?.some((failed) => isAt(failed, place));
  });
}

function indexOf(errors: readonly OutputUnit[], places: BranchPlaces): Index {
  const unions = new Map<string, string[]>();
  const failures = new Map<string, string[]>();
  for (const { keyword, keywordLocation, instanceLocation } of errors) {
    // Sorted below, deepest first: a value may contain another value of the same union.
    if (keyword === 'anyOf' || keyword === 'oneOf') keep(unions, keywordLocation, instanceLocation);
    if (keyword === 'false') continue;
    for (const { 0: step, index: at } of keywordLocation.matchAll(BRANCH)) {
      keep(failures, keywordLocation.slice(0, at + step.length), instanceLocation);
    }
  }
  for (const list of unions.values()) list.sort((a, b) => b.length - a.length);
  return { unions, failures, shown: new Map([...places].map(([key, at]) => [pointer(JSON.parse(key)), at])) };
}

function keep(lists: Map<string, string[]>, key: string, item: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

function isAt(location: string, above: string): boolean {
  return location === above || location.startsWith(`${above}/`);
}

function keyOf(error: OutputUnit, schema: unknown): string {
  return JSON.stringify([error.instanceLocation, missingName(error), errorText(error, schema)]);
}

function keyOfFinding({ path, text, missing }: SchemaFinding): string {
  return JSON.stringify([pointer(missing ? path.slice(0, -1) : path), missing ? path.at(-1) : undefined, text]);
}

/** Formats the location of a value like the validator does. */
function pointer(path: JsonPath): string {
  const names = path.map((key) => String(key).replaceAll('~', '~0').replaceAll('/', '~1'));
  return ['#', ...names.map((name) => encodeURI(name).replaceAll('#', '%23'))].join('/');
}
