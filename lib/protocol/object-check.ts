import { isObject } from '@/lib/wire/message';
import type { Check } from './fault';
import type { FieldRow } from './shape';

/** A field as one version has it. */
interface VersionField {
  readonly name: string;
  readonly required: boolean;
  /** undefined: this version does not have it. */
  readonly check: Check | undefined;
  readonly rows: readonly FieldRow[];
}

/** The check of an object. With `tellsOthers`, fields that only other versions have are noted. */
export function objectCheck(fields: readonly VersionField[], tellsOthers: boolean): Check {
  const here = fields.filter((field) => field.check !== undefined);
  const names = new Set(here.map(({ name }) => name));
  const others = new Map(
    tellsOthers ? fields.filter(({ name }) => !names.has(name)).map(({ name, rows }) => [name, rows]) : [],
  );
  return (value, walk) => {
    if (!isObject(value)) return walk.fault('type', 'an object');
    let fine = true;
    for (const { name, required, check } of here) {
      if (Object.hasOwn(value, name)) fine = walk.down(name, check!, value[name]) && fine;
      else if (required) fine = walk.fault('missing', 'required', name);
    }
    if (others.size > 0 && walk.notes) {
      for (const name of Object.keys(value)) {
        const rows = others.get(name);
        if (rows !== undefined) walk.fault('other-version', spanWords(rows), name);
      }
    }
    return fine;
  };
}

/** From the first row to the last: a field that changed was there in between. */
function spanWords(rows: readonly FieldRow[]): string {
  const { since } = rows[0]!;
  const { until } = rows.at(-1)!;
  if (until === undefined) return `since ${since}`;
  return since === until ? `only in ${since}` : `from ${since} to ${until}`;
}
