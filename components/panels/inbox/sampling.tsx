import { MessageList } from '@/components/exchange/message-list';
import { DocumentEditor } from '@/components/form/document-editor';
import type { FieldProblem } from '@/components/form/problem-board';
import { ProblemCount } from '@/components/form/problem-count';
import { useChecker } from '@/components/form/use-checker';
import { useDocument } from '@/components/form/use-document';
import { compactJson } from '@/lib/schema/json';
import { AnswerBar } from './answer-bar';
import type { QuestionProps } from './question-props';
import { SAMPLED, SAMPLING_REFUSED, SAMPLING_SCHEMA } from './sampling-schema';
import { useAnswer } from './use-answer';

const NO_COMPLAINTS: readonly FieldProblem[] = [];

/** A conversation that the server wants a model to go on with. Here, a person writes what the model would say. */
export function Sampling({ log, question, params, draft }: QuestionProps) {
  const document = useDocument(draft, 'Form', SAMPLED);
  const checking = useChecker(SAMPLING_SCHEMA, document, NO_COMPLAINTS);
  const answering = useAnswer(log, question);
  const send = () => {
    if (document.parsed.ok && document.sent) answering.answer({ result: compactJson(document.text) });
  };
  // A request of a modern answer has no errors: there, giving up the call is the only no.
  const refuse = {
    label: 'Refuse',
    title: `Answers with an error: ${SAMPLING_REFUSED.message}`,
    run: () => answering.answer({ error: SAMPLING_REFUSED }),
  };
  return (
    <div className="mt-3 flex max-w-[760px] min-w-0 flex-col gap-3 border-t border-line pt-3">
      {params && <MessageList from={params} />}
      {answering.waits && (
        <DocumentEditor
          document={document}
          schema={SAMPLING_SCHEMA}
          unchecked={checking.unchecked}
          what="result"
          empty="A result has members."
          heading={<h3 className="font-medium">What the model says</h3>}
          onSubmit={send}
        />
      )}
      <AnswerBar
        answering={answering}
        action="Send result"
        onAction={send}
        others={answering.giveUp ? [] : [refuse]}
        aside={<ProblemCount document={document} />}
        blocked={document.parsed.ok && document.sent ? undefined : 'The result has to be JSON.'}
      />
    </div>
  );
}
