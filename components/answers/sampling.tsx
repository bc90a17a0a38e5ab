import { useId } from 'react';
import { ProblemCount, useChecker } from '@/components/form/checking';
import { DocumentEditor } from '@/components/form/document-editor';
import type { FieldProblem } from '@/components/form/form-state';
import { type DocumentState, useDocument } from '@/components/form/use-document';
import { Button } from '@/components/ui/button';
import { FIELD, Select, TextInput } from '@/components/ui/inputs';
import { JsonTree } from '@/components/untrusted/json-tree';
import { QUESTION_FEATURES } from '@/features/question-features';
import { compactJson } from '@/lib/json/exact';
import { JsonSource } from '@/lib/json/source';
import { isObject, own, textOrJson } from '@/lib/json/value';
import { AnswerForm, type QuestionProps } from './answering';
import { SamplingRequest } from './sampling-request';
import { AnswerHistory, RecentAnswers, useSavedAnswers } from './saved-answers';

const NO_COMPLAINTS: readonly FieldProblem[] = [];

/** A conversation that the server wants a model to continue. Here the user writes the model's reply. */
export function Sampling({ log, question, params, copy, draft, answering }: QuestionProps) {
  const document = useDocument(draft, 'Form', FIRST_REPLY);
  const checking = useChecker(REPLY_SCHEMA, document, NO_COMPLAINTS);
  const saved = useSavedAnswers(log, 'sampling reply', answering.waits);
  const isSendable = document.parsed.ok && document.sent;
  const send = (always?: true) => {
    if (!isSendable) return;
    saved.remember(document.text);
    answering.answer({ result: compactJson(document.text) }, always);
  };
  // An input request (2026-07-28) can't be answered with an error. The user cancels its call instead.
  const reject = {
    label: 'Reject',
    title: `Answer with an error: ${SAMPLING_REJECTED.message}`,
    run: (always?: true) => answering.answer({ error: SAMPLING_REJECTED }, always),
    always: 'Always reject',
  };
  return (
    <AnswerForm
      answering={answering}
      main={{ label: 'Send reply', run: send, ...(hasReply(document) && { always: 'Always send this reply' }) }}
      others={answering.giveUp ? [] : [reject]}
      aside={document.mode === 'JSON' && <ProblemCount document={document} />}
      blocked={isSendable ? undefined : 'The result must be JSON'}
      draft={{ text: plainReply(document) ?? document.text, isSendable }}
      sendAnyway={() => send()}
    >
      {params && (
        <SamplingRequest
          params={params}
          onUseTool={answering.waits ? (name) => document.fill(toolUseReply(document, name)) : undefined}
        />
      )}
      {QUESTION_FEATURES.map(({ key, Reply }) => (
        <Reply
          key={key}
          log={log}
          question={question}
          copy={copy}
          waits={answering.waits}
          reply={document.text}
          untouched={FIRST_REPLY}
          onFill={document.fill}
        />
      ))}
      {(answering.waits || answering.over) && (
        <>
          <DocumentEditor
            document={document}
            schema={REPLY_SCHEMA}
            unchecked={checking.unchecked}
            what="result"
            empty=""
            heading={
              <div className="flex flex-wrap items-center gap-x-1">
                <h3 className="mr-2 font-medium">Your reply as the assistant</h3>
                <AnswerHistory saved={saved} document={document} />
              </div>
            }
            form={<ReplyForm document={document} />}
            onSubmit={send}
          />
          {document.text === FIRST_REPLY && <RecentAnswers saved={saved} document={document} />}
        </>
      )}
    </AnswerForm>
  );
}

/** Returns false for an empty reply, which nobody wants to send each time. */
export function hasReply({ parsed }: Pick<DocumentState, 'parsed'>): boolean {
  if (!parsed.ok || !isObject(parsed.value)) return false;
  const content = own(parsed.value, 'content');
  return isObject(content) ? own(content, 'text') !== '' : Array.isArray(content) && content.length > 0;
}

/** Returns the text of a reply that is only text. */
function plainReply({ parsed }: Pick<DocumentState, 'parsed'>): string | undefined {
  const content = parsed.ok && isObject(parsed.value) ? own(parsed.value, 'content') : undefined;
  const text = isObject(content) && own(content, 'type') === 'text' ? own(content, 'text') : undefined;
  return typeof text === 'string' ? text : undefined;
}

const TEXT_PATH = ['content', 'text'] as const;

/** A text box for the reply. Model and stop reason, which have defaults, are under More. */
function ReplyForm({ document }: { readonly document: DocumentState }) {
  const id = useId();
  const { parsed, change, setText, setMode } = document;
  const reply = parsed.ok && isObject(parsed.value) ? parsed.value : {};
  const text = plainReply(document);
  const stopReason = own(reply, 'stopReason');
  const reasons = STOP_REASONS.includes(stopReason as never) ? STOP_REASONS : [...STOP_REASONS, stopReason];
  if (text === undefined) {
    return (
      <div className="flex min-w-0 flex-col gap-2">
        <p className="flex flex-wrap items-center gap-2 text-muted">
          This reply is not plain text.
          <Button size="small" onClick={() => setMode('JSON')}>
            Edit as JSON
          </Button>
          <Button size="small" onClick={() => setText(FIRST_REPLY)}>
            Start again with text
          </Button>
        </p>
        <JsonTree json={JsonSource.of(reply)} />
      </div>
    );
  }
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div data-field="reply" data-required="">
        <textarea
          aria-label="Reply"
          rows={6}
          value={text}
          placeholder="Write what the model would say"
          onChange={(event) => change(TEXT_PATH, event.target.value)}
          className={`${FIELD} block h-auto max-h-[50vh] min-h-28 resize-y py-1.5 leading-5 field-sizing-content`}
        />
      </div>
      <details>
        <summary className="text-muted">
          More: model “{textOrJson(own(reply, 'model'))}”, stop reason {textOrJson(stopReason ?? 'none')}
        </summary>
        <div className="mt-1 grid max-w-[480px] grid-cols-2 gap-2">
          <TextInput
            id={`${id}-model`}
            label="Model name to report"
            value={textOrJson(own(reply, 'model'))}
            onChange={(model) => change(['model'], model)}
          />
          <Select
            id={`${id}-stop`}
            label="Stop reason"
            value={textOrJson(stopReason)}
            onChange={(reason) => change(['stopReason'], reason === '' ? undefined : reason)}
            options={reasons.map((reason) => ({ value: String(reason ?? ''), label: String(reason ?? 'none') }))}
          />
        </div>
      </details>
    </div>
  );
}

/** The standard values; a reply may have another one, or none. */
const STOP_REASONS: readonly unknown[] = ['endTurn', 'stopSequence', 'maxTokens', 'toolUse'];

/** Returns a reply that calls a tool, with the text so far before it. */
export function toolUseReply({ parsed }: Pick<DocumentState, 'parsed'>, tool: string): string {
  const reply = parsed.ok && isObject(parsed.value) ? parsed.value : {};
  const before = own(reply, 'content');
  const blocks = (Array.isArray(before) ? before : [before]).filter(
    (block) => isObject(block) && !(own(block, 'type') === 'text' && own(block, 'text') === ''),
  );
  const use = { type: 'tool_use', id: `call-${blocks.length + 1}`, name: tool, input: {} };
  return JSON.stringify({ ...reply, content: [...blocks, use], stopReason: 'toolUse' }, null, 2);
}

const TEXT = { type: 'string' } as const;

/** Checks a `sampling/createMessage` result that is written as JSON. */
const REPLY_SCHEMA = {
  type: 'object',
  properties: {
    role: { enum: ['assistant', 'user'] },
    content: {
      anyOf: [
        { type: 'object', properties: { type: { const: 'text' }, text: TEXT }, required: ['type', 'text'] },
        {
          type: 'object',
          properties: { type: { enum: ['image', 'audio'] }, data: TEXT, mimeType: TEXT },
          required: ['type', 'data', 'mimeType'],
        },
        {
          type: 'object',
          properties: { type: { const: 'tool_use' }, id: TEXT, name: TEXT, input: { type: 'object' } },
          required: ['type', 'id', 'name', 'input'],
        },
        { type: 'array', items: { type: 'object', properties: { type: TEXT }, required: ['type'] } },
      ],
    },
    model: TEXT,
    stopReason: TEXT,
  },
  required: ['role', 'content', 'model'],
};

const FIRST_REPLY = `{
  "role": "assistant",
  "content": {
    "type": "text",
    "text": ""
  },
  "model": "a person",
  "stopReason": "endTurn"
}`;

/** The error that the specification gives for a rejected sampling request. */
const SAMPLING_REJECTED = { code: -1, message: 'User rejected sampling request' };
