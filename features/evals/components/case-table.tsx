import { useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Chevron } from '@/components/ui/icon';
import { ErrorNote, Sentence } from '@/components/ui/notices';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { EvalAttempt } from '@/features/evals/lib/eval-attempt';
import type { EvalSummary, EvalsRequest } from '@/features/evals/lib/evals-api';
import type { CaseReport, EvalReport } from '@/features/evals/lib/report';
import { useKnownRecordings } from '@/lib/hooks/known-recordings';
import { navigate } from '@/lib/hooks/location';
import { countOf, formatDuration } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import { useAskEvals } from './use-evals';
import { intervalText, wholePercent } from './words';

/** Cases whose failures are shown without asking. */
const MOST_OPEN = 3;
/** Attempts of a case that are shown. */
const MOST_SHOWN = 100;

/** The cases, one row for each model, and what failed in them. */
export function CaseTable({
  id,
  report,
  attempts,
  summary,
}: {
  readonly id: string;
  readonly report: EvalReport;
  readonly attempts: readonly EvalAttempt[];
  readonly summary: EvalSummary;
}) {
  const [failure, setFailure] = useState<Failure>();
  const open = useOpenRecording(id, setFailure);
  const failing = report.cases.filter(({ failures }) => failures.length > 0).length;
  const showsFailures = summary.state !== 'running' && failing <= MOST_OPEN;
  return (
    <section aria-label="Cases" className="flex min-w-0 flex-col gap-2">
      {failure && <ErrorNote failure={failure} />}
      <ul className="min-w-0 divide-y divide-line border-y border-line">
        {report.cases.map((one) => (
          <CaseRow
            key={`${one.file}\n${one.name}\n${one.model}`}
            one={one}
            attempts={attempts.filter(
              (made) => made.file === one.file && made.name === one.name && made.model === one.model,
            )}
            showsModel={report.totals.models.length > 1}
            showsFailures={showsFailures}
            onOpen={open}
          />
        ))}
      </ul>
    </section>
  );
}

/** Opens the recording of an attempt: its chat, or the frame of one of its calls. */
type OpenRecording = (attempt: EvalAttempt, call?: EvalAttempt['calls'][number]) => void;

function useOpenRecording(id: string, onFailure: (failure: Failure | undefined) => void): OpenRecording {
  const ask = useAskEvals();
  const { remember } = useKnownRecordings();
  const open = async (attempt: EvalAttempt, call: EvalAttempt['calls'][number] | undefined) => {
    onFailure(undefined);
    try {
      const wanted = call?.connection;
      const { connection } = await ask({
        kind: 'open',
        id,
        attempt: attempt.number,
        ...(wanted !== undefined && { connection: wanted }),
      });
      if (!call) remember(recordingsOf(id, attempt));
      navigate(
        call
          ? // A recording of a server has no chat, which may be the panel.
            { connection, frame: call.frame, item: undefined, panel: undefined }
          : { connection, panel: 'chat', item: undefined, frame: undefined },
      );
    } catch (error) {
      onFailure(error as Failure);
    }
  };
  return (attempt, call) => void open(attempt, call);
}

/** Returns how the recordings of servers in an attempt are opened, which lie in the eval’s folder. */
function recordingsOf(id: string, { number, servers = [] }: EvalAttempt) {
  return Object.fromEntries(
    servers.map(({ connection }) => [
      connection,
      { of: 'evals', request: { kind: 'open', id, attempt: number, connection } satisfies EvalsRequest },
    ]),
  );
}

function CaseRow({
  one,
  attempts,
  showsModel,
  showsFailures,
  onOpen,
}: {
  readonly one: CaseReport;
  readonly attempts: readonly EvalAttempt[];
  readonly showsModel: boolean;
  /** Failures are shown without asking. */
  readonly showsFailures: boolean;
  readonly onOpen: OpenRecording;
}) {
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? (one.failures.length > 0 && showsFailures);
  const id = useId();
  const measured = one.runs - one.errors;
  return (
    <li className="min-w-0">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setChosen(!isOpen)}
        className="grid w-full min-w-0 grid-cols-[14px_minmax(0,1fr)_auto_120px_72px] items-center gap-x-2 py-1 text-left hover:bg-text/6 narrow:grid-cols-[14px_minmax(0,1fr)_auto]"
      >
        <Chevron open={isOpen} />
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <UntrustedText text={one.name} limit={120} />
          {showsModel && (
            <span className="font-mono text-small text-muted">
              <UntrustedText text={one.model} limit={60} />
            </span>
          )}
        </span>
        <Dots attempts={attempts} />
        <span className="tabular text-right narrow:hidden">
          {measured === 0 ? (
            <span className="text-warn">! not measured</span>
          ) : (
            <>
              <span className={one.failed > 0 ? 'text-error' : 'text-ok'}>{wholePercent(one.passRate)}</span>{' '}
              <span className="text-small text-muted">{intervalText(one.interval)}</span>
            </>
          )}
        </span>
        <span className="tabular text-right text-small text-muted narrow:hidden">
          {formatDuration(one.latency.median * 1000)}
        </span>
      </button>
      {isOpen && (
        <ul id={id} className="mb-1 ml-5 flex min-w-0 flex-col gap-1 border-l border-line pl-3">
          {attempts.slice(0, MOST_SHOWN).map((attempt) => (
            <AttemptRow key={attempt.number} attempt={attempt} onOpen={onOpen} />
          ))}
          {attempts.length > MOST_SHOWN && (
            <li className="text-small text-muted">{countOf(attempts.length - MOST_SHOWN, 'more run')}, in the JSON</li>
          )}
        </ul>
      )}
    </li>
  );
}

/** Dots of a row. More are a number. */
const MOST_DOTS = 12;

/** A glyph for each attempt, in the order of the repeats. */
function Dots({ attempts }: { readonly attempts: readonly EvalAttempt[] }) {
  const passed = attempts.filter(({ reasons }) => reasons.length === 0).length;
  if (attempts.length > MOST_DOTS) {
    return (
      <span className="tabular text-small">
        {passed} of {attempts.length}
      </span>
    );
  }
  return (
    <span role="img" aria-label={`${passed} of ${attempts.length} passed`} className="flex gap-0.5 font-mono text-wire">
      {attempts.map(({ number, error, reasons }) => (
        <span
          key={number}
          className={error !== undefined ? 'text-warn' : reasons.length > 0 ? 'text-error' : 'text-ok'}
        >
          {error !== undefined ? '!' : reasons.length > 0 ? '×' : '✓'}
        </span>
      ))}
    </span>
  );
}

function AttemptRow({ attempt, onOpen }: { readonly attempt: EvalAttempt; readonly onOpen: OpenRecording }) {
  const { repeat, reasons, error, text, calls, milliseconds, recording } = attempt;
  const isFine = reasons.length === 0;
  return (
    <li className="min-w-0 py-0.5">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2">
        <span className={error !== undefined ? 'text-warn' : isFine ? 'text-ok' : 'text-error'}>
          {error !== undefined ? '! Could not be made' : isFine ? '✓ Passed' : '× Failed'}
        </span>
        <span className="tabular text-small text-muted">
          run {repeat}, {formatDuration(milliseconds * 1000)}
        </span>
        {recording !== undefined && (
          <Button size="small" variant="ghost" onClick={() => onOpen(attempt)}>
            Open chat
          </Button>
        )}
      </div>
      {reasons.map((reason) => (
        <p key={reason} className="min-w-0 break-words whitespace-pre-wrap">
          <Sentence text={reason} draw={(piece) => <UntrustedText text={piece} limit={500} />} />
        </p>
      ))}
      {calls.length > 0 && (
        <ul className="min-w-0">
          {calls.map((call, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the calls of an attempt stay where they are
            <li key={at} className="flex min-w-0 flex-wrap items-center gap-x-2 font-mono text-wire">
              <UntrustedText text={call.name} limit={128} className="font-medium" />
              <span className="min-w-0 break-all text-muted">
                <UntrustedText text={call.arguments} limit={200} />
              </span>
              <span className="font-sans text-small text-muted">{DECISIONS[call.decision] ?? call.decision}</span>
              {call.frame !== undefined &&
                attempt.servers?.some(({ connection }) => connection === call.connection) && (
                  <button
                    type="button"
                    className="tabular text-link"
                    title="Show the request in its server’s log"
                    onClick={() => onOpen(attempt, call)}
                  >
                    #{call.frame}
                  </button>
                )}
            </li>
          ))}
        </ul>
      )}
      {!isFine && text !== '' && (
        <p className="min-w-0 text-muted">
          Answer: <UntrustedText text={text} limit={300} />
        </p>
      )}
    </li>
  );
}

const DECISIONS: Readonly<Record<string, string>> = {
  run: 'ran',
  answer: 'answered by the case',
  refuse: 'refused',
};
