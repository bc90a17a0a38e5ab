import { type ComponentType, useDeferredValue, useId, useMemo } from 'react';
import { SEVERITY_COLOUR, SEVERITY_GLYPH, SEVERITY_WORD } from '@/components/ui/badge';
import { Icon } from '@/components/ui/icon';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { logsOfCall } from '@/lib/filter/saved-filters';
import { useDraft } from '@/lib/hooks/drafts';
import { navigate } from '@/lib/hooks/location';
import { useLogSize } from '@/lib/hooks/log';
import { useProblems } from '@/lib/hooks/problems';
import { useSpanIndex } from '@/lib/hooks/telemetry';
import { toPointer } from '@/lib/json/outline-path';
import type { Problem } from '@/lib/problems/problem';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import type { Log } from '@/lib/store/log';
import { insideCall } from '@/lib/store/telemetry/inside-call';
import type { SpanIndex } from '@/lib/store/telemetry/span-index';
import { countOf, formatCount } from '@/lib/wire/format';
import { METHOD } from '@/lib/wire/protocol-names';
import { FrameLink } from '../frame-link';
import InsideServer from '../inside/inside-server';
import { FrameLines } from './frame-lines';
import type { CallOutput } from './output';

/** Most frames of a call that are searched for log messages and problems, and most problems that are listed. */
const MOST_FRAMES = 10_000;
const MOST_PROBLEMS = 50;

/** Everything that happened during a call. Frames are oldest first. */
interface Moment extends CallOutput {
  readonly log: Log;
  /** seq of the call's first request. */
  readonly call: number;
  readonly logs: readonly number[];
  readonly spans: number;
  readonly index: SpanIndex | undefined;
  readonly problems: readonly FoundProblem[];
  /** Frame of the error that made the call fail. */
  readonly error: number | undefined;
}

interface FoundProblem {
  readonly problem: Problem;
  readonly seq: number;
}

/** A part of a moment: a button with its size, which unfolds it. Not shown while its size is 0. */
interface Part {
  readonly name: string;
  readonly size: (moment: Moment) => number;
  readonly unit?: string;
  readonly Body: ComponentType<Moment>;
}

const PARTS: readonly Part[] = [
  { name: 'stderr', size: ({ stderr }) => stderr.length, unit: 'line', Body: Stderr },
  { name: 'not MCP', size: ({ stdout }) => stdout.length, unit: 'line', Body: Stdout },
  { name: 'server log', size: ({ logs }) => logs.length, Body: ServerLog },
  { name: 'spans', size: ({ spans }) => spans, Body: Spans },
  { name: 'problems', size: ({ problems }) => problems.length, Body: Problems },
];

/** All that happened during a call, folded to a line after a good result, and open after a failure. */
export function CallMoment({
  log,
  exchange,
  output,
  failed,
  error,
}: {
  readonly log: Log;
  readonly exchange: Exchange;
  readonly output: CallOutput;
  readonly failed: boolean;
  readonly error: number | undefined;
}) {
  const id = useId();
  const moment = useMoment(log, exchange, output);
  const [folds, setFolds] = useDraft<Readonly<Record<string, boolean>>>(`moment ${failed ? 'failed' : 'ok'}`, {});
  const parts = PARTS.filter(({ size }) => size(moment) > 0);
  const isOpen = ({ name }: Part) => folds[name] ?? failed;
  if (parts.length === 0) return null;
  return (
    <section aria-label="During this call" className="flex min-w-0 flex-col gap-2 border-t border-line pt-1">
      <div className="flex flex-wrap gap-x-3 text-small">
        {parts.map((part) => (
          <button
            key={part.name}
            type="button"
            aria-expanded={isOpen(part)}
            aria-controls={`${id}${PARTS.indexOf(part)}`}
            onClick={() => setFolds({ ...folds, [part.name]: !isOpen(part) })}
            className="tabular flex min-h-6 items-center gap-1 rounded text-muted hover:text-text"
          >
            <Icon name={isOpen(part) ? 'down' : 'forward'} />
            {part.name} {part.unit ? countOf(part.size(moment), part.unit) : formatCount(part.size(moment))}
          </button>
        ))}
      </div>
      {parts.filter(isOpen).map((part) => (
        <section
          key={part.name}
          id={`${id}${PARTS.indexOf(part)}`}
          aria-label={part.name}
          className="flex min-w-0 flex-col gap-1"
        >
          <part.Body {...moment} error={error} />
        </section>
      ))}
    </section>
  );
}

function useMoment(log: Log, { requestSeq, responseSeq }: Exchange, output: CallOutput): Moment {
  const size = useDeferredValue(useLogSize(log));
  const index = useSpanIndex(log);
  const found = useProblems(log);
  const { version } = found;
  // biome-ignore lint/correctness/useExhaustiveDependencies: log, spans and problems change in place
  return useMemo(() => {
    const call = log.relations.rootOf(requestSeq);
    const members = log.relations.membersOf(call, MOST_FRAMES);
    const inside = index && insideCall(log, index, call);
    const messages = members.filter((seq) => log.columns.method(seq - 1) === METHOD.log);
    const seqs = new Set([call, ...members, ...output.stdout, ...(responseSeq === undefined ? [] : [responseSeq])]);
    const problems = new Map<number, FoundProblem>();
    for (const seq of [...seqs].sort((a, b) => a - b)) {
      for (const problem of found.of(seq)) {
        if (problem.severity !== 'info' && !problems.has(problem.id)) problems.set(problem.id, { problem, seq });
      }
    }
    return {
      ...output,
      log,
      call,
      index,
      logs: [...messages, ...(inside?.logs ?? [])].sort((a, b) => a - b),
      spans: inside ? inside.spans.length + inside.left : 0,
      problems: [...problems.values()],
      error: undefined,
    };
  }, [log, requestSeq, responseSeq, output, size, index, found, version]);
}

function Stderr({ log, stderr, isAlone, error }: Moment) {
  return (
    <>
      <FrameLines log={log} seqs={stderr} at={error} label="Lines on stderr" kind="stderr" />
      <OthersNote isAlone={isAlone} />
    </>
  );
}

function Stdout({ log, stdout, isAlone, error }: Moment) {
  return (
    <>
      <FrameLines log={log} seqs={stdout} at={error} label="Output that is not MCP" kind="output" />
      <OthersNote isAlone={isAlone} />
    </>
  );
}

/** Nothing on an output says which call a line is about. */
function OthersNote({ isAlone }: { readonly isAlone: boolean }) {
  return isAlone ? null : (
    <p className="text-small text-muted">Other requests were in flight, so some lines may be about those.</p>
  );
}

function ServerLog({ log, logs, call }: Moment) {
  return (
    <>
      <FrameLines
        log={log}
        seqs={logs}
        label="Log messages"
        kind="log message"
        textOf={(seq) => log.preview(seq - 1) ?? ''}
      />
      <button
        type="button"
        className="self-start text-small text-link"
        onClick={() => navigate({ filter: logsOfCall(call) })}
      >
        Show in Server logs
      </button>
    </>
  );
}

function Spans({ log, index, call }: Moment) {
  return index ? <InsideServer log={log} index={index} request={call} /> : null;
}

function Problems({ problems }: Moment) {
  return (
    <ul className="flex min-w-0 flex-col gap-1">
      {problems.slice(0, MOST_PROBLEMS).map(({ problem: { id, severity, message, path }, seq }) => (
        <li key={id} className="min-w-0 break-words">
          <span className={SEVERITY_COLOUR[severity]}>
            <span aria-hidden="true">{SEVERITY_GLYPH[severity]} </span>
            <span className="sr-only">{SEVERITY_WORD[severity]}: </span>
          </span>
          <UntrustedText text={message} limit={300} />{' '}
          <FrameLink seq={seq} label="frame" {...(path && { at: toPointer(path) })} />{' '}
          <button type="button" className="text-link" onClick={() => navigate({ panel: 'problems', item: String(id) })}>
            How to fix it
          </button>
        </li>
      ))}
    </ul>
  );
}
