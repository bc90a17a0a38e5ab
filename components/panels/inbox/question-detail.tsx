import { type ComponentType, type Ref, useEffect, useRef } from 'react';
import { ErrorResponse } from '@/components/exchange/error-response';
import { FrameLink } from '@/components/exchange/frame-link';
import { lifecycleSentence } from '@/components/log/labels';
import { Badge } from '@/components/ui/badge';
import { TextNotLoaded } from '@/components/ui/notices';
import { JsonTree } from '@/components/untrusted/json-tree';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { navigate } from '@/lib/hooks/location';
import { useFrameBytes, useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import { toLifecycleEvent } from '@/lib/store/state/connection-facts';
import type { Question } from '@/lib/store/state/state';
import { paramsOf, type QuestionProps, textMember } from './answering';
import { ElicitationForm, ElicitationUrl } from './elicitation';
import { Sampling } from './sampling';

/** One question: who asks, what, and the ways to answer it or what became of it. */
export function QuestionDetail({ log, question }: { readonly log: Log; readonly question: Question }) {
  const start = useLogState(log, (state) => state.connection.start);
  const server = useLogState(log, (state) => state.connection.start?.name || 'The server');
  const claimed = useLogState(log, (state) => state.server.info?.name);
  const became = useRef<HTMLElement>(null);
  const { status } = question;
  const before = useRef(status);
  useEffect(() => {
    // What had the focus went with the ways to answer.
    if (before.current !== status && document.activeElement === document.body) became.current?.focus();
    before.current = status;
  }, [status]);
  const bytes = useFrameBytes(log, [question.seq]);
  const params = paramsOf(log, question);
  const message = textMember(params, 'message');
  const Body = bodyOf(question, textMember(params, 'mode'));
  return (
    <div className="min-h-0 flex-1 overflow-auto p-3">
      <header className="flex flex-wrap items-center gap-2">
        <h2 className="font-mono font-medium">
          <UntrustedText text={question.method} limit={200} />
        </h2>
        {question.status === 'waiting' &&
          (log === log.whole ? <Badge tone="accent">waits for you</Badge> : <Badge>waited for an answer</Badge>)}
        {question.input !== undefined && <UntrustedText text={question.input} limit={100} className="text-muted" />}
        <span className="flex-1" />
        <span className="text-small">
          <FrameLink seq={question.seq} label="asked in" />
        </span>
      </header>
      <QuestionOrigin log={log} question={question} server={server} claimed={claimed} />
      {message !== '' && (
        <p className="mt-3 max-w-[80ch] border-l-2 border-to-client py-1 pl-3 whitespace-pre-wrap">
          <UntrustedText text={message} />
        </p>
      )}
      {bytes !== 'here' && <TextNotLoaded gone={bytes === 'gone'} />}
      <RenderGuard fallback={<p className="text-warn">! This is nested too deep to draw: see its frame.</p>}>
        {question.status !== 'waiting' && <QuestionOutcome ref={became} log={log} question={question} />}
        {Body && (params || (question.status === 'waiting' && bytes === 'here')) ? (
          <Body
            log={log}
            question={question}
            params={params}
            draft={JSON.stringify(['inbox', log.connection, start?.at, question.key])}
          />
        ) : (
          params && <JsonTree json={params} />
        )}
      </RenderGuard>
    </div>
  );
}

/** How each kind of question is drawn; undefined for what is answered without a person. */
function bodyOf({ method }: Question, mode: string): ComponentType<QuestionProps> | undefined {
  if (method === 'sampling/createMessage') return Sampling;
  if (method !== 'elicitation/create') return undefined;
  return mode === 'url' ? ElicitationUrl : ElicitationForm;
}

/** Where each kind of call is made. */
const PANELS: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'tools'],
  ['prompts/get', 'prompts'],
  ['resources/read', 'resources'],
]);

interface AskedByProps {
  readonly log: Log;
  readonly question: Question;
  /** The name under which the person added it. */
  readonly server: string;
  /** What it calls itself, which may be anybody's name. */
  readonly claimed: string | undefined;
}

/** Which server asks, and for which call as far as that can be told. */
export function QuestionOrigin({ log, question, server, claimed }: AskedByProps) {
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
      {calls.length === 0 && ' asks while no call of yours is under way.'}
      {calls.length > 0 && (certain ? ' asks this for ' : ' asks while these are under way: ')}
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
  const panel = PANELS.get(call?.method ?? '');
  return (
    <>
      {call?.name !== undefined && panel !== undefined ? (
        <button
          type="button"
          className="font-mono text-wire text-accent underline"
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

const WORDS: Readonly<Record<Exclude<Question['status'], 'waiting'>, readonly [tone: string, words: string]>> = {
  answered: ['text-ok', '✓ answered'],
  refused: ['text-warn', '! answered with an error'],
  withdrawn: ['text-warn', '! withdrawn before it was answered'],
  lost: ['text-warn', '! lost: it was all over before it was answered'],
};

interface WhatBecameProps {
  readonly log: Log;
  readonly question: Question;
  /** Takes the focus. */
  readonly ref: Ref<HTMLElement>;
}

/** How a question ended, with the frame that ended it. */
function QuestionOutcome({ log, question, ref }: WhatBecameProps) {
  const { status, endSeq, completeSeq } = question;
  if (status === 'waiting') return null;
  const [tone, words] = WORDS[status];
  return (
    <section ref={ref} tabIndex={-1} aria-label="What became of it" className="my-3 flex flex-col gap-1 outline-none">
      <p className="flex flex-wrap gap-x-2">
        <span role="status" className={tone}>
          {words}
        </span>
        {endSeq !== undefined && !log.isNote(endSeq - 1) && <FrameLink seq={endSeq} label="frame" />}
      </p>
      {endSeq !== undefined && <End log={log} seq={endSeq} question={question} />}
      {completeSeq !== undefined && (
        <p className="flex flex-wrap gap-x-2">
          <span className="text-ok">✓ The server says that what it was about is done.</span>
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
  if (error !== undefined) return <ErrorResponse error={error} />;
  return shown ? <JsonTree json={shown} /> : null;
}

function Muted({ text }: { readonly text: string }) {
  return (
    <p className="text-muted">
      <UntrustedText text={text} limit={600} />
    </p>
  );
}
