/** Keys that are data by their look. */
const ID_SHAPES: readonly RegExp[] = [
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  /^-?\d+$/,
  /^(?=.*\d)[0-9a-f]{8,}$/i,
  /^\d{4}-\d\d(-\d\d([T ].*)?)?$/,
  // user_123, ISSUE-7
  /^[a-z]{1,20}[_-]\d+$/i,
  // ULIDs and random names of 16 and more characters, with digits and letters.
  /^(?=.*\d.*\d)(?=.*[a-z])[a-z0-9_-]{16,}$/i,
  /^[^@\s]+@[^@\s]+\.[^@\s]+$/,
  /^[a-z][a-z0-9+.-]*:\/\//i,
  /^\.{0,2}\/|\/.*\.\w+$/,
];

/** Fewest keys that look like ids. */
const FEWEST_IDS = 3;
/** Fewest words, and fewest objects with them, of a map whose keys look like names. */
const FEWEST_WORDS = 8;
const WORD_OBJECTS = 5;

/**
 * Says whether the keys of objects are data. `counts`: each key with the number of objects that have it, of `objects`.
 * Keys that look like ids are, unless all objects have one of them. Words are if most of them come once, so that
 * further ones are likely, and all values are of one kind.
 */
export function hasDynamicKeys(
  counts: readonly (readonly [key: string, count: number])[],
  objects: number,
  haveOneKind: () => boolean,
): boolean {
  if (counts.length < FEWEST_IDS) return false;
  const isAlways = objects > 1 && counts.some(([, count]) => count === objects);
  if (isAlways) return false;
  if (counts.every(([key]) => ID_SHAPES.some((shape) => shape.test(key)))) return true;
  const once = counts.filter(([, count]) => count === 1).length;
  return counts.length >= FEWEST_WORDS && objects >= WORD_OBJECTS && once * 2 >= counts.length && haveOneKind();
}
