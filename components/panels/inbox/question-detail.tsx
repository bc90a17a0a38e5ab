import { type Ref, useEffect, useRef } from 'react';
import { QuestionForm } from '@/components/answers/question-form';
import { ErrorResponseView } from '@/components/exchange/error-response';
import { FrameLink } from '@/components/exchange/frame-link';
import { lifecycleSentence } from '@/components/log/lifecycle-sentences';
import { Badge } from '@/components/ui/badge';
import { moveFocus } from '@/components/ui/page-focus';
import { JsonTree } from '@/components/untrusted/json-tree';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useIsStored } from '@/lib/hooks/answered-questions';
import { navigate } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import { STATUS_LABELS } from '@/lib/store/rows/row-text';
import { toLifecycleEvent } from '@/lib/store/state/connection-facts';
import type { Question } from '@/lib/store/state/state';
import { PANEL_OF_CALL } from '../shared/panel-of-call';

/** One question: who asks, what for, how it ended, and the form to answer it. */
export function QuestionDetail({ log, question }: { readonly log: Log; readonly question: Question }) {
  const server = useLogState(log, (state) => state.connection.start?.name || 'The server');
  const claimed = useLogState(log, (state) => state.server.info?.name);
  const outcome = useRef<HTMLElement>(null);
  const { status } = question;
  const before = useRef(status);
  useEffect(() => {
    // The answer button that had the focus is gone.
    if (before.current !== status && document.activeElement === document.body) moveFocus(outcome.current);
    before.current = status;
  }, [status]);
  return (
    // The scroll padding keeps a focused field clear of the answer buttons.
    <div className="min-h-0 flex-1 scroll-pb-14 overflow-auto p-3">
      <header className="flex flex-wrap items-center gap-2">
        <h2 className="font-mono font-medium">
          <UntrustedText text={question.method} limit={200} />
        </h2>
        {status === 'waiting' && (
          <Badge tone={log === log.whole ? 'accent' : undefined}>
            {STATUS_LABELS.pending}
            {log === log.whole && ', waits for you'}
          </Badge>
        )}
        {question.input !== undefined && <UntrustedText text={question.input} limit={100} className="text-muted" />}
        <span className="flex-1" />
        <span className="text-small">
          <FrameLink seq={question.seq} label="asked in" />
        </span>
      </header>
      <QuestionOrigin log={log} question={question} server={server} claimed={claimed} />
      <QuestionForm
        log={log}
        question={question}
        outcome={
          <RenderGuard fallback={<p className="text-warn">! Nested too deeply to display. See its frame in the log</p>}>
            {status !== 'waiting' && <QuestionOutcome ref={outcome} log={log} question={question} />}
          </RenderGuard>
        }
      />
    </div>
  );
}

interface QuestionOriginProps {
  readonly log: Log;
  readonly question: Question;
  /** The server's name, as the user added it. */
  readonly server: string;
  /** The name that the server claims, which may be false. */
  readonly claimed: string | undefined;
}

/** Says which server asks, and during which calls. */
export function QuestionOrigin({ log, question, server, claimed }: QuestionOriginProps) {
  const { calls, input } = question;
  const carrier = log.row(question.seq - 1).exchange;
  const sameStream = carrier !== undefined && calls.every((call) => log.row(call - 1).exchange === carrier);
  const certain = calls.length === 1 && (input !== undefined || sameStream);
  return (
    <p className="mt-1 text-muted">
      <UntrustedText text={server} limit={100} className="font-medium text-text" />
      {claimed && claimed !== server && (
        <>
          {' (calls itself “'}
          <UntrustedText text={claimed} limit={100} />
          {'”)'}
        </>
      )}
      {calls.length === 0 && ' asks this outside of any call.'}
      {calls.length > 0 && (certain ? ' asks this for ' : ' asks this during ')}
      {calls.map((call, index) => (
        <span key={call}>
          {index > 0 && ', '}
          <Call log={log} seq={call} />
        </span>
      ))}
    </p>
  );
}

function Call({ log, seq }: { readonly log: Log; readonly seq: number }) {
  const call = log.exchange(seq);
  const panel = PANEL_OF_CALL.get(call?.method ?? '');
  return (
    <>
      {call?.name !== undefined && panel !== undefined ? (
        <button
          type="button"
          className="font-mono text-wire text-link"
          onClick={() => navigate({ panel, item: call.name })}
        >
          <UntrustedText text={call.name} limit={100} />
        </button>
      ) : (
        <span className="font-mono text-wire">{call?.method}</span>
      )}{' '}
      <span className="text-small">
        <FrameLink seq={seq} label="request" />
      </span>
    </>
  );
}

const OUTCOMES: Readonly<Record<Exclude<Question['status'], 'waiting'>, readonly [tone: string, words: string]>> = {
  answered: ['text-ok', '✓ answered'],
  refused: ['text-warn', '! answered with an error'],
  withdrawn: ['text-warn', `! ${STATUS_LABELS.cancelled}: it needs no answer any more`],
  lost: ['text-warn', `! ${STATUS_LABELS.lost}: the connection ended first`],
};

interface QuestionOutcomeProps {
  readonly log: Log;
  readonly question: Question;
  /** Focused when the question ends. */
  readonly ref: Ref<HTMLElement>;
}

/** Says how a question ended, with its last frame. */
function QuestionOutcome({ log, question, ref }: QuestionOutcomeProps) {
  const { status, endSeq, completeSeq, standingSeq } = question;
  const isStored = useIsStored(log.connection, question.key);
  if (status === 'waiting') return null;
  const [tone, words] = OUTCOMES[status];
  return (
    <section ref={ref} tabIndex={-1} aria-label="Outcome" className="my-3 flex flex-col gap-1 outline-none">
      <p className="flex flex-wrap gap-x-2">
        <span role="status" className={tone}>
          {words}
          {standingSeq !== undefined && ' by a standing answer'}
          {isStored && ', and kept as a standing answer'}
        </span>
        {standingSeq !== undefined && <FrameLink seq={standingSeq} label="used in" />}
        {endSeq !== undefined && !log.isNote(endSeq - 1) && <FrameLink seq={endSeq} label="frame" />}
      </p>
      {endSeq !== undefined && <End log={log} seq={endSeq} question={question} />}
      {completeSeq !== undefined && (
        <p className="flex flex-wrap gap-x-2">
          <span className="text-ok">✓ The server reports that the elicitation is complete</span>
          <FrameLink seq={completeSeq} label="notification" />
        </p>
      )}
    </section>
  );
}

function End({ log, seq, question }: { readonly log: Log; readonly seq: number; readonly question: Question }) {
  const event = log.row(seq - 1).channel === 'lifecycle' ? toLifecycleEvent(log.text(seq - 1)) : undefined;
  if (event !== undefined) return <Muted text={lifecycleSentence(event) ?? event.event} />;
  const message = messageSource(log, seq, question.id);
  const error = message?.member('error');
  const shown = message?.member('result') ?? message?.member('params');
  if (error !== undefined) return <ErrorResponseView error={error} />;
  return shown ? <JsonTree json={shown} /> : null;
}

function Muted({ text }: { readonly text: string }) {
  return (
    <p className="text-muted">
      <UntrustedText text={text} limit={600} />
    </p>
  );
}
