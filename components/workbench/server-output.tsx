import { useEffect, useMemo } from 'react';
import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import type { PrintedAddress } from '@/lib/doctor/printed-causes';
import { hasSentMessage, printedAddressIn } from '@/lib/doctor/printed-in-log';
import { navigate } from '@/lib/hooks/location';
import { useLogSize, useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { stderrDigest } from '@/lib/store/rows/error-line';
import { formatStartedTwice } from '@/lib/store/rows/labels';
import { withoutAnsi } from '@/lib/wire/control-characters';
import { countOf } from '@/lib/wire/format';
import type { ConnectionState } from '@/lib/wire/lifecycle';
import { useCommand } from './connection-commands';

/** Characters of a line shown here; the log has the rest. */
const SHOWN_CHARS = 2000;
/** Characters of a line that is quoted in a sentence. */
const QUOTED_CHARS = 300;

/** Returns the seqs of the lines that the newest process printed, on stdout if not MCP, and on stderr. */
function useOutput(log: Log): { readonly stdout: readonly number[]; readonly stderr: readonly number[] } {
  const stdout = useLogState(log, (state) => state.junk.seqs);
  const all = useLogState(log, (state) => state.stderr.seqs);
  const since = useLogState(log, (state) => state.connection.spawnedSeq) ?? 0;
  return useMemo(() => ({ stdout, stderr: all.filter((seq) => seq > since) }), [stdout, all, since]);
}

/** Counts the lines on stdout that are not MCP, quotes the first, and offers to connect to an address among them. */
export function StrayOutput({
  log,
  isLive,
  quoted,
  onConnected,
}: {
  readonly log: Log;
  /** The process is starting, so more may come. */
  readonly isLive: boolean;
  /** A line that is quoted above already. */
  readonly quoted?: string | undefined;
  /** Absent where nothing can be connected. */
  readonly onConnected: ((connection: string) => void) | undefined;
}) {
  const { seqs, count } = useLogState(log, (state) => state.junk);
  const { stderr } = useOutput(log);
  const hasSent = useLogState(log, () => hasSentMessage(log));
  const first = seqs[0];
  const text = first === undefined ? '' : withoutAnsi(log.text(first - 1)).slice(0, QUOTED_CHARS);
  return (
    <>
      {first === undefined ? (
        isLive &&
        !hasSent && (
          <p>{stderr.length === 0 ? 'It has printed nothing yet.' : 'It has printed nothing on stdout yet.'}</p>
        )
      ) : (
        <section aria-label="Output that is not MCP" className="flex min-w-0 flex-col gap-1">
          <div className="flex flex-wrap items-center gap-x-2">
            <p>
              It printed {countOf(count, 'line')} that {count === 1 ? 'isn’t' : 'aren’t'} MCP
              {text.trim() === quoted ? '.' : ':'}
            </p>
            <Button size="small" variant="ghost" onClick={() => navigate({ frame: first })}>
              Show in the log
            </Button>
          </div>
          {text.trim() !== quoted && (
            <p className="rounded border border-line bg-surface px-2 py-1 font-mono text-wire break-words">
              {visibleText(text)}
            </p>
          )}
          <p className="text-muted">
            On stdout a server prints only MCP messages, as JSON, one per line. Logs go to stderr.
          </p>
        </section>
      )}
      {onConnected && !hasSent && <PrintedServer log={log} onConnected={onConnected} />}
    </>
  );
}

/** Addresses for which a search was started, by log. */
const SEARCHED = new WeakMap<Log, string>();

/**
 * Looks for an MCP server at an address of this machine that the running program printed, and offers to connect to it.
 * Connects only on a click.
 */
function PrintedServer({ log, onConnected }: { readonly log: Log; readonly onConnected: (id: string) => void }) {
  const size = useLogSize(log);
  const isRunning = useLogState(log, ({ connection: { state, exit } }) => CAN_SERVE.has(state) && exit === undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a log changes in place; its size says when
  const address = useMemo(() => (isRunning ? printedAddressIn(log) : undefined), [log, size, isRunning]);
  const search = useCommand();
  const connecting = useCommand();
  const printed = address?.url;
  const { run } = search;
  useEffect(() => {
    if (printed === undefined || SEARCHED.get(log) === printed) return;
    SEARCHED.set(log, printed);
    void run({ type: 'look-further', connection: log.connection, where: 'printed' });
  }, [log, printed, run]);
  if (!address) return null;
  const { url, transport } = address.found ?? { url: address.url, transport: 'auto' as const };
  const connect = async () => {
    const made = await connecting.run({ type: 'connect', target: { transport, url }, protocol: 'auto' });
    if (made !== undefined) onConnected(made);
  };
  return (
    <section
      aria-label="Printed address"
      className="flex flex-col gap-2 border-l-2 border-accent bg-accent/6 px-3 py-2"
    >
      <p>{addressText(address, search.pending)}</p>
      <div>
        <Button
          variant={address.found ? 'primary' : 'plain'}
          disabled={search.pending || connecting.pending}
          onClick={() => void connect()}
          className="max-w-full"
        >
          <span className="truncate">Connect to {visibleText(url)}</span>
        </Button>
      </div>
      {connecting.failure && <ErrorNote failure={connecting.failure} />}
    </section>
  );
}

/** States in which a process runs that did not answer. */
const CAN_SERVE: ReadonlySet<ConnectionState> = new Set(['starting', 'handshake-failed']);

function addressText({ found, isProbed }: PrintedAddress, isSearching: boolean): string {
  if (found) return 'It serves MCP over HTTP, but mcp-inspect started it as a stdio server.';
  const printed = 'It printed an address, so it may serve HTTP instead of stdio.';
  if (isSearching) return `${printed} Looking for an MCP server there…`;
  return isProbed ? `${printed} No MCP server answered there.` : printed;
}

/**
 * The first and last lines that the newest process printed on stderr. Lines of an earlier process, started only to find
 * the version, are shown apart.
 */
export function StderrTail({ log }: { readonly log: Log }) {
  const { stderr: now } = useOutput(log);
  const all = useLogState(log, (state) => state.stderr.seqs);
  const before = all.slice(0, all.length - now.length);
  const startedTwice = useLogState(log, (state) => state.connection.startedTwice);
  const same = now.length === before.length && now.every((seq, at) => log.text(seq - 1) === log.text(before[at]! - 1));
  return (
    <section aria-label="stderr" className="flex shrink-0 flex-col gap-1">
      {now.length === 0 ? (
        <p className="text-muted">Nothing on stderr</p>
      ) : (
        <>
          <h3 className="text-muted">stderr, {countOf(now.length, 'line')}</h3>
          <Lines log={log} seqs={now} />
        </>
      )}
      {startedTwice && (
        <p className="text-muted">
          {formatStartedTwice(startedTwice)}
          {same && now.length > 0 && ' It printed the same both times.'}
        </p>
      )}
      {before.length > 0 && !same && (
        <details>
          <summary className="text-muted">Printed by the first start ({countOf(before.length, 'line')})</summary>
          <Lines log={log} seqs={before} />
        </details>
      )}
    </section>
  );
}

function Lines({ log, seqs }: { readonly log: Log; readonly seqs: readonly number[] }) {
  const { head, left, tail } = stderrDigest(seqs);
  const text = (seq: number) => `${visibleText(log.text(seq - 1).slice(0, SHOWN_CHARS))}\n`;
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled text has to be reachable by keyboard
      tabIndex={0}
      className="max-h-[60vh] min-h-8 overflow-auto rounded border border-line bg-surface p-2 font-mono text-wire whitespace-pre-wrap"
    >
      {head.map(text).join('')}
      {left > 0 && (
        <span className="text-muted">
          … {countOf(left, 'more line')} in the log …{'\n'}
        </span>
      )}
      {tail.map(text).join('')}
    </pre>
  );
}
