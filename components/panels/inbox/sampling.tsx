import { MessageList } from '@/components/exchange/message-list';
import { ProblemCount, useChecker } from '@/components/form/checking';
import { DocumentEditor } from '@/components/form/document-editor';
import type { FieldProblem } from '@/components/form/field-problems';
import { useDocument } from '@/components/form/use-document';
import { compactJson } from '@/lib/json/exact';
import { AnswerBar, type QuestionProps, useAnswer } from './answering';

const NO_COMPLAINTS: readonly FieldProblem[] = [];

/** A conversation that the server wants a model to go on with. Here, a person writes what the model would say. */
export function Sampling({ log, question, params, draft }: QuestionProps) {
  const document = useDocument(draft, 'Form', SAMPLING_DRAFT);
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

const TEXT = { type: 'string' } as const;

/** What a person fills in to answer `sampling/createMessage`: enough of its result for a form; anything else goes under JSON. */
const SAMPLING_SCHEMA = {
  type: 'object',
  properties: {
    role: { enum: ['assistant', 'user'] },
    content: {
      anyOf: [
        {
          title: 'text',
          type: 'object',
          properties: { type: { const: 'text' }, text: TEXT },
          required: ['type', 'text'],
        },
        ...['image', 'audio'].map((type) => ({
          title: type,
          type: 'object',
          properties: { type: { const: type }, data: { ...TEXT, contentEncoding: 'base64' }, mimeType: TEXT },
          required: ['type', 'data', 'mimeType'],
        })),
        { title: 'JSON', type: ['object', 'array'] },
      ],
    },
    model: { ...TEXT, description: 'Which model is to have said it' },
    stopReason: { anyOf: [{ enum: ['endTurn', 'stopSequence', 'maxTokens', 'toolUse'] }, TEXT] },
  },
  required: ['role', 'content', 'model'],
};

/** Before anything is typed. */
const SAMPLING_DRAFT = `{
  "role": "assistant",
  "content": {
    "type": "text",
    "text": ""
  },
  "model": "a person",
  "stopReason": "endTurn"
}`;

/** What the specification has clients answer when a person will not have it sampled. */
const SAMPLING_REFUSED = { code: -1, message: 'User rejected sampling request' };
