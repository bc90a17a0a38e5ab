import { useMemo } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { moveFocus } from '@/components/ui/page-focus';
import { visibleText } from '@/components/ui/visible-text';
import { useLogSize } from '@/lib/hooks/log';
import { useSpanIndex } from '@/lib/hooks/telemetry';
import { type SpanName, type SpanNameChange, spanNameChanges, spanNames } from '@/lib/store/telemetry/span-names';
import { formatCount, formatDuration } from '@/lib/wire/format';
import type { ComparedSides } from './differences';

/** Names that are shown. */
const SHOWN = 100;
const NAME_CHARS = 300;
/** Smallest change of a median that is called one: times vary from run to run. */
const NOTABLE_SHARE = 0.25;
const NOTABLE_US = 1000;

const SECTION_ID = 'span-changes';

/** Compares the spans of both sides by name. */
function useSpanChanges([before, after]: ComparedSides): readonly SpanNameChange[] {
  const [was, is] = [useSpanIndex(before.log), useSpanIndex(after.log)];
  const sizes = useLogSize(before.log) + useLogSize(after.log);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the indexes are read again when a log has grown
  return useMemo(() => spanNameChanges(was ? spanNames(was) : [], is ? spanNames(is) : []), [was, is, sizes]);
}

/** Says how many spans differ, with a button that shows them. Draws nothing if none does. */
export function SpanNote({ sides }: { readonly sides: ComparedSides }) {
  const text = spanNoteText(useSpanChanges(sides));
  if (text === undefined) return null;
  return (
    <p className="text-warn">
      {text}{' '}
      <Button
        size="small"
        variant="ghost"
        onClick={() => {
          const section = document.getElementById(SECTION_ID);
          section?.scrollIntoView({ block: 'start' });
          moveFocus(section, { preventScroll: true });
        }}
      >
        Show spans
      </Button>
    </p>
  );
}

/** Counts the names of spans by how they differ: `Inside the server: 2 slower, 1 only after`. */
export function spanNoteText(changes: readonly SpanNameChange[]): string | undefined {
  const counts = new Map<string, number>();
  for (const change of changes) {
    const { is } = verdictOf(change);
    const word = WORDS[is];
    if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  if (counts.size === 0) return undefined;
  const parts = Object.values(WORDS).flatMap((word) => {
    const count = counts.get(word);
    return count === undefined ? [] : `${formatCount(count)} ${word}`;
  });
  return `Inside the server, by span: ${parts.join(', ')}.`;
}

const WORDS: { readonly [Is in Verdict['is']]?: string } & Readonly<Record<string, string>> = {
  failing: 'failing',
  slower: 'slower',
  faster: 'faster',
  new: 'only after',
  gone: 'only before',
};

/** The spans of both sides by name, with their number and median duration. Draws nothing without telemetry. */
export default function SpanChanges({ sides }: { readonly sides: ComparedSides }) {
  const changes = useSpanChanges(sides).slice(0, SHOWN);
  if (changes.length === 0) return null;
  return (
    <section id={SECTION_ID} tabIndex={-1} aria-label="Inside the server" className="@container outline-none">
      <h3 className="border-b border-line bg-surface px-3 py-1 text-small text-muted">Inside the server, by span</h3>
      <table className="w-full table-fixed text-left">
        <thead className="text-small text-muted">
          <tr className="border-b border-line">
            <th scope="col" className="px-3 font-normal">
              Span
            </th>
            <th scope="col" className="w-[16%] px-2 font-normal @max-[640px]:hidden">
              Service
            </th>
            <th scope="col" className="w-28 px-2 text-right font-normal @max-[480px]:hidden">
              Count
            </th>
            <th scope="col" className="w-44 px-2 text-right font-normal @max-[480px]:w-36">
              Median
            </th>
            <th scope="col" className="w-32 px-3 font-normal">
              Change
            </th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <ChangeRow key={`${change.service} ${change.name}`} change={change} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ChangeRow({ change }: { readonly change: SpanNameChange }) {
  const { name, service, before, after } = change;
  const verdict = verdictOf(change);
  const shown = visibleText(name.slice(0, NAME_CHARS)) || '(no name)';
  return (
    <tr className="h-6 border-b border-line">
      <td className="truncate px-3 font-mono text-wire" title={shown}>
        <bdi>{shown}</bdi>
      </td>
      <td className="truncate px-2 text-muted @max-[640px]:hidden">
        <bdi>{visibleText(service.slice(0, NAME_CHARS))}</bdi>
      </td>
      <td className="tabular px-2 text-right @max-[480px]:hidden">
        {arrow(before, after, ({ count }) => formatCount(count))}
      </td>
      <td className="tabular px-2 text-right">{arrow(before, after, ({ medianUs }) => formatDuration(medianUs))}</td>
      <td className={classNames('truncate px-3', TONES[verdict.is])}>{verdict.words}</td>
    </tr>
  );
}

/** Writes both sides, or one if they are the same: `3 ms → 12 ms`. */
function arrow(before: SpanName | undefined, after: SpanName | undefined, text: (side: SpanName) => string): string {
  const [was, is] = [before ? text(before) : '–', after ? text(after) : '–'];
  return was === is ? was : `${was} → ${is}`;
}

const TONES = {
  slower: 'text-error',
  faster: 'text-ok',
  failing: 'text-error',
  new: 'text-warn',
  gone: 'text-warn',
  same: 'text-muted',
};

interface Verdict {
  readonly is: keyof typeof TONES;
  readonly words: string;
}

/** Says how the spans of a name differ. */
export function verdictOf({ before, after }: SpanNameChange): Verdict {
  if (!before) return { is: 'new', words: 'only after' };
  if (!after) return { is: 'gone', words: 'only before' };
  if (after.failed > 0 && before.failed === 0) return { is: 'failing', words: `${formatCount(after.failed)} failed` };
  const by = after.medianUs - before.medianUs;
  const isNotable = Math.abs(by) >= NOTABLE_US && Math.abs(by) >= NOTABLE_SHARE * before.medianUs;
  if (!isNotable) return { is: 'same', words: 'about the same' };
  const factor = Math.max(before.medianUs, after.medianUs) / Math.max(1, Math.min(before.medianUs, after.medianUs));
  const is = by > 0 ? 'slower' : 'faster';
  return { is, words: `${factor >= 10 ? Math.round(factor) : factor.toFixed(1)}× ${is}` };
}
