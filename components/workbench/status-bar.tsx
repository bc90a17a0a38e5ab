import { useEffect, useState, useSyncExternalStore } from 'react';
import { openQuestion } from '@/components/answers/open-question';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { plainSentence } from '@/components/ui/notices';
import { usePaletteCommands } from '@/components/ui/shortcuts';
import { visibleText } from '@/components/ui/visible-text';
import { type ClientStatus, useClient } from '@/lib/hooks/client';
import { useLog, useLogBehind, useLogState } from '@/lib/hooks/log';
import { useShownLog } from '@/lib/hooks/moment';
import type { ConnectionSummary } from '@/lib/wire/command';
import { countOf, formatCount } from '@/lib/wire/format';
import { durationsText, FEWEST_FOR_QUANTILES } from '@/lib/wire/spread';
import { isLive } from './connection-state';
import { LaterParts } from './part-boundary';

/** Times that the response times leave out. */
const LEFT_OUT = 'Without the handshake and lists, and without the time that people took.';

const ServerFacts = lazyWhenIdle(() => import('./server-facts').then((file) => file.ServerSummary));
const LatencyDialog = lazyWhenIdle(() => import('@/components/log/latency-dialog').then((file) => file.LatencyDialog));

interface LinkLabel {
  readonly words: string;
  readonly colour: string;
  /** The tooltip. */
  readonly about: string;
}

const PROXY =
  'The proxy is the mcp-inspect process on your machine. It starts servers, talks to them, and records them for this page.';

const LINK_WORDS: Readonly<Record<ClientStatus, LinkLabel>> = {
  none: {
    words: 'no proxy, direct connections only',
    colour: 'text-muted',
    about: 'A static host serves this page, so the page itself talks to servers.',
  },
  file: { words: 'no connection', colour: 'text-muted', about: 'This page is a file. It sends nothing.' },
  connecting: { words: 'proxy connecting…', colour: 'text-warn', about: PROXY },
  open: { words: 'proxy ok', colour: 'text-muted', about: PROXY },
  lost: { words: 'proxy lost, reconnecting…', colour: 'text-error', about: PROXY },
  refused: { words: 'link expired', colour: 'text-error', about: PROXY },
};

/** Smallest lag to show, in frames. A smaller one lasts only a moment. */
const BEHIND_SHOWN = 2000;

/** The bottom line: how the server is, response times, recording, waiting questions, and the link to the proxy. */
export function StatusBar({
  connections,
  selected,
  hasRecordings,
}: {
  readonly connections: readonly ConnectionSummary[];
  readonly selected: ConnectionSummary | undefined;
  readonly hasRecordings: boolean;
}) {
  const { status } = useClient();
  const graceMs = useGracePeriod();
  const link = LINK_WORDS[status];
  return (
    <footer className="tabular flex h-[25px] shrink-0 items-center gap-3 overflow-hidden border-t border-line bg-surface px-3 text-small whitespace-nowrap text-muted">
      <LaterParts name="A note" about={selected?.id}>
        {selected && <ServerFacts connection={selected.id} />}
      </LaterParts>
      {selected && <LogFacts connection={selected} />}
      {selected && !selected.recording && hasRecordings && <RecordingStatus connection={selected} />}
      <WaitingQuestions connections={connections} selected={selected} />
      <span className="ml-auto truncate medium:hidden narrow:hidden">
        {graceMs !== undefined && `Servers stop ${graceText(graceMs)} the last tab closes`}
      </span>
      <span
        role="status"
        title={link.about}
        className={`shrink-0 medium:ml-auto narrow:ml-auto ${link.colour} ${status === 'open' && selected ? 'narrow:hidden' : ''}`}
      >
        {link.words}
      </span>
    </footer>
  );
}

function graceText(graceMs: number): string {
  if (graceMs === 0) return 'as soon as';
  return graceMs < 60_000 ? `${graceMs / 1000} s after` : `${Math.round(graceMs / 60_000)} min after`;
}

function LogFacts({ connection }: { readonly connection: ConnectionSummary }) {
  const log = useShownLog(connection.id);
  const behind = useLogBehind(log);
  const [latency, setLatency] = useState(false);
  const { calls, hasAny } = log.latencies;
  usePaletteCommands(() => (hasAny ? [{ title: 'Latency by method', run: () => setLatency(true) }] : []));
  const times = durationsText({ singles: calls.singles, p50: calls.quantile(0.5), p95: calls.quantile(0.95) });
  return (
    <>
      {times !== '' && (
        <button
          type="button"
          title={`Response times of calls of tools, resources and prompts: median (p50) and 95th percentile (p95), or each of fewer than ${FEWEST_FOR_QUANTILES}. ${LEFT_OUT} Click for details`}
          aria-haspopup="dialog"
          onClick={() => setLatency(true)}
          className="h-6 hover:text-text medium:hidden narrow:hidden"
        >
          calls {times}
        </button>
      )}
      <LaterParts name="The dialog" about={String(latency)}>
        {latency && <LatencyDialog log={log} onClose={() => setLatency(false)} />}
      </LaterParts>
      {behind > BEHIND_SHOWN && (
        <span className={connection.recording ? '' : 'text-warn'}>
          {behindLabel(behind, log.size + behind, connection.recording !== undefined)}
        </span>
      )}
    </>
  );
}

/** Returns how long servers keep running after the last tab closes, in ms, from the proxy's welcome event. */
function useGracePeriod(): number | undefined {
  const client = useClient();
  const [graceMs, setGraceMs] = useState<number>();
  useEffect(
    () =>
      client.onEvent((event) => {
        if (event.type === 'welcome') setGraceMs(event.graceMs);
      }),
    [client],
  );
  return graceMs;
}

/** Returns the lag in words. `behind` of `last` frames are missing; a recording shows its progress instead. */
export function behindLabel(behind: number, last: number, recorded: boolean): string {
  if (!recorded) return `${formatCount(behind)} frames behind`;
  return `Reading: ${Math.floor(((last - behind) / last) * 100)} %`;
}

/** Says whether a connection is recorded. The rail has the recordings. */
function RecordingStatus({
  connection: { id, via, state, recordedIn, unwritten },
}: {
  readonly connection: ConnectionSummary;
}) {
  const client = useClient();
  const isByPage = useSyncExternalStore(
    client.subscribe,
    () => client.isRecorded(id),
    () => false,
  );
  const failure = useLogState(useLog(id), (all) => all.connection.recordingFailed);
  // The proxy records. Without its responses, it is unknown whether recording continues.
  if (client.status === 'lost' || client.status === 'refused') return null;
  const isRecorded = via === 'direct' ? isByPage : recordedIn !== undefined;
  const { tone, isWritten, words, why } = recordingStatus({
    isRecorded,
    isLive: isLive(state),
    file: recordedIn,
    unwritten,
    failure,
  });
  return (
    <span
      title={visibleText(plainSentence(why))}
      className={`flex shrink-0 items-center gap-1 ${tone === 'warn' ? 'text-warn' : ''}`}
    >
      {isWritten && <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />}
      {tone === 'warn' && <span aria-hidden="true">!</span>}
      {words}
    </span>
  );
}

/** Facts about the recording of a connection. */
export interface RecordingStatusFacts {
  readonly isRecorded: boolean;
  /** The connection has not ended. */
  readonly isLive: boolean;
  /** Path of the recording; undefined if unknown, as in a browser. */
  readonly file: string | undefined;
  /** About how many frames it does not have yet. */
  readonly unwritten: number | undefined;
  /** A sentence: why recording failed. */
  readonly failure: string | undefined;
}

/** The label of a recording's state, with a sentence as tooltip. */
export interface RecordingStatusLabel {
  readonly tone: 'calm' | 'warn';
  readonly isWritten: boolean;
  readonly words: string;
  readonly why: string;
}

/** Returns whether a connection is recorded, and where. */
export function recordingStatus(facts: RecordingStatusFacts): RecordingStatusLabel {
  const { isRecorded, isLive, file, unwritten, failure } = facts;
  if (failure !== undefined) {
    const words = isRecorded ? 'recording failed' : 'not recorded';
    return { tone: 'warn', isWritten: false, words, why: failure };
  }
  if (!isRecorded)
    return { tone: 'calm', isWritten: false, words: 'not recorded', why: 'This connection is not recorded.' };
  const where = file === undefined ? '' : ` in ${file}`;
  if (unwritten !== undefined) {
    const behind = countOf(unwritten, 'frame');
    const why = `Recording${where}. About ${behind} are not on disk yet, because messages come faster than they are written.`;
    return { tone: 'calm', isWritten: true, words: `recording, ${behind} to write`, why };
  }
  if (!isLive) return { tone: 'calm', isWritten: false, words: 'recorded', why: `Recorded${where}.` };
  return { tone: 'calm', isWritten: true, words: 'recording', why: `Recording${where}.` };
}

/** Counts the questions of all servers, in the status bar and the tab's title. A click opens the first one. */
function WaitingQuestions({
  connections,
  selected,
}: {
  readonly connections: readonly ConnectionSummary[];
  readonly selected: ConnectionSummary | undefined;
}) {
  const asking = connections.filter(({ waiting }) => waiting !== undefined);
  const count = asking.reduce((sum, { waiting = 0 }) => sum + waiting, 0);
  useEffect(() => {
    document.title = count === 0 ? 'mcp-inspect' : `(${count}) mcp-inspect`;
  }, [count]);
  const first = asking.find(({ id }) => id === selected?.id) ?? asking[0];
  return (
    <span role="status">
      {first && (
        <button
          type="button"
          onClick={() => openQuestion({ connection: first.id })}
          className="h-6 font-medium text-accent hover:underline"
        >
          {countOf(count, 'question')} for you
        </button>
      )}
    </span>
  );
}
