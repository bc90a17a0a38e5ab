import { lazy, Suspense } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { IconButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useDraft } from '@/lib/hooks/drafts';
import { navigate } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import type { ListName } from '@/lib/replay/compare/catalogue';
import type { Log } from '@/lib/store/log';
import { listChangesText } from '@/lib/store/state/list-changes';
import type { Entry, ListChanges, Listing } from '@/lib/store/state/state';
import { formatCount } from '@/lib/wire/format';

const ChangedFields = lazy(() => import('./changed-fields').then((file) => ({ default: file.ChangedFields })));

/** Most entries of each sort that are named. */
const MOST_NAMED = 100;

interface ListChangesNoteProps {
  readonly log: Log;
  readonly listing: Listing<Entry>;
  readonly kind: ListName;
  /** Plural name of the entries. */
  readonly what: string;
}

/** Says what the newest reading of a list added, removed and changed, until it is dismissed. Empty without a change. */
export function ListChangesNote({ log, listing: { changes }, kind, what }: ListChangesNoteProps) {
  const startedAt = useLogState(log, ({ connection }) => connection.start?.at);
  // A restarted proxy counts its connections from c1 again.
  const [dismissed, setDismissed] = useDraft(`list changes ${kind} ${log.connection} ${startedAt ?? ''}`, 0);
  if (!changes || dismissed === changes.seq) return null;
  if (changes.added.length + changes.removed.length + changes.changed.length === 0) return null;
  return (
    <section
      aria-label={`Changes of ${what}`}
      className="flex shrink-0 items-start gap-1 border-b border-line px-2 py-1"
    >
      <details className="min-w-0 flex-1">
        <summary>
          <span role="status" className="tabular">
            {listChangesText(changes)} {what}
          </span>
        </summary>
        <div className="max-h-60 overflow-auto">
          <Named sign="+" entries={changes.added} linked />
          <Named sign="−" entries={changes.removed} />
          <Changed kind={kind} changes={changes} />
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
  readonly entries: readonly Entry[];
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

function Changed({ kind, changes: { changed } }: { readonly kind: ListName; readonly changes: ListChanges }) {
  return (
    <ul className="text-wire">
      {changed.slice(0, MOST_NAMED).map(({ before, after }) => (
        <li key={after.key} className="min-w-0">
          <span className="flex min-w-0 gap-1 font-mono">
            <span className="text-accent">~</span>
            <EntryLink entry={after} />
          </span>
          <Suspense>
            <ChangedFields kind={kind} before={before} after={after} />
          </Suspense>
        </li>
      ))}
      <More count={changed.length} />
    </ul>
  );
}

function More({ count }: { readonly count: number }) {
  if (count <= MOST_NAMED) return null;
  return <li className="text-small text-muted">{formatCount(count - MOST_NAMED)} more</li>;
}

function EntryLink({ entry }: { readonly entry: Entry }) {
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
