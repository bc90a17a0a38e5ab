import { useEffect, useReducer } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { visibleText } from '@/components/ui/visible-text';
import { useLogState } from '@/lib/hooks/log';
import { useLogClock } from '@/lib/hooks/log-clock';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import { formatDate } from '@/lib/wire/format';
import { cacheHint, formatSpan, relativeTime } from './age';

/** Time between two updates of ages, in ms. */
const TICK_MS = 1000;

/** Renders again every second while the log grows. Ages in an ended log do not change. */
function useTick(log: Log): void {
  const live = useLogState(log, ({ connection: { state } }) => state !== 'closed' && state !== 'failed');
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0);
  useEffect(() => {
    if (!live) return;
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [live]);
}

/** The age of the result in frame `seq`, and how long and for whom the server says that it may be cached. */
export function Freshness({ log, seq, verb }: { readonly log: Log; readonly seq: number; readonly verb: string }) {
  useTick(log);
  const now = useLogClock(log);
  const ageMs = Math.max(0, now() - log.columns.time(seq - 1)) / 1000;
  const hint = cacheHint(messageSource(log, seq, log.row(seq - 1).id)?.member('result')?.value, ageMs);
  return (
    <span className="tabular text-muted">
      {verb} {formatSpan(ageMs)} ago{hint.text !== '' && `, ${hint.text}`}
      {hint.stale && <span className="text-warn"> · cached copy, expired</span>}
    </span>
  );
}

/** A link to the response that lists an entry, and how old and how cacheable that list is. */
export function ListedIn({ log, seq }: { readonly log: Log; readonly seq: number }) {
  return (
    <span>
      <FrameLink seq={seq} label="listed in" /> <Freshness log={log} seq={seq} verb="·" />
    </span>
  );
}

/** A date from a server, relative to the moment that is shown, with the exact one on hover. */
export function RelativeTime({ log, at }: { readonly log: Log; readonly at: string }) {
  useTick(log);
  const startedAt = useLogState(log, ({ connection }) => connection.start?.at);
  const now = useLogClock(log);
  const shown =
    startedAt === undefined ? undefined : relativeTime(Date.parse(at), Date.parse(startedAt) + now() / 1000);
  if (shown === undefined) return <span className="text-warn">! invalid date</span>;
  return (
    <time dateTime={at} title={`${formatDate(at)} · ${visibleText(at.slice(0, 60))}`}>
      {shown}
    </time>
  );
}
