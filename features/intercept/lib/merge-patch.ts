import { applyEdit, isRecord, type JsonDocument, type JsonPath, withProperty } from '@/lib/json/edit';
import { sameJson } from '@/lib/json/exact';
import { type JsonObject, own } from '@/lib/json/value';

/** Applies a JSON Merge Patch (RFC 7396) to a document. Text that the patch does not name stays as written. */
export function mergePatch(document: JsonDocument, patch: JsonObject): JsonDocument {
  return mergeAt(document, [], document.value, patch);
}

function mergeAt(document: JsonDocument, path: JsonPath, target: unknown, patch: JsonObject): JsonDocument {
  return Object.entries(patch).reduce((changed, [key, wanted]) => {
    const at = [...path, key];
    const present = isRecord(target) ? own(target, key) : undefined;
    if (wanted === null) return applyEdit(changed, { type: 'remove', path: at });
    if (isRecord(wanted) && isRecord(present)) return mergeAt(changed, at, present, wanted);
    const value = withoutNulls(wanted);
    return sameJson(present, value) ? changed : applyEdit(changed, { type: 'set', path: at, value });
  }, document);
}

/** Returns the value that a patch creates where there is none: its nulls mean that a member is absent. */
function withoutNulls(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.entries(value)
    .filter(([, member]) => member !== null)
    .reduce<JsonObject>((object, [key, member]) => withProperty(object, key, withoutNulls(member)), {});
}

/**
 * Returns the patch that turns one object into another; undefined if there is none, because a patch can't set a member
 * to null. `sameJson` compares values that are not objects, so the order of members does not count.
 */
export function patchBetween(before: JsonObject, after: JsonObject): JsonObject | undefined {
  let patch: JsonObject = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (!Object.hasOwn(after, key)) {
      patch = withProperty(patch, key, null);
      continue;
    }
    const [was, is] = [own(before, key), after[key]];
    if (Object.hasOwn(before, key) && sameJson(was, is)) continue;
    if (isRecord(was) && isRecord(is)) {
      const inner = patchBetween(was, is);
      if (inner === undefined) return undefined;
      if (Object.keys(inner).length > 0) patch = withProperty(patch, key, inner);
    } else {
      if (is === null || hasNullMember(is)) return undefined;
      patch = withProperty(patch, key, is);
    }
  }
  return patch;
}

/** Returns true if an object has a member that is null, at any depth. Arrays are values: their nulls stay. */
function hasNullMember(value: unknown): boolean {
  return isRecord(value) && Object.values(value).some((member) => member === null || hasNullMember(member));
}
