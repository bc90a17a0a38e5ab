import type { OutputUnit } from '@cfworker/json-schema';
import type { Path } from '@/lib/schema/document';
import { isObject } from '@/lib/wire/message';
import { errorText, missingName } from './error-text';
import type { BranchPlaces, Finding } from './job';

/**
 * What a validator's errors come to for a person: errors that only say that another one lies within are left out, of a union
 * those of the picked branch are told, each where it belongs in the document.
 */
export function findings(errors: readonly OutputUnit[], value: unknown, branches: BranchPlaces): Finding[] {
  const found: Finding[] = [];
  const told = new Set<string>();
  for (const error of leaves(errors, value, branches)) {
    const name = missingName(error);
    const at = pathOf(error.instanceLocation, value);
    const finding = {
      path: name === undefined ? at : [...at, name],
      text: errorText(error),
      missing: name !== undefined,
      keyword: error.keyword,
    };
    const key = JSON.stringify([finding.path, finding.text]);
    if (!told.has(key)) found.push(finding);
    told.add(key);
  }
  return found;
}

/** Errors come as wrapper, then what it wraps, told by where their keywords stand. */
function leaves(errors: readonly OutputUnit[], value: unknown, branches: BranchPlaces): OutputUnit[] {
  const found: OutputUnit[] = [];
  for (let at = 0; at < errors.length; ) {
    const error = errors[at]!;
    let end = at + 1;
    while (end < errors.length && isWithin(errors[end]!, error)) end++;
    const inner = errors.slice(at + 1, end);
    if (inner.length === 0) found.push(error);
    else if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      found.push(...leaves(ofBranch(error, inner, value, branches), value, branches));
    } else found.push(...leaves(inner, value, branches));
    at = end;
  }
  return found;
}

function isWithin(error: OutputUnit, wrapper: OutputUnit): boolean {
  // The error of a `false` schema has the place of the value for the place of its keyword.
  if (error.keyword === 'false') return error.instanceLocation.startsWith(`${wrapper.instanceLocation}/`);
  return error.keywordLocation.startsWith(`${wrapper.keywordLocation}/`);
}

/** The errors of one branch: the one the form shows, or else the one that is nearest to the value. */
function ofBranch(
  union: OutputUnit,
  inner: readonly OutputUnit[],
  value: unknown,
  branches: BranchPlaces,
): OutputUnit[] {
  const groups = new Map<string, OutputUnit[]>();
  let last = '';
  for (const error of inner) {
    const own = error.keyword !== 'false';
    if (own) last = error.keywordLocation.slice(union.keywordLocation.length + 1).split('/')[0]!;
    groups.set(last, [...(groups.get(last) ?? []), error]);
  }
  const place = branches.get(JSON.stringify(pathOf(union.instanceLocation, value)));
  const picked = place === undefined ? undefined : pickedIndex(place, union.keywordLocation);
  if (picked !== undefined && groups.has(picked)) return groups.get(picked)!;
  const ranked = [...groups.values()].sort((a, b) => distance(a, union) - distance(b, union));
  return ranked[0] ?? [];
}

/** The index in `anyOf/1`, or in `anyOf/0/anyOf/1` for the union within the union; `union` is where its keyword stands. */
export function pickedIndex(place: string, union: string): string | undefined {
  const parts = place.split('/');
  const location = union.replaceAll('/$ref', '');
  for (let at = parts.length - 2; at >= 0; at -= 2) {
    if (location.endsWith(`/${parts.slice(0, at + 1).join('/')}`)) return parts[at + 1];
  }
  return undefined;
}

/** How far a value is from a branch: the wrong type is farthest, then the wrong mark in a property, then any other error. */
function distance(errors: readonly OutputUnit[], union: OutputUnit): number {
  let sum = 0;
  for (const { keyword, instanceLocation } of errors) {
    const depth = instanceLocation.slice(union.instanceLocation.length).split('/').length - 1;
    if (keyword === 'type' && depth === 0) sum += 1000;
    else if ((keyword === 'const' || keyword === 'enum') && depth <= 1) sum += 100;
    else sum += 1;
  }
  return sum;
}

/** `#/a/0` as a path: what is a number and what a name is told by the value. */
function pathOf(pointer: string, value: unknown): Path {
  const path: (string | number)[] = [];
  let at = value;
  for (const part of pointer.split('/').slice(1)) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    const key = Array.isArray(at) ? Number(name) : name;
    path.push(key);
    if (Array.isArray(at)) at = at[key as number];
    else at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return path;
}
