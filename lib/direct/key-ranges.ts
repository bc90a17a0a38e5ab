/** All keys that begin with these. Arrays come after every string and number in the order of keys. */
export function startingWith(...key: string[]): IDBKeyRange {
  return IDBKeyRange.bound(key, [...key, []]);
}
