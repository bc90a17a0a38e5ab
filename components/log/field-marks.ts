import type { Marks } from '@/components/untrusted/json-tree';
import type { Problem } from '@/lib/problems/problem';

interface Growing {
  text?: string;
  severe?: boolean;
  members: Map<string, Growing>;
}

/** Problems as remarks on the fields that they are about; of a missing field, on what lacks it. Paths may be wrong for a batch. */
export function fieldMarks(problems: readonly Problem[]): Marks | undefined {
  const root: Growing = { members: new Map() };
  for (const { path, message, severity, rule } of problems) {
    if (path === undefined) continue;
    const shown = rule === 'field-missing' ? path.slice(0, -1) : path;
    let at = root;
    for (const key of shown.map(String)) {
      const next = at.members.get(key) ?? { members: new Map() };
      at.members.set(key, next);
      at = next;
    }
    at.text = at.text === undefined ? message : `${at.text} ${message}`;
    at.severe ||= severity === 'error';
  }
  return root.members.size > 0 ? root : undefined;
}
