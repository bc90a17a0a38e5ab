import { type ClipboardEvent, type ReactNode, useState } from 'react';
import { JsonEditor } from '@/components/editor/json-editor';
import type { Complete } from '@/components/exchange/use-complete';
import { Segmented } from '@/components/ui/button';
import { JsonForm } from './json-form';
import { type DocumentMode, type DocumentState, pastedArguments } from './use-document';

const MODES: readonly DocumentMode[] = ['Form', 'JSON'];

interface DocumentEditorProps {
  readonly document: DocumentState;
  readonly schema: unknown;
  /** Said when there is nothing to fill in. */
  readonly empty: string;
  /** What the document is: `arguments` if absent. */
  readonly what?: 'arguments' | 'content' | 'result';
  /** Left of the switch. */
  readonly heading: ReactNode;
  /** Stands in the place of the document while it is not here. */
  readonly instead?: ReactNode;
  /** Why the schema could not be checked. */
  readonly unchecked?: string;
  readonly onSubmit: () => void;
  readonly complete?: Complete;
}

/** One JSON document as a form or as text, at the user's choice. Text that does not parse is kept; the form waits for it. */
export function DocumentEditor(props: DocumentEditorProps) {
  const { document, schema, empty, what = 'arguments', heading, instead, unchecked, onSubmit, complete } = props;
  const { mode, setMode, parsed, readOnly } = document;
  // The text that was there when something was pasted that is no JSON: said until something changes.
  const [refusedAt, setRefusedAt] = useState<string>();
  const onPaste = (event: ClipboardEvent) => {
    if (readOnly) return;
    // Into a field it goes as it is.
    if ((event.target as Element).closest('input, textarea, select, [contenteditable]')) return;
    const pasted = pastedArguments(event.clipboardData.getData('text'));
    event.preventDefault();
    setRefusedAt(pasted === undefined ? document.text : undefined);
    if (pasted !== undefined) document.fill(pasted);
  };
  if (instead) {
    return (
      <div className="flex min-w-0 flex-col gap-2">
        <div className="flex min-h-7 items-center">{heading}</div>
        {instead}
      </div>
    );
  }
  return (
    <div className="@container flex min-w-0 flex-col gap-2">
      <div className="flex min-h-7 flex-wrap items-center gap-x-1">
        <div className="min-w-0 flex-1">{heading}</div>
        <Segmented label={`View of the ${what}`} names={MODES} chosen={mode} onChoose={setMode} />
      </div>
      {!parsed.ok && (
        <p role="status" className="text-small break-words text-warn">
          ! The {what} {what === 'arguments' ? 'are' : 'is'} not JSON ({parsed.message}).{' '}
          {mode === 'Form' && !readOnly && 'Fix them under JSON first: the text is kept.'}
        </p>
      )}
      {refusedAt === document.text && (
        <p role="status" className="text-small text-warn">
          ! What you pasted is not JSON: nothing is changed.
        </p>
      )}
      {unchecked !== undefined && (
        <p role="status" className="text-small break-words text-warn">
          ! This schema could not be checked: {unchecked}. The form works without it.
        </p>
      )}
      {mode === 'JSON' && (
        <>
          {!document.sent && (
            <p className="text-small text-muted">
              Nothing here: sent without <code className="font-mono">{what}</code>.
            </p>
          )}
          <JsonEditor
            label={`${what[0]!.toUpperCase()}${what.slice(1)} as JSON`}
            text={document.text}
            onChange={document.setText}
            schema={schema}
            onSubmit={onSubmit}
            readOnly={readOnly}
            className="h-72"
          />
        </>
      )}
      {mode === 'Form' && (
        // Takes the focus, so that JSON can be pasted onto it.
        <div
          tabIndex={-1}
          data-form=""
          inert={!parsed.ok}
          onPaste={onPaste}
          className={parsed.ok ? 'outline-none' : 'opacity-55'}
        >
          <JsonForm schema={schema} document={document} what={what} empty={empty} complete={complete} />
        </div>
      )}
    </div>
  );
}
