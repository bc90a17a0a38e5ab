import { Suspense, useCallback, useEffect, useRef } from 'react';
import { focusForm } from '@/components/ui/focus';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { navigate } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import { useIsStored } from '@/lib/hooks/stored-answers';
import type { Log } from '@/lib/store/log';
import { countOf } from '@/lib/wire/format';
import { openQuestion } from './open-question';

const QuestionForm = lazyWhenIdle(() => import('./question-form').then((file) => file.QuestionForm));

/** The oldest question that a call waits for, to be answered where the result will appear. */
export function InlineQuestion({ log, call }: { readonly log: Log; readonly call: number }) {
  const waiting = useLogState(log, (state) => state.inbox.waiting);
  const server = useLogState(log, (state) => state.connection.start?.name || 'the server');
  const asked = waiting.filter(({ calls }) => calls.includes(call));
  const [question] = asked;
  const key = question?.key;
  const section = useRef<HTMLElement>(null);
  const isIdle = useIdleSince(call);
  useEffect(() => {
    const { current } = section;
    // Somebody who has gone on working since the call keeps the focus.
    if (key !== undefined && current && (isAtButton(current) || isIdle())) focusForm(current);
  }, [key, isIdle]);
  if (question === undefined) return <StandingNote log={log} call={call} />;
  const open = (
    <button type="button" className="text-link" onClick={() => openQuestion({ item: question.key })}>
      {log === log.whole ? 'Open in the Inbox' : 'See it in the Inbox'}
    </button>
  );
  if (log !== log.whole) return <p className="text-muted">The server was waiting for an answer. {open}</p>;
  return (
    <section ref={section} aria-label="Question from the server" className="min-w-0 border-l-2 border-accent pl-3">
      <p role="status" className="flex flex-wrap gap-x-2">
        <span className="font-medium">The server asks something before it responds</span>
        <span className="text-muted">
          <span className="font-mono text-wire">{question.method}</span> from{' '}
          <UntrustedText text={server} limit={100} />
          {asked.length > 1 && `, then ${countOf(asked.length - 1, 'more question')}`}
        </span>
        {open}
      </p>
      <Suspense fallback={<p className="min-h-40" />}>
        <QuestionForm key={question.key} log={log} question={question} inline />
      </Suspense>
    </section>
  );
}

/** Says that a standing answer was sent during a call, or that the user's answer became one. */
function StandingNote({ log, call }: { readonly log: Log; readonly call: number }) {
  const closed = useLogState(log, (state) => state.inbox.closed);
  const answered = closed.filter(({ calls }) => calls.includes(call));
  const [newest] = answered;
  const isStored = useIsStored(log.connection, newest?.key);
  const used = answered.filter(({ standingSeq }) => standingSeq !== undefined).length;
  if (used === 0 && !isStored) return null;
  return (
    <p role="status" className="border-l-2 border-accent px-3 py-1">
      {isStored
        ? 'Your answer is now a standing answer. mcp-inspect sends it when this question comes again.'
        : `${used === 1 ? 'A standing answer was' : `${used} standing answers were`} sent during this call.`}{' '}
      <button type="button" className="text-link" onClick={() => navigate({ panel: 'inbox', item: 'standing' })}>
        Show standing answers
      </button>
    </p>
  );
}

/** Returns true if the focus is on a button of the same panel, or nowhere. */
function isAtButton(section: Element): boolean {
  const active = document.activeElement;
  if (document.querySelector('dialog[open]')) return false;
  if (active === document.body || active === null) return true;
  return active.matches('button') && active.closest('[role=tabpanel]')?.contains(section) === true;
}

/** Returns a function that tells whether no key was pressed and nothing was clicked since a call. */
function useIdleSince(call: number): () => boolean {
  const idle = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each call starts again
  useEffect(() => {
    idle.current = true;
    const onInput = (event: Event) => {
      // The key that made the call may repeat.
      if (!(event instanceof KeyboardEvent && event.repeat)) idle.current = false;
    };
    const listening = new AbortController();
    for (const type of ['keydown', 'pointerdown']) {
      document.addEventListener(type, onInput, { capture: true, signal: listening.signal });
    }
    return () => listening.abort();
  }, [call]);
  return useCallback(() => idle.current, []);
}
