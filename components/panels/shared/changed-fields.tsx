import { useMemo } from 'react';
import { Sentence } from '@/components/ui/notices';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { Catalogue, ListName } from '@/lib/replay/compare/catalogue';
import { type CatalogueChange, compareCatalogues } from '@/lib/replay/compare/catalogue-diff';
import { NO_NORMALISER } from '@/lib/replay/compare/normalise';
import type { Entry } from '@/lib/store/state/state';

/** The fields of a listed entry that differ from the reading before, in one sentence each. */
export function ChangedFields({ kind, before, after }: ChangedFieldsProps) {
  const changes = useMemo(() => entryChanges(kind, before, after), [kind, before, after]);
  return (
    <ul className="pl-3 text-small text-muted">
      {changes.map(({ sentence }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: changes have no other identity
        <li key={index} className="break-words">
          <Sentence text={sentence} draw={(text) => <UntrustedText text={text} limit={300} />} />
        </li>
      ))}
    </ul>
  );
}

interface ChangedFieldsProps {
  readonly kind: ListName;
  readonly before: Entry;
  readonly after: Entry;
}

/** Compares two definitions of one entry, as the comparison of recordings does. */
export function entryChanges(kind: ListName, before: Entry, after: Entry): readonly CatalogueChange[] {
  const how = { mode: 'strict', normaliser: NO_NORMALISER } as const;
  const steps = compareCatalogues(withOnly(kind, before), withOnly(kind, after), how);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

function withOnly(kind: ListName, { raw, seq }: Entry): Catalogue {
  const list = { items: [{ item: raw, seq }], complete: true };
  return {
    version: undefined,
    seq: undefined,
    info: {},
    capabilities: {},
    instructions: undefined,
    lists: new Map([[kind, list]]),
    refused: new Set(),
  };
}
