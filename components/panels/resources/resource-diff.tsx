import { useMemo, useState } from 'react';
import { TextDiff } from '@/components/editor/text-diff';
import { FrameLink } from '@/components/exchange/frame-link';
import { responseOf } from '@/components/exchange/outcome';
import { visibleText } from '@/components/ui/visible-text';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useFrameBytes } from '@/lib/hooks/log';
import { useResourceHistories } from '@/lib/hooks/resource-history';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import type { Log } from '@/lib/store/log';
import { countOf, formatBytes } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';
import { type ContentChange, contentChanges } from './content-changes';

/** How the newest read of a resource differs from the one before. Empty if there are not two. */
export function ResourceDiff({ log, uri }: { readonly log: Log; readonly uri: string }) {
  const [before, after] = useResourceHistories(log).newestReads(uri, 2);
  if (!before || !after) return null;
  return <Difference key={after.requestSeq} log={log} before={before} after={after} />;
}

interface DifferenceProps {
  readonly log: Log;
  readonly before: Exchange;
  readonly after: Exchange;
}

function Difference({ log, before, after }: DifferenceProps) {
  const seqs = [before, after].flatMap(({ responseSeq }) => responseSeq ?? []);
  const bytes = useFrameBytes(log, seqs);
  const changes = useMemo(() => {
    if (bytes !== 'here') return undefined;
    const [was, is] = [before, after].map((read) => responseOf(log, read)?.result?.member('contents')?.value);
    return contentChanges(was, is);
  }, [log, before, after, bytes]);
  if (changes === undefined) return null;
  const different = changes.filter(({ kind }) => kind !== 'same');
  return (
    <section aria-label="Changes since the last read" className="flex min-w-0 flex-col gap-1">
      <p className="text-muted">
        Since <FrameLink seq={before.responseSeq!} label="the read before" />: {different.length === 0 && 'no change'}
        {different.length === 1 && changes.length === 1 && <ChangeText change={different[0]!} />}
        {changes.length > 1 &&
          different.length > 0 &&
          `${different.length} of ${countOf(changes.length, 'item')} changed`}
      </p>
      {different.map((change, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity
        <ItemChange key={at} change={change} named={changes.length > 1} />
      ))}
    </section>
  );
}

/** Characters. A longer text is compared by its lines only. */
const LONGEST = LIMITS.formattedBytes;

function ItemChange({ change, named }: { readonly change: ContentChange; readonly named: boolean }) {
  const [open, setOpen] = useState(true);
  const shown = change.kind === 'text' && Math.max(change.before.length, change.after.length) <= LONGEST;
  return (
    <>
      {named && (
        <p>
          <UntrustedText text={change.uri || 'no uri'} limit={300} className="font-mono text-wire" />{' '}
          <ChangeText change={change} />
        </p>
      )}
      {shown && (
        <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary className="text-muted">Differences</summary>
          {open && (
            <div className="mt-1 flex border border-line" style={{ height: heightOf(change.before, change.after) }}>
              <TextDiff
                label={`Differences of ${visibleText(change.uri.slice(0, 100))}`}
                before={change.before}
                after={change.after}
                language="plaintext"
                className="flex-1"
              />
            </div>
          )}
        </details>
      )}
    </>
  );
}

/** Height of a line of the comparison, and the least and most heights of it, in px. */
const [LINE, LEAST, MOST] = [18, 60, 260];

/** Returns a height with room for the texts one below the other, as a narrow window shows them. */
function heightOf(before: string, after: string): number {
  const lines = Math.max(before.split('\n').length, after.split('\n').length) + 3;
  return Math.min(MOST, Math.max(LEAST, lines * LINE));
}

function ChangeText({ change }: { readonly change: ContentChange }) {
  return <span className={change.kind === 'same' ? 'text-muted' : 'text-warn'}>{changeText(change)}</span>;
}

/** Formats a change in a few words. */
export function changeText(change: ContentChange): string {
  switch (change.kind) {
    case 'same':
      return 'no change';
    case 'text': {
      const { linesAdded, linesRemoved } = change;
      if (linesAdded === 0 && linesRemoved === 0) return 'lines moved';
      const added = linesAdded > 0 ? `+${countOf(linesAdded, 'line')}` : '';
      return [added, linesRemoved > 0 ? `−${countOf(linesRemoved, 'line')}` : ''].filter(Boolean).join(', ');
    }
    case 'binary':
      return `changed, ${sizeText(change.before)} → ${sizeText(change.after)}`;
    case 'other':
      return 'changed';
    default:
      return change.kind;
  }
}

function sizeText(bytes: number | undefined): string {
  return bytes === undefined ? 'not base64' : formatBytes(bytes);
}
