import { useMemo } from 'react';
import { codeWhenIdle } from '@/components/ui/lazy-when-idle';
import { visibleText } from '@/components/ui/visible-text';
import { useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import type { Log } from '@/lib/store/log';
import { countOf } from '@/lib/wire/format';

const useReasons = codeWhenIdle(() => import('@/lib/store/reason/log-reason'));

/** Frames of a call that are looked at. A longer call says that there is more. */
const MOST_FRAMES = 20_000;

/** The output that came while a call was open. */
export interface OutputOfCall {
  readonly stderr: { readonly count: number; readonly first: number | undefined };
  readonly stdout: { readonly count: number; readonly first: number | undefined };
}

/** Returns the output between two frames. */
export function outputBetween({ columns, size }: Log, from: number, to: number): OutputOfCall {
  const found = { stderr: { count: 0, first: undefined }, junk: { count: 0, first: undefined } } as {
    readonly [kind: string]: { count: number; first: number | undefined };
  };
  const last = Math.min(to, size, from + MOST_FRAMES);
  for (let seq = from + 1; seq < last; seq++) {
    const output = found[columns.kind(seq - 1) ?? ''];
    if (!output) continue;
    output.count++;
    output.first ??= seq;
  }
  return { stderr: found.stderr!, stdout: found.junk! };
}

/**
 * Says what the server logged and printed during a call, with links to its log messages and to the first lines in the
 * log. After a crash it quotes the line of stderr that explains it, and leads to all of stderr.
 */
export function OutputDuringCall({ log, exchange }: { readonly log: Log; readonly exchange: Exchange | undefined }) {
  const { navigate } = useLocation();
  const { exit, start, lastLifecycleSeq } = useLogState(log, (state) => state.connection);
  const isLost = exchange?.status === 'lost';
  const from = exchange?.requestSeq ?? 0;
  const to = exchange?.responseSeq ?? (isLost ? lastLifecycleSeq : 0);
  const { stderr, stdout } = useMemo(() => outputBetween(log, from, to ?? 0), [log, from, to]);
  const logged = useLogState(log, () => (from === 0 ? 0 : log.relations.logMessagesOf(from)));
  const crashed = isLost && exit !== undefined && !exit.byUs;
  const reasons = useReasons();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lines change until the end
  const reason = useMemo(() => (crashed ? reasons?.reasonInLog(log) : undefined), [reasons, log, crashed, to]);
  const isProcess = start !== undefined && 'command' in start;
  const links = [
    ...(stdout.count > 0
      ? [{ seq: stdout.first!, text: `${countOf(stdout.count, isProcess ? 'line on stdout' : 'body')} not MCP` }]
      : []),
    ...(stderr.count > 0 ? [{ seq: stderr.first!, text: `${countOf(stderr.count, 'line')} on stderr` }] : []),
  ];
  if (links.length === 0 && logged === 0 && !crashed) return null;
  const showLogs = () => navigate({ panel: 'logs', item: `call:${log.relations.rootOf(from)}` });
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {reason && (
        <p className="min-w-0 border-l-2 border-error bg-error/6 px-3 py-1 break-words">
          On {reason.stream}: <bdi className="font-mono text-wire">{visibleText(reason.text)}</bdi>
        </p>
      )}
      <p className="flex flex-wrap gap-x-3 text-small text-muted">
        {(links.length > 0 || logged > 0) && <span>During this call:</span>}
        {logged > 0 && (
          <button type="button" className="text-link" onClick={showLogs}>
            {countOf(logged, 'log message')}
          </button>
        )}
        {links.map(({ seq, text }) => (
          <button key={seq} type="button" className="text-link" onClick={() => navigate({ frame: seq })}>
            {text}
          </button>
        ))}
        {crashed && (
          <button
            type="button"
            className="text-link"
            onClick={() => navigate({ panel: 'server', item: isProcess ? 'stderr' : undefined })}
          >
            Show all of stderr
          </button>
        )}
      </p>
    </div>
  );
}
