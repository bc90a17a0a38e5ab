import { type ReactNode, useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Sentence } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { navigate } from '@/lib/hooks/location';
import type { CallComparison } from '@/lib/replay/compare/call-diff';
import { breakingReason, type CatalogueChange } from '@/lib/replay/compare/catalogue-diff';
import { callName } from '@/lib/replay/compare/comparison';
import type { Log } from '@/lib/store/log';
import { formatCount } from '@/lib/wire/format';
import { AnswersDialog } from './answers-dialog';
import { DifferenceList } from './difference-list';

/** One side of a comparison. */
export interface ComparedSide {
  readonly id: string;
  readonly label: 'before' | 'after';
  /** The name that a person gave it, server name, state and start time. */
  readonly title: string;
  readonly log: Log;
}

export type ComparedSides = readonly [before: ComparedSide, after: ComparedSide];

/** A link to a frame of one side. It keeps the comparison open. */
function SideFrame({
  side,
  other,
  seq,
}: {
  readonly side: ComparedSide;
  readonly other: ComparedSide;
  readonly seq: number;
}) {
  return (
    <button
      type="button"
      className="tabular text-link"
      title={`Show in ${side.title}`}
      aria-label={`Frame #${seq} ${side.label}, in ${side.title}`}
      onClick={() => navigate({ connection: side.id, compare: other.id, item: undefined, frame: seq })}
    >
      #{seq}
    </button>
  );
}

/** Links to the frames of both sides, if they have one: #4 → #7. */
function BothFrames({
  sides: [before, after],
  seqs: [beforeSeq, afterSeq],
}: {
  readonly sides: readonly [before: ComparedSide, after: ComparedSide];
  readonly seqs: readonly [number | undefined, number | undefined];
}) {
  return (
    <span className="inline-flex shrink-0 gap-1 text-small">
      {beforeSeq !== undefined && <SideFrame side={before} other={after} seq={beforeSeq} />}
      {beforeSeq !== undefined && afterSeq !== undefined && <span aria-hidden="true">→</span>}
      {afterSeq !== undefined && <SideFrame side={after} other={before} seq={afterSeq} />}
    </span>
  );
}

const TONES = { added: 'ok', removed: 'warn', changed: 'muted' } as const;

/** The changes to what a server offers, grouped by tool, prompt, resource and so on. */
export function CatalogueChanges({
  changes,
  sides,
}: {
  readonly changes: readonly CatalogueChange[];
  readonly sides: ComparedSides;
}) {
  return (
    <ShowMore items={bySubject(changes)}>
      {(group) => <Subject key={`${group[0]!.about} ${group[0]!.name}`} group={group} sides={sides} />}
    </ShowMore>
  );
}

function Subject({ group, sides }: { readonly group: readonly CatalogueChange[]; readonly sides: ComparedSides }) {
  const { about, name, beforeSeq, afterSeq } = group[0]!;
  const title = (
    <span className="flex min-w-0 shrink-0 items-baseline gap-x-2">
      <span className="text-muted">{about}</span>
      <span className="min-w-0 font-medium">
        <UntrustedText text={name} limit={200} />
      </span>
      <BothFrames sides={sides} seqs={[beforeSeq, afterSeq]} />
    </span>
  );
  const one = group.length === 1;
  return (
    <li className={`border-b border-line px-3 py-1 ${one ? 'flex flex-wrap items-baseline gap-x-3' : ''}`}>
      {title}
      {one ? (
        <Change change={group[0]!} />
      ) : (
        <ShowMore items={group}>
          {(change, at) => (
            <li key={at} className="py-0.5">
              <Change change={change} />
            </li>
          )}
        </ShowMore>
      )}
    </li>
  );
}

function Change({ change: { breaking, change, sentence } }: { readonly change: CatalogueChange }) {
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <Badge tone={breaking ? 'error' : TONES[change]}>{breaking ? 'breaking' : change}</Badge>
      <span className="min-w-0 break-words">
        <Sentence text={sentence} draw={(text) => <UntrustedText text={text} limit={500} />} />
        {breaking && <span className="text-muted"> {breakingReason(breaking)}</span>}
      </span>
    </span>
  );
}

/** Groups adjacent changes to the same thing. */
function bySubject(changes: readonly CatalogueChange[]): readonly (readonly CatalogueChange[])[] {
  const groups: CatalogueChange[][] = [];
  for (const change of changes) {
    const last = groups.at(-1)?.[0];
    if (last?.about === change.about && last.name === change.name) groups.at(-1)!.push(change);
    else groups.push([change]);
  }
  return groups;
}

/** A call with the differences between its two responses. */
export function CallItem({
  call,
  sides,
  onShow,
}: {
  readonly call: CallComparison;
  readonly sides: ComparedSides;
  /** Shows both responses side by side. */
  readonly onShow: () => void;
}) {
  const { before, after, verdict, ends, differences } = call;
  const name = callName((before ?? after)!);
  return (
    <li className="border-b border-line px-3 py-1.5">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="min-w-0 font-medium">
          <UntrustedText text={name} limit={200} />
        </span>
        <BothFrames sides={sides} seqs={[before?.seq, after?.seq]} />
        {verdict === 'only-before' && <Badge tone="warn">only before</Badge>}
        {verdict === 'only-after' && <Badge tone="warn">only after</Badge>}
        {verdict === 'different' && before?.answer && after?.answer && (
          <Button
            size="small"
            variant="ghost"
            onClick={onShow}
            aria-label={`Compare responses to ${visibleText(name)}`}
          >
            Compare responses
          </Button>
        )}
      </p>
      <DifferenceList ends={ends} differences={differences} />
    </li>
  );
}

/** The two responses to a call, side by side. */
export function ResponsesDialog({
  call: { before, after },
  sides: [was, is],
  onClose,
}: {
  readonly call: CallComparison;
  readonly sides: ComparedSides;
  readonly onClose: () => void;
}) {
  return (
    <AnswersDialog
      title={`Responses to ${visibleText(callName((before ?? after)!).slice(0, 100))}`}
      before={{ title: `Before: ${was.title} #${before?.answer?.seq}`, text: before?.answer?.text ?? '' }}
      after={{ title: `After: ${is.title} #${after?.answer?.seq}`, text: after?.answer?.text ?? '' }}
      onClose={onClose}
    />
  );
}

/** Items shown at first, and added by each click. Thousands at once would block the page. */
const SHOWN = 100;

/** The first items of a list, and a button for more. */
export function ShowMore<T>({
  items,
  children,
}: {
  readonly items: readonly T[];
  readonly children: (item: T, at: number) => ReactNode;
}) {
  const [limit, setLimit] = useState(SHOWN);
  const left = items.length - limit;
  return (
    <>
      <ul>{items.slice(0, limit).map(children)}</ul>
      {left > 0 && (
        <button type="button" onClick={() => setLimit(limit + SHOWN)} className="px-3 text-link">
          Show {formatCount(Math.min(left, SHOWN))} more
        </button>
      )}
    </>
  );
}
