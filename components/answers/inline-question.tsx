import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import { focusForm } from '@/components/ui/focus';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useIsStored } from '@/lib/hooks/answered-questions';
import { navigate } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { countOf } from '@/lib/wire/format';
import { openQuestion } from './open-question';
import { useOver } from './question-over';

const QuestionForm = lazyWhenIdle(() => import('./question-form').then((file) => file.QuestionForm));

/**
 * The oldest question that a call waits for, to be answered where the result will appear. Its form stays if the
 * question is gone before the person answered.
 */
export function InlineQuestion({ log, call }: { readonly log: Log; readonly call: number }) {
  const inbox = useLogState(log, (state) => state.inbox);
  const server = useLogState(log, (state) => state.connection.start?.name || 'the server');
  const waiting = inbox.waiting.filter(({ calls }) => calls.includes(call));
  /** Key of the question whose form is in view. */
  const [inView, setInView] = useState<string>();
  const gone = inbox.closed.find(({ key, calls }) => key === inView && calls.includes(call));
  const over = useOver(log, gone, true);
  const question = (over && gone) ?? waiting.find(({ key }) => key === inView) ?? waiting[0];
  const key = question?.key;
  if (key !== inView) setInView(key);
  const others = waiting.filter((other) => other !== question).length;
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
    <section
      ref={section}
      aria-label="Question from the server"
      // The result below a question that is gone must clear the answer buttons.
      className={classNames('min-w-0 border-l-2 pl-3', over ? 'mb-3 border-warn' : 'border-accent')}
    >
      <p role="status" className="flex flex-wrap gap-x-2">
        <span className="font-medium">
          {over ? 'The server no longer waits for this answer' : 'The server asks something before it responds'}
        </span>
        <span className="text-muted">
          <span className="font-mono text-wire">{question.method}</span> from{' '}
          <UntrustedText text={server} limit={100} />
          {others > 0 && !over && `, then ${countOf(others, 'more question')}`}
        </span>
        {open}
        {over && (
          <button type="button" className="text-link" onClick={() => setInView(undefined)}>
            {others > 0 ? 'Show the next question' : 'Close'}
          </button>
        )}
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
