import { useMemo } from 'react';
import { MessageList } from '@/components/exchange/message-list';
import { ProblemCount, useChecker } from '@/components/form/checking';
import { DocumentEditor } from '@/components/form/document-editor';
import { FillMenu } from '@/components/form/fill-menu';
import type { FieldProblem } from '@/components/form/form-state';
import { hasSecrets } from '@/components/form/secrets';
import { useDocument, whyNotSendable } from '@/components/form/use-document';
import { CopyButton } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/notices';
import { JsonTree } from '@/components/untrusted/json-tree';
import { UrlToOpen } from '@/components/untrusted/links';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { compactJson, parseJson, tryParseJson } from '@/lib/json/exact';
import type { JsonSource } from '@/lib/json/source';
import { isObject, own } from '@/lib/json/value';
import { withDefaults } from '@/lib/schema/values';
import { LIMITS } from '@/lib/wire/limits';
import { isSecretName } from '@/lib/wire/secret-names';
import { AnswerBar, type Answering, type QuestionProps, textMember, useAnswer } from './answering';

const NO_COMPLAINTS: readonly FieldProblem[] = [];

/** A form that the server asks the user to fill in, with its defaults. Invalid values can be sent. */
export function ElicitationForm({ log, question, params, draft }: QuestionProps) {
  const written = params?.member('requestedSchema');
  const schema = useMemo(() => readSchema(written), [written]);
  const initial = useMemo(() => withDefaults(schema, { text: '{}', value: {} }).text, [schema]);
  const document = useDocument(draft, 'Form', initial);
  const checking = useChecker(schema, document, NO_COMPLAINTS);
  const answering = useAnswer(log, question);
  const accept = () => {
    if (!document.parsed.ok) return;
    const content = compactJson(document.text);
    answering.answer({ result: `{"action":"accept"${content === '' ? '' : `,"content":${content}`}}` });
  };
  if (!answering.waits) {
    const typed = question.status !== 'answered' && document.text !== initial;
    return (
      <>
        {answering.failure && <ErrorNote failure={answering.failure} />}
        {typed && <TypedAnswer text={document.text} />}
        {written && <AskedFor schema={written} />}
      </>
    );
  }
  return (
    <div className="mt-3 flex max-w-[760px] min-w-0 flex-col gap-3 border-t border-line pt-3">
      {written === undefined && <p className="text-warn">! The request has no requestedSchema</p>}
      <SecretNote schema={schema} />
      <DocumentEditor
        document={document}
        schema={schema}
        unchecked={checking.unchecked}
        what="content"
        empty="No fields: the server only asks you to accept"
        heading={
          <div className="flex flex-wrap items-center gap-x-1">
            <h3 className="mr-2 font-medium">Content</h3>
            <FillMenu document={document} schema={schema} checking={checking} />
          </div>
        }
        onSubmit={accept}
      />
      <AnswerBar
        answering={answering}
        action="Accept"
        onAction={accept}
        others={declineActions(answering)}
        aside={<ProblemCount document={document} />}
        blocked={whyNotSendable(document)}
      />
    </div>
  );
}

/** The form of a question that is over. */
function AskedFor({ schema }: { readonly schema: JsonSource }) {
  return (
    <details>
      <summary className="text-muted">requestedSchema</summary>
      <JsonTree json={schema} />
    </details>
  );
}

/** Parses the schema from its text, so that numbers in defaults and choices keep their digits. */
function readSchema(written: JsonSource | undefined): unknown {
  if (written === undefined) return undefined;
  return written.length <= LIMITS.editorSchemaChars ? parseJson(written.text) : written.value;
}

/** Warns about fields that look secret, which forms must not ask for (2025-11-25, elicitation). */
function SecretNote({ schema }: { readonly schema: unknown }) {
  const properties = isObject(schema) ? own(schema, 'properties') : undefined;
  const names = Object.keys(isObject(properties) ? properties : {}).filter((name) => isSecretName(name, 'argument'));
  if (names.length === 0) return null;
  return (
    <p className="text-warn">
      ! This form seems to ask for secrets (<UntrustedText text={names.join(', ')} limit={200} />
      ), which MCP forbids. What you type goes to the server and into this log.
    </p>
  );
}

/** A URL that the server asks the user to open. It opens only on a click, not with the answer. */
export function ElicitationUrl({ log, question, params }: QuestionProps) {
  const answering = useAnswer(log, question);
  return (
    <div className="mt-3 flex max-w-[760px] min-w-0 flex-col gap-3 border-t border-line pt-3">
      <UrlToOpen address={textMember(params, 'url')} />
      {answering.waits && (
        <p className="text-muted">
          Accept tells the server that you agree to open the URL. mcp-inspect does not see what you do there.
        </p>
      )}
      <AnswerBar
        answering={answering}
        action="Accept"
        onAction={() => answering.answer({ result: '{"action":"accept"}' })}
        others={declineActions(answering)}
      />
    </div>
  );
}

/** The two ways to refuse an elicitation. */
function declineActions({ answer }: Answering) {
  return [
    {
      label: 'Decline',
      title: 'Refuse: {"action":"decline"}',
      run: () => answer({ result: '{"action":"decline"}' }),
    },
    {
      label: 'Cancel',
      title: 'Dismiss without a choice: {"action":"cancel"}',
      run: () => answer({ result: '{"action":"cancel"}' }),
    },
  ];
}

/** The unsent answer to a question that is over, to copy. Closed if it has secrets. */
export function TypedAnswer({ text }: { readonly text: string }) {
  const secret = hasSecrets(text, tryParseJson(text).ok);
  return (
    <details open={!secret} className="mt-3 border-t border-line pt-3">
      <summary>
        Your unsent answer <CopyButton label="Copy" text={() => text} />
      </summary>
      <pre className="mt-1 font-mono text-wire break-words whitespace-pre-wrap">
        <UntrustedText text={text} />
      </pre>
    </details>
  );
}

/** A conversation that the server wants a model to continue. Here the user writes the model's reply. */
export function Sampling({ log, question, params, draft }: QuestionProps) {
  const document = useDocument(draft, 'Form', SAMPLING_DRAFT);
  const checking = useChecker(SAMPLING_SCHEMA, document, NO_COMPLAINTS);
  const answering = useAnswer(log, question);
  const send = () => {
    if (document.parsed.ok && document.sent) answering.answer({ result: compactJson(document.text) });
  };
  // An input request (2026-07-28) can't be answered with an error. The user cancels its call instead.
  const refuse = {
    label: 'Refuse',
    title: `Answer with an error: ${SAMPLING_REFUSED.message}`,
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
          empty="The result has no members"
          heading={<h3 className="font-medium">Model’s reply</h3>}
          onSubmit={send}
        />
      )}
      <AnswerBar
        answering={answering}
        action="Send result"
        onAction={send}
        others={answering.giveUp ? [] : [refuse]}
        aside={<ProblemCount document={document} />}
        blocked={document.parsed.ok && document.sent ? undefined : 'The result must be JSON'}
      />
    </div>
  );
}

const TEXT = { type: 'string' } as const;

/** The form for a `sampling/createMessage` result. Members it does not have can be typed as JSON. */
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
    model: { ...TEXT, description: 'Model name to report' },
    stopReason: { anyOf: [{ enum: ['endTurn', 'stopSequence', 'maxTokens', 'toolUse'] }, TEXT] },
  },
  required: ['role', 'content', 'model'],
};

/** The initial answer. */
const SAMPLING_DRAFT = `{
  "role": "assistant",
  "content": {
    "type": "text",
    "text": ""
  },
  "model": "a person",
  "stopReason": "endTurn"
}`;

/** The error that the specification gives for a refused sampling request. */
const SAMPLING_REFUSED = { code: -1, message: 'User rejected sampling request' };
