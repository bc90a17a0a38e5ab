import { type ReactNode, useMemo, useRef } from 'react';
import { InsideSlot } from '@/components/exchange/inside/inside-slot';
import { plainSentence } from '@/components/ui/notices';
import { useRowWindow } from '@/components/ui/virtual-rows';
import { visibleText } from '@/components/ui/visible-text';
import { useLogSize } from '@/lib/hooks/log';
import type { InvalidResult } from '@/lib/problems/invalid-result';
import { type ExchangePart, exchangeTimeline, type PartRole } from '@/lib/store/exchanges/exchange-timeline';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/rows/row';
import { rowLabel } from '@/lib/store/rows/row-text';
import { formatDuration } from '@/lib/wire/format';
import { directionLabel, rowStatusLabel, shownRow } from '../labels';

const ROLES: Readonly<Record<PartRole, string>> = {
  request: 'request',
  progress: 'progress',
  asked: 'server asks',
  answered: 'client answers',
  notification: 'notification',
  cancelled: 'cancelled',
  again: 'sent again',
  response: 'response',
  second: 'second response',
  task: 'task',
  told: 'response',
  unmatched: 'unmatched response',
};

/** Parts whose text is shown in the row. */
const WITH_TEXT: ReadonlySet<PartRole> = new Set(['progress', 'notification']);

/** A request and everything that belongs to it, in order, with times and links to the frames. */
export function ExchangeView({
  log,
  request,
  at,
  invalidOf,
  onSelect,
}: {
  readonly log: Log;
  /** seq of the request, in any of its rounds. */
  readonly request: number;
  /** seq of the frame in view. */
  readonly at: number;
  /** Returns how the result in a frame breaks its schema. */
  readonly invalidOf: (seq: number) => InvalidResult | undefined;
  readonly onSelect: (seq: number) => void;
}) {
  const size = useLogSize(log);
  const { task, responseSeq } = log.exchange(request) ?? {};
  const answered = task ? task.endSeq : responseSeq;
  // Only another round can follow the response, or the result of a task. Both come right after.
  const seen = answered === undefined ? size : Math.min(size, answered + 100);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the log is read again when it has grown
  const { parts, tookUs, cut } = useMemo(() => exchangeTimeline(log, request), [log, request, seen]);
  // A second response arrives after the request's duration.
  const whole = Math.max(1, tookUs ?? 0, parts.at(-1)?.afterUs ?? 0);
  const guessed = parts.some(({ sure }) => !sure);
  return (
    <div className="flex min-h-0 flex-1 flex-col p-2">
      <p className="mb-2 shrink-0 text-muted">
        {tookUs === undefined
          ? task
            ? 'The task has not ended'
            : noResponse(log.row(request - 1))
          : `${task ? 'Task ended' : 'Response'} after ${formatDuration(tookUs)}`}
      </p>
      <PartList parts={parts}>
        {(part, place) => (
          <Part
            key={part.row.seq}
            part={part}
            invalid={invalidOf(part.row.seq)}
            place={place}
            standing={part.role === 'answered' && isStandingAnswer(log, part.row.seq)}
            text={WITH_TEXT.has(part.role) ? log.preview(part.row.seq - 1) : undefined}
            whole={whole}
            here={part.row.seq === at}
            onSelect={onSelect}
          />
        )}
      </PartList>
      <div className="mt-2 max-h-3/5 shrink-0 overflow-auto empty:hidden">
        <InsideSlot log={log} request={request} />
      </div>
      {cut && <p className="mt-2 shrink-0 text-muted">Some parts are left out. Filter the log to see them.</p>}
      {guessed && (
        <p className="mt-2 shrink-0 text-muted">
          ? marks messages that may belong to another request in flight at the time.
        </p>
      )}
    </div>
  );
}

/** Returns true if a standing answer of the user was sent in this frame. */
function isStandingAnswer(log: Log, seq: number): boolean {
  return log.state.inbox.closed.some(({ endSeq, standingSeq }) => endSeq === seq && standingSeq !== undefined);
}

function noResponse({ refusedWith }: Row): string {
  return refusedWith === undefined ? 'No response' : `No MCP response: HTTP ${refusedWith}`;
}

function Part({
  part: { role, row, afterUs, tookUs, sure },
  standing,
  place,
  invalid,
  text,
  whole,
  here,
  onSelect,
}: {
  readonly part: ExchangePart;
  /** How its result breaks its schema. */
  readonly invalid: InvalidResult | undefined;
  readonly standing: boolean;
  readonly place: ListPosition;
  /** Shown instead of the row's name. */
  readonly text: string | undefined;
  readonly whole: number;
  readonly here: boolean;
  readonly onSelect: (seq: number) => void;
}) {
  // The label of a second response leaves out its request, which is shown here anyway.
  const { what, about: name } = rowLabel({ ...row, isSecondAnswer: false });
  const about = (invalid && plainSentence(invalid.sentence)) || text || name;
  const direction = directionLabel(row);
  const { status: outcome } = shownRow(row, invalid);
  const status = outcome && role !== 'request' ? rowStatusLabel(outcome) : undefined;
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
        <button type="button" onClick={() => onSelect(row.seq)} className="tabular shrink-0 text-link">
          #{row.seq}
        </button>
        <span className={`shrink-0 ${direction.colour}`} title={direction.words}>
          {direction.glyph}
        </span>
        <span className="shrink-0 text-muted">
          {standing ? 'standing answer' : ROLES[role]}
          {!sure && <span title="May belong to another request in flight at the time"> ?</span>}
        </span>
        <span className="min-w-0 flex-1 truncate">
          {visibleText(what.slice(0, 200))}{' '}
          {about !== undefined && <bdi className="text-muted">{visibleText(about.slice(0, 200))}</bdi>}
          {status && <span className={status.colour}> {status.words}</span>}
        </span>
        <span className="tabular shrink-0 text-muted" title="Since the request was sent">
          +{formatDuration(afterUs)}
        </span>
        <span className="tabular w-16 shrink-0 text-right" title="Since the message it answers">
          {tookUs !== undefined && formatDuration(tookUs)}
        </span>
      </div>
      <div aria-hidden="true" className="mt-0.5 h-[3px]">
        <div
          className={tookUs === undefined ? 'h-full w-[3px] bg-muted' : 'h-full min-w-[3px] bg-muted/60'}
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

interface ListPosition {
  readonly 'aria-posinset': number;
  readonly 'aria-setsize': number;
}

/** The parts of an exchange. There may be tens of thousands, so only those in view are rendered. */
function PartList({
  parts,
  children,
}: {
  readonly parts: readonly ExchangePart[];
  /** Draws a part as a list item of {@link PART_HEIGHT}. */
  readonly children: (part: ExchangePart, place: ListPosition) => ReactNode;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRowWindow(scroller, { count: parts.length, rowHeight: PART_HEIGHT });
  const { first, last, top, height } = rows.window;
  return (
    <div ref={scroller} onScroll={rows.onScroll} className="min-h-0 flex-1 overflow-auto">
      <ol aria-label="Parts of the exchange" style={{ height, paddingTop: top }} className="font-mono text-wire">
        {parts
          .slice(first, last)
          .map((part, index) => children(part, { 'aria-posinset': first + index + 1, 'aria-setsize': parts.length }))}
      </ol>
    </div>
  );
}
