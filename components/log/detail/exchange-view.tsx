import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { visibleText } from '@/components/ui/visible-text';
import { useLogSize } from '@/lib/hooks/log';
import {
  type ExchangePart,
  exchangeTimeline,
  formatPartNotification,
  type PartRole,
} from '@/lib/store/exchanges/exchange-timeline';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/rows/row';
import { rowLabel } from '@/lib/store/rows/row-text';
import { formatBytes, formatDuration } from '@/lib/wire/format';
import { directionLabel, rowStatusLabel } from '../labels';

const ROLES: Readonly<Record<PartRole, string>> = {
  request: 'request',
  progress: 'progress',
  asked: 'asks back',
  answered: 'is told',
  notification: 'notification',
  cancelled: 'cancelled',
  again: 'again',
  response: 'response',
  second: 'second answer',
  unmatched: 'unmatched answer',
};

const SAYING: ReadonlySet<PartRole> = new Set(['progress', 'notification']);

/** Bytes of a notification that is read for what it says: some dozens are drawn at a time. */
const MOST_READ = 16 * 1024;

/** A request and all that belongs to it, in order, with the time of each part; every part leads to its frame. */
export function ExchangeView({
  log,
  request,
  at,
  onSelect,
}: {
  readonly log: Log;
  /** seq of the request, of any round. */
  readonly request: number;
  /** seq of the frame in view. */
  readonly at: number;
  readonly onSelect: (seq: number) => void;
}) {
  const size = useLogSize(log);
  const answered = log.exchange(request)?.responseSeq;
  // Behind the answer only another round can follow, and that comes at once.
  const seen = answered === undefined ? size : Math.min(size, answered + 100);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the log is read anew when there is more of it
  const { parts, tookUs, cut } = useMemo(() => exchangeTimeline(log, request), [log, request, seen]);
  // A second answer comes later than what the request took.
  const whole = Math.max(1, tookUs ?? 0, parts.at(-1)?.afterUs ?? 0);
  const [said] = useState(() => new Map<number, string | undefined>());
  const guessed = parts.some(({ sure }) => !sure);
  return (
    <div className="flex min-h-0 flex-1 flex-col p-2">
      <p className="mb-2 shrink-0 text-muted">
        {tookUs === undefined ? 'Not answered.' : `Answered after ${formatDuration(tookUs)}.`}
      </p>
      <PartList parts={parts}>
        {(part, place) => (
          <Part
            key={part.row.seq}
            part={part}
            place={place}
            words={SAYING.has(part.role) ? wordsOf(log, part.row, said) : undefined}
            whole={whole}
            here={part.row.seq === at}
            onSelect={onSelect}
          />
        )}
      </PartList>
      {cut && (
        <p className="mt-2 shrink-0 text-muted">There was more in between than is shown here: filter the log for it.</p>
      )}
      {guessed && (
        <p className="mt-2 shrink-0 text-muted">
          ? came meanwhile: other requests were under way as well, and nothing in it says which it belongs to.
        </p>
      )}
    </div>
  );
}

/** What a notification says, read once; of a large one how large it is. */
function wordsOf(log: Log, row: Row, said: Map<number, string | undefined>): string | undefined {
  if (row.bytes > MOST_READ) return formatBytes(row.bytes);
  if (!said.has(row.seq) && log.hasBytes(row.seq)) said.set(row.seq, formatPartNotification(log, row.seq));
  return said.get(row.seq);
}

function Part({
  part: { role, row, afterUs, tookUs, sure },
  place,
  words,
  whole,
  here,
  onSelect,
}: {
  readonly part: ExchangePart;
  /** Where it is in the list. */
  readonly place: { readonly 'aria-posinset': number; readonly 'aria-setsize': number };
  /** What it says. */
  readonly words: string | undefined;
  readonly whole: number;
  readonly here: boolean;
  readonly onSelect: (seq: number) => void;
}) {
  // What a second answer answers is all around it.
  const { what, about: inRow } = rowLabel({ ...row, isSecondAnswer: false });
  const about = words ?? inRow;
  const direction = directionLabel(row);
  const status = row.status && role !== 'request' ? rowStatusLabel(row.status) : undefined;
  const from = ((afterUs - (tookUs ?? 0)) / whole) * 100;
  const nested = role !== 'request' && role !== 'response' && role !== 'again';
  return (
    <li
      {...place}
      aria-current={here || undefined}
      style={{ height: PART_HEIGHT }}
      className={`border-b border-line py-1 ${here ? 'bg-accent/12' : ''} ${nested ? 'pl-4' : ''}`}
    >
      <div className="flex items-baseline gap-2">
        <button type="button" onClick={() => onSelect(row.seq)} className="tabular shrink-0 text-accent underline">
          #{row.seq}
        </button>
        <span className={`shrink-0 ${direction.colour}`} title={direction.words}>
          {direction.glyph}
        </span>
        <span className="shrink-0 text-muted">
          {ROLES[role]}
          {!sure && <span title="Other requests were under way as well"> ?</span>}
        </span>
        <span className="min-w-0 flex-1 truncate">
          {visibleText(what.slice(0, 200))}{' '}
          {about !== undefined && <bdi className="text-muted">{visibleText(about.slice(0, 200))}</bdi>}
          {status && <span className={status.colour}> {status.words}</span>}
        </span>
        <span className="tabular shrink-0 text-muted" title="Since the request was sent">
          +{formatDuration(afterUs)}
        </span>
        <span className="tabular w-16 shrink-0 text-right" title="From what it answers to itself">
          {tookUs !== undefined && formatDuration(tookUs)}
        </span>
      </div>
      <div aria-hidden="true" className="mt-0.5 h-[3px]">
        <div
          className={tookUs === undefined ? 'h-full w-[3px] bg-notify' : 'h-full min-w-[3px] bg-to-client/60'}
          style={{
            marginLeft: `${Math.max(0, Math.min(99, from))}%`,
            ...(tookUs !== undefined && { width: `${Math.min(100, (tookUs / whole) * 100)}%` }),
          }}
        />
      </div>
    </li>
  );
}

/** Height of a part, in px. */
const PART_HEIGHT = 34;
/** Parts drawn beyond each edge. */
const OVERSCAN = 8;

/** The parts of an exchange, of which there may be tens of thousands: only those in sight are drawn. */
function PartList({
  parts,
  children,
}: {
  readonly parts: readonly ExchangePart[];
  /** Draws one as a list item, {@link PART_HEIGHT} high. */
  readonly children: (part: ExchangePart, place: { 'aria-posinset': number; 'aria-setsize': number }) => ReactNode;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const [{ top, height }, setBox] = useState({ top: 0, height: 0 });
  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () => setBox({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  const first = Math.max(0, Math.floor(top / PART_HEIGHT) - OVERSCAN);
  const shown = parts.slice(first, Math.ceil((top + height) / PART_HEIGHT) + OVERSCAN);
  return (
    <div
      ref={scroller}
      onScroll={({ currentTarget: { scrollTop } }) => setBox((before) => ({ ...before, top: scrollTop }))}
      className="min-h-0 flex-1 overflow-auto"
    >
      <ol
        aria-label="Parts of the exchange"
        style={{ height: parts.length * PART_HEIGHT, paddingTop: first * PART_HEIGHT }}
        className="font-mono text-wire"
      >
        {shown.map((part, index) =>
          children(part, { 'aria-posinset': first + index + 1, 'aria-setsize': parts.length }),
        )}
      </ol>
    </div>
  );
}
