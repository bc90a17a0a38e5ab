import { isObject } from '@/lib/wire/message';
import type { Check } from './fault';

interface Branch {
  readonly check: Check;
  /** For people. */
  readonly words: string;
  /** Members that have to be one literal each. */
  readonly marks: ReadonlyMap<string, string>;
}

/** True if one branch allows the value. Of a value that none allows, what its nearest branch lacks is noted. */
export function unionCheck(branches: readonly Branch[]): Check {
  const mark = commonMark(branches);
  const byMark = mark === undefined ? undefined : new Map(branches.map((branch) => [branch.marks.get(mark), branch]));
  const names = branches.map(({ words }) => words).join(', ');
  return (value, walk) => {
    if (byMark !== undefined && isObject(value)) {
      // Each mark belongs to one branch, so no other can allow the value.
      const marked = Object.hasOwn(value, mark!) ? value[mark!] : undefined;
      const branch = typeof marked === 'string' ? byMark.get(marked) : undefined;
      if (branch) return branch.check(value, walk);
      if (!Object.hasOwn(value, mark!)) return walk.fault('missing', 'required', mark);
      return walk.fault('value', `one of ${[...byMark.keys()].map((key) => JSON.stringify(key)).join(', ')}`, mark);
    }
    const fitting = branches.find(({ check }) => walk.tries(check, value));
    // Walked again for fields of other versions, which make nothing wrong.
    if (fitting) return walk.notes ? fitting.check(value, walk) : true;
    const near = branches.filter(({ marks }) => marks.size > 0 && isMarked(value, marks));
    if (near.length === 1) return near[0]!.check(value, walk);
    return walk.fault(isObject(value) ? 'value' : 'type', `one of: ${names}`);
  };
}

/** The member that tells every branch from every other, if there is one. */
function commonMark(branches: readonly Branch[]): string | undefined {
  return [...branches[0]!.marks.keys()].find((key) => {
    const values = new Set(branches.map(({ marks }) => marks.get(key)));
    return values.size === branches.length && !values.has(undefined);
  });
}

function isMarked(value: unknown, marks: ReadonlyMap<string, string>): boolean {
  return isObject(value) && [...marks].every(([key, mark]) => Object.hasOwn(value, key) && value[key] === mark);
}
