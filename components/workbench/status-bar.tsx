import { Suspense, useState } from 'react';
import { formatCount, formatDuration } from '@/components/ui/format';
import { later } from '@/components/ui/later';
import { type ClientStatus, useClient } from '@/lib/hooks/use-client';
import { useLogBehind, useLogState } from '@/lib/hooks/use-log';
import { useShownLog } from '@/lib/hooks/use-moment';
import type { ConnectionSummary } from '@/lib/wire/command';
import { formatBytes } from '@/lib/wire/format-bytes';
import { behindWords } from './behind-words';
import { RecordedMark } from './recorded-mark';
import { useGrace } from './use-grace';
import { WaitingNote } from './waiting-note';

const LatencyDialog = later(() => import('@/components/log/latency/latency-dialog').then((file) => file.LatencyDialog));

const LINK_WORDS: Readonly<Record<ClientStatus, { readonly words: string; readonly colour: string }>> = {
  none: { words: 'no proxy: direct only', colour: 'text-muted' },
  file: { words: 'no connection', colour: 'text-muted' },
  connecting: { words: 'proxy connecting…', colour: 'text-warn' },
  open: { words: 'proxy ok', colour: 'text-ok' },
  lost: { words: 'proxy lost, reconnecting…', colour: 'text-error' },
  refused: { words: 'link expired', colour: 'text-error' },
};

/** Few enough to be caught up within a frame or two: not worth a word. */
const BEHIND_SHOWN = 2000;

/** The bottom line: how much there is, and whether the page has all of it. */
export function StatusBar({
  connections,
  selected,
  onRecordings,
  onHelp,
}: {
  readonly connections: readonly ConnectionSummary[];
  readonly selected: ConnectionSummary | undefined;
  /** Absent where none are kept. */
  readonly onRecordings: (() => void) | undefined;
  readonly onHelp: () => void;
}) {
  const { status } = useClient();
  const graceMs = useGrace();
  const link = LINK_WORDS[status];
  return (
    <footer className="tabular flex h-6 shrink-0 items-center gap-3 border-t border-line bg-surface px-3 text-small text-muted">
      {selected && <LogFacts connection={selected} />}
      {selected && !selected.recording && onRecordings && (
        <RecordedMark connection={selected} onRecordings={onRecordings} />
      )}
      <WaitingNote connections={connections} selected={selected} />
      <span className="ml-auto truncate max-[900px]:hidden">
        {graceMs !== undefined && `Servers end ${graceWords(graceMs)} the last tab is closed`}
      </span>
      <button type="button" onClick={onHelp} className="hover:text-text">
        ? keys
      </button>
      <span role="status" className={`shrink-0 ${link.colour}`}>
        {link.words}
      </span>
    </footer>
  );
}

function graceWords(graceMs: number): string {
  if (graceMs === 0) return 'as soon as';
  return graceMs < 60_000 ? `${graceMs / 1000} s after` : `${Math.round(graceMs / 60_000)} min after`;
}

function LogFacts({ connection }: { readonly connection: ConnectionSummary }) {
  const log = useShownLog(connection.id);
  const frames = useLogState(log, () => log.frames);
  const behind = useLogBehind(log);
  const stderrBytes = useLogState(log, (state) => state.stderr.bytes);
  const [latency, setLatency] = useState(false);
  const half = log.latencies.quantile(0.5);
  const most = log.latencies.quantile(0.95);
  return (
    <>
      <span>{frames === 1 ? '1 frame' : `${formatCount(frames)} frames`}</span>
      <span>{formatBytes(log.totalBytes)}</span>
      {half !== undefined && most !== undefined && (
        <button
          type="button"
          title="Half of the answered requests took no longer than p50, 95 % no longer than p95; by method"
          aria-haspopup="dialog"
          onClick={() => setLatency(true)}
          className="hover:text-text"
        >
          p50 {formatDuration(half)} p95 {formatDuration(most)}
        </button>
      )}
      <Suspense>{latency && <LatencyDialog log={log} onClose={() => setLatency(false)} />}</Suspense>
      {stderrBytes > 0 && <span>{formatBytes(stderrBytes)} on stderr</span>}
      {behind > BEHIND_SHOWN && (
        <span className={connection.recording ? '' : 'text-warn'}>
          {behindWords(behind, log.size + behind, connection.recording !== undefined)}
        </span>
      )}
    </>
  );
}
