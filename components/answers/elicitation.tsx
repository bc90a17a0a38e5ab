import { useMemo, useState } from 'react';
import { firstInPage, ProblemCount, useChecker } from '@/components/form/checking';
import { DocumentEditor } from '@/components/form/document-editor';
import { FillMenu, useFill } from '@/components/form/fill-menu';
import { type FieldProblem, pathKey } from '@/components/form/form-state';
import { useDocument, whyNotSendable } from '@/components/form/use-document';
import { UrlToOpen } from '@/components/untrusted/links';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { compactJson, parseExactJson } from '@/lib/json/exact';
import type { JsonSource } from '@/lib/json/source';
import { isObject, own } from '@/lib/json/value';
import { withDefaults } from '@/lib/schema/values';
import { view as viewOf } from '@/lib/schema/view';
import { LIMITS } from '@/lib/wire/limits';
import { isSecretName } from '@/lib/wire/secret-names';
import { asksForSecret } from '@/lib/wire/secret-questions';
import { type AnswerAction, AnswerForm, type PendingAnswer, type QuestionProps, textMember } from './answering';
import { AnswerHistory, RecentAnswers, useSavedAnswers } from './saved-answers';

const NO_COMPLAINTS: readonly FieldProblem[] = [];

/** A form that the server asks the user to fill in, with its defaults. Invalid values can be sent. */
export function ElicitationForm({ log, question, params, draft, answering }: QuestionProps) {
  const written = params?.member('requestedSchema');
  const schema = useMemo(() => readSchema(written), [written]);
  const initial = useMemo(() => initialContent(schema), [schema]);
  const document = useDocument(draft, 'Form', initial);
  const checking = useChecker(schema, document, NO_COMPLAINTS);
  const fill = useFill(document, schema, checking);
  const saved = useSavedAnswers(log, `${question.method} ${fieldNames(schema).join(',')}`, answering.waits);
  /** The text that was not sent because of its problems. */
  const [held, setHeld] = useState<string>();
  const send = (always?: true) => {
    if (!asksForSecret({ requestedSchema: schema, message: textMember(params, 'message') })) {
      saved.remember(document.text);
    }
    const content = compactJson(document.text);
    answering.answer({ result: `{"action":"accept"${content === '' ? '' : `,"content":${content}`}}` }, always);
  };
  const accept = async (always?: true) => {
    if (!document.parsed.ok) return;
    const problems = await checking.check();
    if (problems === undefined) return;
    if (problems.length === 0) return send(always);
    setHeld(document.text);
    document.problems.showAll();
    const invalid = new Map(problems.map(({ path }) => [pathKey(path), path]));
    if (document.mode === 'Form') document.reveal.revealField(firstInPage(invalid));
  };
  const isHeld = held === document.text;
  if (!answering.waits && !answering.over) return null;
  const fields = fieldNames(schema).length;
  // A form that nobody has filled in is not worth a standing answer.
  const isEmpty = fields > 0 && (compactJson(document.text) === '' || compactJson(document.text) === '{}');
  return (
    <AnswerForm
      answering={answering}
      main={{
        label: 'Accept',
        run: (always) => void accept(always),
        ...(!isEmpty && { always: alwaysAccept(fields) }),
      }}
      others={[
        ...(isHeld ? [{ label: 'Accept anyway', title: 'Send the invalid content', run: send }] : []),
        ...refusals(answering),
      ]}
      draft={{ text: document.text, isSendable: document.parsed.ok }}
      sendAnyway={() => send()}
      aside={
        <>
          <ProblemCount document={document} />
          <span role="status" className="text-small text-muted">
            {isHeld && 'Not sent. Correct it, or accept anyway'}
          </span>
        </>
      }
      blocked={whyNotSendable(document)}
    >
      {written === undefined && <p className="text-warn">! The request has no requestedSchema</p>}
      <SecretNote schema={schema} />
      <DocumentEditor
        document={document}
        schema={schema}
        unchecked={checking.unchecked}
        what="content"
        titles
        empty="No fields: the server only asks you to accept"
        heading={
          <div className="flex flex-wrap items-center gap-x-1">
            <h3 className="mr-2 font-medium">Your answer</h3>
            {fields > 0 && <FillMenu fill={fill} />}
            {fields > 0 && <AnswerHistory saved={saved} document={document} />}
          </div>
        }
        onSubmit={() => void accept()}
      />
      {document.text === initial && fields > 0 && <RecentAnswers saved={saved} document={document} />}
    </AnswerForm>
  );
}

function alwaysAccept(fields: number): string {
  return fields === 0 ? 'Always accept' : 'Always accept with these values';
}

/** Returns the names of the form's fields. */
function fieldNames(schema: unknown): readonly string[] {
  const properties = isObject(schema) ? own(schema, 'properties') : undefined;
  return isObject(properties) ? Object.keys(properties) : [];
}

/** Returns the schema's defaults, and false for other optional booleans, whose checkboxes are empty. */
export function initialContent(schema: unknown): string {
  const view = viewOf(schema, schema);
  const value: Record<string, unknown> = {};
  for (const { name, schema: property, required } of view.kind === 'object' ? view.properties : []) {
    const field = viewOf(property, schema);
    if (field.kind === 'boolean' && field.default === undefined && !required) value[name] = false;
  }
  return withDefaults(schema, { text: JSON.stringify(value), value }).text;
}

/** Parses the schema from its text, so that numbers in defaults and choices keep their digits. */
function readSchema(written: JsonSource | undefined): unknown {
  if (written === undefined) return undefined;
  return written.length <= LIMITS.editorSchemaChars ? parseExactJson(written.text) : written.value;
}

/** Warns about fields that look secret, which forms must not ask for (2025-11-25, elicitation). */
function SecretNote({ schema }: { readonly schema: unknown }) {
  const names = fieldNames(schema).filter((name) => isSecretName(name, 'argument'));
  if (names.length === 0) return null;
  return (
    <p className="text-warn">
      ! This form seems to ask for secrets (<UntrustedText text={names.join(', ')} limit={200} />
      ), which MCP forbids. What you type goes to the server and into this log.
    </p>
  );
}

/** A URL that the server asks the user to open. It opens only on a click, not with the answer. */
export function ElicitationUrl({ params, answering }: QuestionProps) {
  const accept = () => answering.answer({ result: '{"action":"accept"}' });
  return (
    <AnswerForm
      answering={answering}
      main={{ label: 'Accept', run: accept }}
      others={refusals(answering)}
      sendAnyway={accept}
    >
      <UrlToOpen address={textMember(params, 'url')} />
      {answering.waits && (
        <p className="text-muted">
          Accept tells the server that you agree to open the URL. mcp-inspect does not see what you do there.
        </p>
      )}
    </AnswerForm>
  );
}

/** Returns the two ways to refuse an elicitation. */
function refusals({ answer }: PendingAnswer): readonly AnswerAction[] {
  return [
    {
      label: 'Decline',
      title: 'Refuse: {"action":"decline"}',
      run: (always) => answer({ result: '{"action":"decline"}' }, always),
      always: 'Always decline',
    },
    {
      label: 'Cancel',
      title: 'Dismiss without a choice: {"action":"cancel"}',
      run: () => answer({ result: '{"action":"cancel"}' }),
    },
  ];
}
