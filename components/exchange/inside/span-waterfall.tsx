import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { classNames } from '@/components/ui/class-names';
import { VirtualRows } from '@/components/ui/virtual-rows';
import { visibleText } from '@/components/ui/visible-text';
import { navigate } from '@/lib/hooks/location';
import type { Log } from '@/lib/store/log';
import type { InsideCall, PlacedSpan } from '@/lib/store/telemetry/inside-call';
import { subjectOf } from '@/lib/store/telemetry/unit-details';
import { formatDuration } from '@/lib/wire/format';

/** Height of a row, and most rows that are shown without scrolling. */
const ROW_PX = 24;
const MOST_ROWS = 16;
/** Indent of a level in px, and the deepest level that is indented. Deeper ones show their number. */
const INDENT_PX = 10;
const MOST_INDENTED = 12;
/** Most characters of a name in a row. */
const NAME_CHARS = 300;
/** Characters of a name that stay, whatever is behind it. */
const SHORT_NAME_CHARS = 12;

/** The time range of the bars, in µs. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** The call and its spans, one below the other, with bars to scale. Arrow keys choose a span and show it. */
export function SpanWaterfall({
  log,
  call,
  title,
  at,
}: {
  readonly log: Log;
  readonly call: InsideCall;
  /** Method and name of the call. */
  readonly title: string;
  /** Frame of the span in view. */
  readonly at: number | undefined;
}) {
  const id = useId();
  const { spans, sentAt, requests } = call;
  const [chosen, setChosen] = useState<number>();
  const position = at === undefined ? chosen : 1 + spans.findIndex(({ span }) => span.seq === at);
  const now = log.columns.time(log.size - 1);
  const end = call.endedAt ?? now;
  const range = spans.reduce<Range>(
    ({ from, to }, { from: start, span }) => ({ from: Math.min(from, start), to: Math.max(to, start + span.us) }),
    { from: sentAt, to: Math.max(end, sentAt + 1) },
  );
  const count = spans.length + 1;
  const choose = (row: number) => {
    setChosen(row);
    navigate({ frame: row === 0 ? requests[0]! : spans[row - 1]!.span.seq });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    choose(Math.max(0, Math.min(count - 1, step(position ?? -1, count - 1))));
  };
  const slowest = call.slowest && 'span' in call.slowest ? call.slowest.span : undefined;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the list
    <div
      onKeyDown={onKeyDown}
      style={{ height: Math.min(count, MOST_ROWS) * ROW_PX + 2 }}
      className="flex min-h-0 min-w-0 flex-col rounded border border-line"
    >
      <VirtualRows
        role="listbox"
        label={`Spans of ${title}`}
        count={count}
        rowHeight={ROW_PX}
        reveal={position}
        activeDescendant={position === undefined ? undefined : `${id}-${position}`}
        className="min-h-0 flex-1"
        render={(row) => {
          const props = { id: `${id}-${row}`, range, chosen: row === position, onChoose: () => choose(row) };
          if (row === 0) return <CallRow {...props} title={title} from={sentAt} to={call.endedAt} end={end} />;
          const placed = spans[row - 1]!;
          const namesService = placed.span.service !== spans[row - 2]?.span.service;
          const facts = { log, placed, sentAt, slowest: placed.span === slowest, namesService };
          return <SpanRow {...props} {...facts} />;
        }}
      />
    </div>
  );
}

const STEPS: Readonly<Record<string, (from: number, last: number) => number>> = {
  ArrowDown: (from) => from + 1,
  ArrowUp: (from) => from - 1,
  Home: () => 0,
  End: (_, last) => last,
};

interface RowProps {
  readonly id: string;
  readonly range: Range;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

function CallRow({
  title,
  from,
  to,
  end,
  ...row
}: RowProps & {
  readonly title: string;
  readonly from: number;
  /** undefined while it is in flight. */
  readonly to: number | undefined;
  readonly end: number;
}) {
  const duration = to === undefined ? 'in flight' : formatDuration(to - from);
  return (
    <Line {...row} label={`${title}, ${duration}`} duration={duration} bar={{ from, to: end }} tone="bg-muted/35">
      <bdi className="truncate">{title}</bdi>
    </Line>
  );
}

function SpanRow({
  log,
  placed: { span, depth, from, by, lacksParent },
  sentAt,
  slowest,
  namesService,
  ...row
}: RowProps & {
  readonly log: Log;
  readonly placed: PlacedSpan;
  readonly sentAt: number;
  readonly slowest: boolean;
  /** The row above is of another service. */
  readonly namesService: boolean;
}) {
  const { seq, name, service, us, failed, failure } = span;
  const subject = useMemo(() => {
    const text = log.hasBytes(seq) ? subjectOf(log.bytes(seq - 1)) : undefined;
    return text === undefined ? undefined : visibleText(text);
  }, [log, seq]);
  const shown = visibleText(name.slice(0, NAME_CHARS));
  const marks = [
    depth === 0 && by === 'time' && 'by time',
    depth === 0 && lacksParent && by === 'trace' && 'no parent',
    slowest && 'slowest',
  ].filter((mark) => mark !== false);
  const label = [
    shown || 'without a name',
    subject,
    service && visibleText(service.slice(0, 100)),
    `${formatDuration(us)} from ${formatDuration(from - sentAt)} after the request`,
    failed && `failed${failure ? `: ${visibleText(failure.slice(0, NAME_CHARS))}` : ''}`,
    ...marks,
    `level ${depth + 1}`,
  ];
  return (
    <Line
      {...row}
      label={label.filter(Boolean).join(', ')}
      duration={formatDuration(us)}
      bar={{ from, to: from + us }}
      tone={failed ? 'bg-error' : by === 'time' ? 'border border-dashed border-accent bg-accent/20' : 'bg-accent/70'}
    >
      <span className="shrink-0" style={{ width: (1 + Math.min(depth, MOST_INDENTED)) * INDENT_PX }} />
      {depth > MOST_INDENTED && <span className="tabular shrink-0 pr-1 text-small text-muted">{depth + 1}</span>}
      {failed && <span className="shrink-0 pr-1 text-error">×</span>}
      <bdi
        style={{ minWidth: `${Math.min(shown.length, SHORT_NAME_CHARS)}ch` }}
        className={classNames('truncate', failed && 'text-error')}
      >
        {shown || '(no name)'}
      </bdi>
      {subject !== undefined && <bdi className="ml-2 shrink-[2] truncate text-muted">{subject}</bdi>}
      {namesService && (
        <bdi className="ml-2 shrink-[3] truncate text-muted @max-[420px]:hidden">
          {visibleText(service.slice(0, 100))}
        </bdi>
      )}
      {marks.length > 0 && (
        <span className="ml-2 flex shrink-0 gap-1 font-sans">
          {marks.map((mark) => (
            <Badge key={mark} tone={mark === 'slowest' ? 'accent' : 'muted'}>
              {mark}
            </Badge>
          ))}
        </span>
      )}
    </Line>
  );
}

/** A row: what it is, its bar, and its duration. */
function Line({
  id,
  label,
  range,
  chosen,
  onChoose,
  duration,
  bar,
  tone,
  children,
}: RowProps & {
  readonly label: string;
  readonly duration: string;
  readonly bar: Range;
  /** Classes of the bar. */
  readonly tone: string;
  readonly children: React.ReactNode;
}) {
  const place = (time: number) => ((time - range.from) / (range.to - range.from)) * 100;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
    <div
      id={id}
      role="option"
      aria-selected={chosen}
      aria-label={label}
      title={label}
      onClick={onChoose}
      style={{ height: ROW_PX }}
      className={classNames(
        'grid cursor-default grid-cols-[minmax(0,1fr)_38%_5.5em] items-center gap-x-2 px-2 font-mono text-wire whitespace-nowrap @min-[900px]:grid-cols-[minmax(0,1fr)_55%_5.5em] @max-[420px]:grid-cols-[minmax(0,1fr)_28%_5.5em]',
        chosen ? 'bg-accent/16' : 'hover:bg-text/4',
      )}
    >
      <span aria-hidden="true" className="flex min-w-0 items-center">
        {children}
      </span>
      <span
        aria-hidden="true"
        className="relative h-full bg-[linear-gradient(to_right,var(--color-line)_1px,transparent_1px)] bg-[length:25%_100%]"
      >
        <span
          className={classNames('absolute top-[7px] h-[10px] min-w-[2px] rounded-[2px]', tone)}
          style={{ left: `${Math.min(99.5, place(bar.from))}%`, width: `${place(bar.to) - place(bar.from)}%` }}
        />
      </span>
      <span aria-hidden="true" className="tabular text-right">
        {duration}
      </span>
    </div>
  );
}
