import { useMemo } from 'react';
import { ProblemCount, useChecker } from '@/components/form/checking';
import { DocumentEditor } from '@/components/form/document-editor';
import type { FieldProblem } from '@/components/form/field-problems';
import { FillMenu } from '@/components/form/fill-menu';
import { hasSecrets } from '@/components/form/secrets';
import { useDocument } from '@/components/form/use-document';
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

/** A form that the server asks a person to fill in. Its defaults are filled in; what is wrong can be sent all the same. */
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
      {written === undefined && <p className="text-warn">! It asks with no requestedSchema.</p>}
      <SecretNote schema={schema} />
      <DocumentEditor
        document={document}
        schema={schema}
        unchecked={checking.unchecked}
        what="content"
        empty="It asks for nothing but your consent."
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
        blocked={document.parsed.ok ? undefined : 'The Raw panel sends text that is not JSON.'}
      />
    </div>
  );
}

/** Of a question that is over: what the form was. */
function AskedFor({ schema }: { readonly schema: JsonSource }) {
  return (
    <details>
      <summary className="text-muted">requestedSchema</summary>
      <JsonTree json={schema} />
    </details>
  );
}

/** Read from its text, so that defaults and choices keep their digits. */
function readSchema(written: JsonSource | undefined): unknown {
  if (written === undefined) return undefined;
  return written.length <= LIMITS.editorSchemaChars ? parseJson(written.text) : written.value;
}

/** Forms are no place for secrets (2025-11-25, elicitation): those that ask for one are pointed out. */
function SecretNote({ schema }: { readonly schema: unknown }) {
  const properties = isObject(schema) ? own(schema, 'properties') : undefined;
  const names = Object.keys(isObject(properties) ? properties : {}).filter((name) => isSecretName(name, 'argument'));
  if (names.length === 0) return null;
  return (
    <p className="text-warn">
      ! It asks for what looks secret (<UntrustedText text={names.join(', ')} limit={200} />
      ), which servers must not do with a form. What you type goes to the server and into this log.
    </p>
  );
}

/** An address that the server asks a person to open. Nothing opens by itself, and answering does not open it. */
export function ElicitationUrl({ log, question, params }: QuestionProps) {
  const answering = useAnswer(log, question);
  return (
    <div className="mt-3 flex max-w-[760px] min-w-0 flex-col gap-3 border-t border-line pt-3">
      <UrlToOpen address={textMember(params, 'url')} />
      {answering.waits && (
        <p className="text-muted">
          Accept says that you agree to go there. What happens there stays between you and that site: the server hears
          of it from the site, not from here.
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

/** Saying no to an elicitation: in so many words, or by choosing nothing. */
function declineActions({ answer }: Answering) {
  return [
    {
      label: 'Decline',
      title: 'Answers that you say no: {"action":"decline"}',
      run: () => answer({ result: '{"action":"decline"}' }),
    },
    {
      label: 'Cancel',
      title: 'Answers that you chose nothing: {"action":"cancel"}',
      run: () => answer({ result: '{"action":"cancel"}' }),
    },
  ];
}

/** What a person had typed for a question that went away: to be read and copied. Closed if there are secrets in it. */
export function TypedAnswer({ text }: { readonly text: string }) {
  const secret = hasSecrets(text, tryParseJson(text).ok);
  return (
    <details open={!secret} className="mt-3 border-t border-line pt-3">
      <summary>
        What you had typed <CopyButton label="Copy" text={() => text} />
      </summary>
      <pre className="mt-1 font-mono text-wire break-words whitespace-pre-wrap">
        <UntrustedText text={text} />
      </pre>
    </details>
  );
}
