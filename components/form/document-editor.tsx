import { type ClipboardEvent, type FocusEvent, type KeyboardEvent, type ReactNode, useState } from 'react';
import { JsonEditor } from '@/components/editor/json-editor';
import type { CompleteArgument } from '@/components/exchange/use-complete';
import { Button } from '@/components/ui/button';
import { fieldsLeft, pathKey } from './form-state';
import { JsonForm } from './json-form';
import { type DocumentState, pastedArguments } from './use-document';

interface DocumentEditorProps {
  readonly document: DocumentState;
  readonly schema: unknown;
  /** Shown if the schema has no fields. */
  readonly empty: string;
  /** The document's name: `arguments` by default. */
  readonly what?: 'arguments' | 'content' | 'result';
  /** Shown left of the Form/JSON switch. Without it, show a {@link ModeSwitch} elsewhere. */
  readonly heading?: ReactNode;
  /** Shown instead of the document while its bytes are not loaded. */
  readonly instead?: ReactNode;
  /** Why the schema could not be checked. */
  readonly unchecked?: string;
  readonly onSubmit: () => void;
  readonly complete?: CompleteArgument;
  /** For people who do not know the schema: titles are labels, and booleans are checkboxes. */
  readonly titles?: boolean;
  /** Whether a further field is asked for; undefined if the form has a button that asks for it. */
  readonly addsField?: boolean;
  /** Shown instead of the schema's fields. */
  readonly form?: ReactNode;
}

/** Edits a JSON document as a form or as text. Invalid text is kept, and the form is disabled until it is fixed. */
export function DocumentEditor(props: DocumentEditorProps) {
  const {
    document,
    schema,
    empty,
    what = 'arguments',
    heading,
    instead,
    unchecked,
    onSubmit,
    complete,
    titles,
    addsField,
    form,
  } = props;
  const { mode, parsed, readOnly } = document;
  // The document's text when something that is not JSON was pasted. The note stays until the text changes.
  const [refusedAt, setRefusedAt] = useState<string>();
  const onPaste = (event: ClipboardEvent) => {
    if (readOnly) return;
    // The browser pastes into the focused field.
    if ((event.target as Element).closest('input, textarea, select, [contenteditable]')) return;
    const pasted = pastedArguments(event.clipboardData.getData('text'));
    event.preventDefault();
    setRefusedAt(pasted === undefined ? document.text : undefined);
    if (pasted !== undefined) document.fill(pasted);
  };
  if (instead) {
    return (
      <div className="flex min-w-0 flex-col gap-2">
        {heading && <div className="flex min-h-7 items-center">{heading}</div>}
        {instead}
      </div>
    );
  }
  return (
    <div className="@container flex min-w-0 flex-col gap-2">
      {heading && (
        <div className="flex min-h-7 flex-wrap items-center gap-x-1">
          <div className="min-w-0 flex-1">{heading}</div>
          <ModeSwitch document={document} what={what} />
        </div>
      )}
      {!parsed.ok && (
        <p role="status" className="text-small break-words text-warn">
          ! The {what} {what === 'arguments' ? 'are' : 'is'} not JSON ({parsed.message}).{' '}
          {mode === 'Form' && !readOnly && 'Fix the text in the JSON tab first.'}
        </p>
      )}
      {refusedAt === document.text && (
        <p role="status" className="text-small text-warn">
          ! The pasted text is not JSON. Nothing was changed
        </p>
      )}
      {unchecked !== undefined && (
        <p role="status" className="text-small break-words text-warn">
          ! The schema could not be checked: {unchecked}. The form still works.
        </p>
      )}
      {mode === 'JSON' && <DocumentText {...{ document, schema, what, onSubmit }} />}
      {mode === 'Form' && (
        // biome-ignore lint/a11y/noStaticElementInteractions: it only watches its fields
        <div
          // Focusable, so that JSON can be pasted onto the form.
          tabIndex={-1}
          data-form=""
          onKeyDownCapture={openFieldMenu}
          inert={!parsed.ok}
          onPaste={onPaste}
          onBlur={(event) => leaveFields(document, event)}
          className={parsed.ok ? 'outline-none' : 'opacity-55'}
        >
          {form ?? (
            <JsonForm
              schema={schema}
              document={document}
              what={what}
              empty={empty}
              complete={complete}
              titles={titles}
              addsField={addsField}
            />
          )}
        </div>
      )}
    </div>
  );
}

/** Opens the menu of the field that has the focus: Alt+↓, because the menu's button is no Tab stop. */
function openFieldMenu(event: KeyboardEvent): void {
  if (!event.altKey || event.key !== 'ArrowDown') return;
  const field = (event.target as Element).closest('[data-field]');
  const button = field?.querySelector<HTMLElement>('.field-buttons [aria-haspopup=menu]');
  if (!button) return;
  event.preventDefault();
  event.stopPropagation();
  button.click();
}

/** Shows the problems of the fields that the focus leaves. */
function leaveFields({ problems, text }: DocumentState, { target, relatedTarget, currentTarget }: FocusEvent): void {
  // The window may lose the focus while the field keeps it.
  if (!document.hasFocus()) return;
  // The page focuses the first field, so leaving a form that is still empty says nothing about it.
  if (!currentTarget.contains(relatedTarget) && /^\s*(?:\{\s*\})?\s*$/.test(text)) return;
  const left = fieldsLeft(target, relatedTarget);
  const whole = currentTarget.contains(relatedTarget) ? [] : [pathKey([])];
  const leave = () => problems.leaveFields([...left, ...whole]);
  // What appears must not move a pressed button away. Firefox moves the focus before it marks what is pressed.
  setTimeout(() => {
    if (document.querySelector(':active') === null) leave();
    else addEventListener('mouseup', () => setTimeout(leave), { once: true });
  });
}

/** Switches between the form and the text of a document. */
export function ModeSwitch({ document, what = 'arguments' }: Pick<DocumentEditorProps, 'document' | 'what'>) {
  const other = document.mode === 'Form' ? 'JSON' : 'Form';
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out inline
    <span role="group" aria-label={`View of the ${what}`} className="inline-flex">
      <Button
        size="small"
        variant="ghost"
        title={`Edit the ${what} as ${other === 'JSON' ? 'JSON' : 'a form'}`}
        onClick={() => document.setMode(other)}
        className="text-muted"
      >
        {other}
      </Button>
    </span>
  );
}

/** The document in the JSON editor. */
function DocumentText({
  document,
  schema,
  what = 'arguments',
  onSubmit,
}: Pick<DocumentEditorProps, 'document' | 'schema' | 'what' | 'onSubmit'>) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches the editor
    <div onBlur={() => document.problems.showAll()}>
      {!document.sent && (
        <p className="text-small text-muted">
          Empty, so <code className="font-mono">{what}</code> is not sent
        </p>
      )}
      <JsonEditor
        label={`${what[0]!.toUpperCase()}${what.slice(1)} as JSON`}
        text={document.text}
        onChange={document.setText}
        schema={schema}
        onSubmit={onSubmit}
        readOnly={document.readOnly}
        className="h-72"
      />
    </div>
  );
}
