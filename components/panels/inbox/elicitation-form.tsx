import { useMemo } from 'react';
import { DocumentEditor } from '@/components/form/document-editor';
import { FillMenu } from '@/components/form/fill-menu';
import type { FieldProblem } from '@/components/form/problem-board';
import { ProblemCount } from '@/components/form/problem-count';
import { looksSecret } from '@/components/form/secrets';
import { useChecker } from '@/components/form/use-checker';
import { useDocument } from '@/components/form/use-document';
import { ErrorNote } from '@/components/ui/error-note';
import { JsonTree } from '@/components/untrusted/json-tree';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { withDefaults } from '@/lib/schema/defaults';
import { compactJson, parseJson } from '@/lib/schema/json';
import type { JsonSource } from '@/lib/wire/json-source';
import { LIMITS } from '@/lib/wire/limits';
import { isObject, own } from '@/lib/wire/message';
import { AnswerBar } from './answer-bar';
import { refusals } from './elicit-actions';
import type { QuestionProps } from './question-props';
import { TypedFor } from './typed-for';
import { useAnswer } from './use-answer';

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
        {typed && <TypedFor text={document.text} />}
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
        others={refusals(answering)}
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
  const names = Object.keys(isObject(properties) ? properties : {}).filter(looksSecret);
  if (names.length === 0) return null;
  return (
    <p className="text-warn">
      ! It asks for what looks secret (<UntrustedText text={names.join(', ')} limit={200} />
      ), which servers must not do with a form. What you type goes to the server and into this log.
    </p>
  );
}
