import { useState } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { IconButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useDraft } from '@/lib/hooks/drafts';
import { navigate } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { listChangesText } from '@/lib/store/state/list-changes';
import type { ListChanges, ListEntry, Listing } from '@/lib/store/state/state';
import { formatCount } from '@/lib/wire/format';
import { fieldChanges } from './field-changes';

/** Most entries of each sort that are named. */
const MOST_NAMED = 100;

interface ListChangesNoteProps {
  readonly log: Log;
  readonly listing: Listing<ListEntry>;
  /** Plural name of the entries. */
  readonly what: string;
}

/** Says what the newest reading of a list added, removed and changed, until it is dismissed. Empty without a change. */
export function ListChangesNote({ log, listing: { changes }, what }: ListChangesNoteProps) {
  const startedAt = useLogState(log, ({ connection }) => connection.start?.at);
  // A restarted proxy counts its connections from c1 again.
  const [dismissed, setDismissed] = useDraft(`list changes ${what} ${log.connection} ${startedAt ?? ''}`, 0);
  const [open, setOpen] = useState(false);
  if (!changes || dismissed === changes.seq) return null;
  if (changes.added.length + changes.removed.length + changes.changed.length === 0) return null;
  return (
    <section
      aria-label={`Changes of ${what}`}
      className="flex shrink-0 items-start gap-1 border-b border-line px-2 py-1"
    >
      <details className="min-w-0 flex-1" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span role="status" className="tabular">
            {listChangesText(changes)} {what}
          </span>
        </summary>
        <div className="max-h-60 overflow-auto">
          <Named sign="+" entries={changes.added} linked />
          <Named sign="−" entries={changes.removed} />
          {open && <Changed changes={changes} />}
          <p className="text-small text-muted">
            Compared with the list before. <FrameLink seq={changes.seq} label="new list" />
          </p>
        </div>
      </details>
      <IconButton label={`Dismiss the changes of ${what}`} onClick={() => setDismissed(changes.seq)}>
        <Icon name="close" />
      </IconButton>
    </section>
  );
}

interface NamedProps {
  readonly sign: '+' | '−';
  readonly entries: readonly ListEntry[];
  /** The names lead to the entries. */
  readonly linked?: boolean;
}

function Named({ sign, entries, linked = false }: NamedProps) {
  return (
    <ul className="font-mono text-wire">
      {entries.slice(0, MOST_NAMED).map((entry) => (
        <li key={entry.key} className="flex min-w-0 gap-1">
          <span className={sign === '+' ? 'text-ok' : 'text-warn'}>{sign}</span>
          {linked ? <EntryLink entry={entry} /> : <UntrustedText text={entry.key} limit={200} />}
        </li>
      ))}
      <More count={entries.length} />
    </ul>
  );
}

function Changed({ changes: { changed } }: { readonly changes: ListChanges }) {
  return (
    <ul className="text-wire">
      {changed.slice(0, MOST_NAMED).map(({ before, after }) => (
        <li key={after.key} className="min-w-0">
          <span className="flex min-w-0 gap-1 font-mono">
            <span className="text-accent">~</span>
            <EntryLink entry={after} />
          </span>
          <FieldChanges before={before} after={after} />
        </li>
      ))}
      <More count={changed.length} />
    </ul>
  );
}

/** The fields that differ between two definitions of an entry. */
function FieldChanges({ before, after }: { readonly before: ListEntry; readonly after: ListEntry }) {
  return (
    <ul className="pl-3 font-mono text-small">
      {fieldChanges(before.raw, after.raw).map(({ path, before: was, after: is }) => (
        <li key={path} className="break-words">
          <UntrustedText text={path} limit={200} className="text-muted" />{' '}
          {was !== undefined && (
            <del className="text-error">
              <UntrustedText text={was} />
            </del>
          )}
          {was !== undefined && is !== undefined && <span aria-hidden="true"> → </span>}
          {is !== undefined && (
            <ins className="text-ok no-underline">
              <UntrustedText text={is} />
            </ins>
          )}
        </li>
      ))}
    </ul>
  );
}

function More({ count }: { readonly count: number }) {
  if (count <= MOST_NAMED) return null;
  return <li className="text-small text-muted">{formatCount(count - MOST_NAMED)} more</li>;
}

function EntryLink({ entry }: { readonly entry: ListEntry }) {
  return (
    <button
      type="button"
      className="min-w-0 text-left break-words text-link"
      onClick={() => navigate({ item: entry.key })}
    >
      <UntrustedText text={entry.key} limit={200} />
    </button>
  );
}
