import type { Ref } from 'react';
import { ErrorAnswer } from '@/components/exchange/error-answer';
import { FrameLink } from '@/components/exchange/frame-link';
import { lifecycleWords } from '@/components/log/lifecycle-words';
import { JsonTree } from '@/components/untrusted/json-tree';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { messageSource } from '@/lib/store/answer-source';
import { toLifecycleEvent } from '@/lib/store/connection-facts';
import type { Log } from '@/lib/store/log';
import type { Question } from '@/lib/store/state';

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
export function WhatBecame({ log, question, ref }: WhatBecameProps) {
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
  if (event !== undefined) return <Muted text={lifecycleWords(event) ?? event.event} />;
  const message = messageSource(log, seq, question.id);
  const error = message?.member('error');
  const shown = message?.member('result') ?? message?.member('params');
  if (error !== undefined) return <ErrorAnswer error={error} />;
  return shown ? <JsonTree json={shown} /> : null;
}

function Muted({ text }: { readonly text: string }) {
  return (
    <p className="text-muted">
      <UntrustedText text={text} limit={600} />
    </p>
  );
}
