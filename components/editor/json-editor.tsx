import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import { isSendKey } from '@/components/ui/key-press';
import { LIMITS } from '@/lib/wire/limits';
import { type CodeEditor, loadMonaco, type MonacoModule } from './monaco';

interface JsonEditorProps {
  /** Accessible name. */
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** JSON Schema to check the text against while typing. */
  readonly schema?: unknown;
  /** Called on ⌘↵ or Ctrl+Enter in the editor. */
  readonly onSubmit?: () => void;
  readonly readOnly?: boolean;
  /** Must set a height. */
  readonly className?: string;
}

/**
 * A text editor for JSON, valid or not. It is a plain text box until Monaco has loaded, and stays one if Monaco fails
 * to load. Tab moves the focus to the next field.
 */
export function JsonEditor({ label, text, onChange, schema, onSubmit, readOnly = false, className }: JsonEditorProps) {
  const box = useRef<HTMLDivElement>(null);
  /** The selection in the plain text box as Monaco took its place, if it had the focus. */
  const caret = useRef<readonly [start: number, end: number]>(undefined);
  // Called just before the box is removed, so that no key is between.
  const plain = useCallback((field: HTMLTextAreaElement) => {
    return () => {
      if (field === document.activeElement) caret.current = [field.selectionStart, field.selectionEnd];
    };
  }, []);
  const [monaco, setMonaco] = useState<MonacoModule>();
  const [failed, setFailed] = useState(false);
  const editor = useRef<CodeEditor>(null);
  const latest = useRef({ text, onChange, label, readOnly });
  const [uri] = useState(newModelUri);

  useLayoutEffect(() => {
    latest.current = { text, onChange, label, readOnly };
  });

  useEffect(() => {
    let wanted = true;
    loadMonaco().then(
      (module) => {
        if (wanted) setMonaco(module);
      },
      () => wanted && setFailed(true),
    );
    return () => {
      wanted = false;
    };
  }, []);

  // Before the browser handles the next key, which would be lost without a text box.
  useLayoutEffect(() => {
    if (monaco === undefined || box.current === null) return;
    const model = monaco.editor.createModel(latest.current.text, 'json', monaco.Uri.parse(uri));
    const made = monaco.editor.create(box.current, {
      ...OPTIONS,
      model,
      ariaLabel: latest.current.label,
      readOnly: latest.current.readOnly,
    });
    // Esc first closes what is open in the editor, then leaves it.
    made.addCommand(monaco.KeyCode.Escape, blurFocused, '!suggestWidgetVisible && !findWidgetVisible');
    const changes = model.onDidChangeContent(() => latest.current.onChange(model.getValue()));
    if (caret.current !== undefined) {
      // Typing continues from there.
      const start = model.getPositionAt(caret.current[0]);
      const end = model.getPositionAt(caret.current[1]);
      made.setSelection({
        startLineNumber: start.lineNumber,
        startColumn: start.column,
        endLineNumber: end.lineNumber,
        endColumn: end.column,
      });
      made.focus();
      caret.current = undefined;
    }
    editor.current = made;
    return () => {
      editor.current = null;
      changes.dispose();
      made.dispose();
      model.dispose();
    };
  }, [monaco, uri]);

  useEffect(() => {
    if (monaco === undefined) return;
    setModelSchema(monaco, uri, schema);
    return () => setModelSchema(monaco, uri, undefined);
  }, [monaco, uri, schema]);

  useEffect(() => {
    const model = editor.current?.getModel();
    if (!model || model.getValue() === text) return;
    // An edit instead of a new value keeps the undo history.
    model.pushEditOperations([], [{ range: model.getFullModelRange(), text }], () => null);
  }, [text]);

  useEffect(() => {
    editor.current?.updateOptions({ ariaLabel: label, readOnly });
  }, [label, readOnly]);

  const onKeyDownCapture = (event: KeyboardEvent) => {
    if (onSubmit === undefined || !isSendKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) onSubmit();
  };

  return (
    <div
      className={classNames('relative min-h-0 min-w-0 border border-line', className)}
      onKeyDownCapture={onKeyDownCapture}
    >
      <div ref={box} className="absolute inset-0" />
      {monaco === undefined && (
        <textarea
          ref={plain}
          aria-label={label}
          readOnly={readOnly}
          value={text}
          onChange={(event) => onChange(event.target.value)}
          spellCheck={false}
          autoComplete="off"
          className="absolute inset-0 resize-none bg-bg p-2 font-mono text-wire"
        />
      )}
      {failed && !readOnly && (
        <p className="absolute right-2 bottom-1 bg-surface px-1 text-small text-warn">
          The editor did not load. This is a plain text box.
        </p>
      )}
    </div>
  );
}

function blurFocused(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

const OPTIONS = {
  // The text must be exactly what was typed or pasted.
  autoClosingBrackets: 'never',
  autoClosingQuotes: 'never',
  autoSurround: 'never',
  automaticLayout: true,
  editContext: false,
  fixedOverflowWidgets: true,
  folding: true,
  fontFamily: 'var(--font-geist-mono, ui-monospace), monospace',
  fontSize: 12,
  hideCursorInOverviewRuler: true,
  lineHeight: 18,
  lineNumbersMinChars: 3,
  minimap: { enabled: false },
  overviewRulerBorder: false,
  overviewRulerLanes: 0,
  padding: { top: 4, bottom: 4 },
  // The number of an empty last line would be too faint.
  renderFinalNewline: 'on',
  renderLineHighlight: 'none',
  scrollBeyondLastLine: false,
  scrollbar: { alwaysConsumeMouseWheel: false, useShadows: false },
  tabFocusMode: true,
  tabSize: 2,
  wordWrap: 'on',
} as const;

const schemas = new Map<string, unknown>();
let counter = 0;

/** Returns a unique model URI. Monaco matches schemas to editors by this URI. */
function newModelUri(): string {
  counter += 1;
  return `inmemory://editor/${counter}.json`;
}

/** Monaco's own keywords, through which a server's schema could show Markdown or snippets. */
const DROPPED = new Set([
  'markdownDescription',
  'markdownEnumDescriptions',
  'markdownDeprecationMessage',
  'defaultSnippets',
]);

/** Makes the editor check the model at `uri` against a schema, or against none. References are never fetched. */
function setModelSchema(monaco: MonacoModule, uri: string, schema: unknown): void {
  const usable = plainSchema(schema);
  if (usable !== undefined) schemas.set(uri, usable);
  else if (!schemas.delete(uri) && configured) return;
  configured = true;
  // Each call restarts the JSON worker.
  monaco.jsonDefaults.setDiagnosticsOptions({
    validate: true,
    allowComments: false,
    enableSchemaRequest: false,
    // A schema names its dialect in `$schema`, which is not a fault of it.
    schemaRequest: 'ignore',
    schemaValidation: 'warning',
    schemas: [...schemas].map(([uri, schema]) => ({ uri: `${uri}.schema`, fileMatch: [uri], schema })),
  });
}

let configured = false;

/** Returns a copy of the schema for the worker, or undefined if it is too deep, too long or missing. */
function plainSchema(schema: unknown): unknown {
  if (schema === undefined) return undefined;
  try {
    const text = JSON.stringify(schema, (key, value) => (DROPPED.has(key) ? undefined : value));
    return text.length <= LIMITS.editorSchemaChars ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
