import { type ComponentType, useEffect, useRef } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { Badge } from '@/components/ui/badge';
import { BytesAway } from '@/components/ui/bytes-away';
import { JsonTree } from '@/components/untrusted/json-tree';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useFrameBytes } from '@/lib/hooks/use-frame-bytes';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import type { Question } from '@/lib/store/state';
import { AskedBy } from './asked-by';
import { ElicitationForm } from './elicitation-form';
import { ElicitationUrl } from './elicitation-url';
import type { QuestionProps } from './question-props';
import { paramsOf, textMember } from './question-source';
import { Sampling } from './sampling';
import { WhatBecame } from './what-became';

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
      <AskedBy log={log} question={question} server={server} claimed={claimed} />
      {message !== '' && (
        <p className="mt-3 max-w-[80ch] border-l-2 border-to-client py-1 pl-3 whitespace-pre-wrap">
          <UntrustedText text={message} />
        </p>
      )}
      {bytes !== 'here' && <BytesAway gone={bytes === 'gone'} />}
      <RenderGuard fallback={<p className="text-warn">! This is nested too deep to draw: see its frame.</p>}>
        {question.status !== 'waiting' && <WhatBecame ref={became} log={log} question={question} />}
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
