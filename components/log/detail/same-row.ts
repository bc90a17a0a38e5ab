import type { Row } from '@/lib/store/row';

/** True if two rows say the same: the log makes a new one, and new words about HTTP in it, whenever it is asked. */
export function isSameRow(a: Row, b: Row): boolean {
  const http = a.http === b.http || (a.http !== undefined && b.http !== undefined && isSame(a.http, b.http));
  return http && isSame({ ...a, http: undefined }, { ...b, http: undefined });
}

function isSame(a: object, b: object): boolean {
  const members = Object.entries(a);
  const others = new Map<string, unknown>(Object.entries(b));
  return (
    members.length === others.size &&
    members.every(([name, value]) => others.has(name) && Object.is(others.get(name), value))
  );
}
