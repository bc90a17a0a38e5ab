import { type ComponentType, type ReactNode, useMemo } from 'react';
import { TextNotLoaded } from '@/components/ui/notices';
import { JsonTree } from '@/components/untrusted/json-tree';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useFrameBytes } from '@/lib/hooks/log';
import { useQuestionShown } from '@/lib/hooks/shown-questions';
import type { Log } from '@/lib/store/log';
import type { Question } from '@/lib/store/state/state';
import { boundPart } from '@/lib/wire/standing-answers';
import { type QuestionProps, questionParams, textMember, useAnswer } from './answering';
import { ElicitationForm, ElicitationUrl } from './elicitation';
import { answerDraftKey } from './question-over';
import { RequestView, useEditedRequest } from './request-view';
import { Sampling } from './sampling';

interface QuestionFormProps {
  readonly log: Log;
  readonly question: Question;
  /** The form is within the panel of the call that caused the question. */
  readonly inline?: boolean;
  /** How the question ended. It comes last if the form stays, so that nothing moves while somebody types. */
  readonly outcome?: ReactNode;
}

/** A question of the server: its message, the form to answer it, and the request as JSON. */
export function QuestionForm(props: QuestionFormProps) {
  return (
    <RenderGuard fallback={<p className="text-warn">! Nested too deeply to display. See its frame in the log</p>}>
      <QuestionBody {...props} />
    </RenderGuard>
  );
}

function QuestionBody({ log, question, inline = false, outcome }: QuestionFormProps) {
  const bytes = useFrameBytes(log, [question.seq]);
  const draft = answerDraftKey(log, question.key);
  const sent = questionParams(log, question);
  const request = useEditedRequest(sent, draft);
  const mayStand = useMemo(() => boundPart(question.method, sent?.value) !== undefined, [question.method, sent]);
  const answering = useAnswer(log, question, mayStand, inline);
  const { over } = answering;
  const isForm = answering.waits || over !== undefined;
  useQuestionShown(log.connection, answering.waits ? 'waiting' : over && (over.isTyped ? 'typed' : 'over'));
  const { params } = request;
  const message = textMember(params, 'message');
  const Body = bodyOf(question, textMember(params, 'mode'));
  return (
    <>
      {!over && outcome}
      <div data-answer="" className="mt-3 flex max-w-[640px] min-w-0 flex-col gap-3">
        {message !== '' && (
          <p className="max-w-[68ch] border-l-2 border-to-client py-1 pl-3 whitespace-pre-wrap">
            <UntrustedText text={message} />
          </p>
        )}
        {bytes !== 'here' && <TextNotLoaded gone={bytes === 'gone'} />}
        {sent && Body && <RequestView sent={sent} request={request} editable={isForm} />}
        {Body && (params || (isForm && bytes === 'here')) && (
          <Body {...{ log, question, params, copy: params === sent ? undefined : request.copy, draft, answering }} />
        )}
        {sent && !Body && <JsonTree json={sent} />}
      </div>
      {over && outcome}
    </>
  );
}

/** Returns the form for a kind of question; undefined for one that is answered automatically. */
function bodyOf({ method }: Question, mode: string): ComponentType<QuestionProps> | undefined {
  if (method === 'sampling/createMessage') return Sampling;
  if (method !== 'elicitation/create') return undefined;
  return mode === 'url' ? ElicitationUrl : ElicitationForm;
}
