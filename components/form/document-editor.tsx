import { type ReactNode, useState } from 'react';
import { JsonEditor } from '@/components/editor/json-editor';
import { Segmented } from '@/components/ui/segmented';
import { JsonForm } from './json-form';
import type { DocumentState } from './use-document';

const MODES = ['Form', 'JSON'] as const;
type Mode = (typeof MODES)[number];

interface DocumentEditorProps {
  readonly document: DocumentState;
  readonly schema: unknown;
  /** The view to begin with. */
  readonly start: Mode;
  /** Said when there is nothing to fill in. */
  readonly empty: string;
  /** Left of the switch. */
  readonly heading: ReactNode;
  readonly onSubmit: () => void;
}

/** One JSON document as a form or as text, at the user's choice. Text that does not parse is kept; the form waits for it. */
export function DocumentEditor({ document, schema, start, empty, heading, onSubmit }: DocumentEditorProps) {
  const [mode, setMode] = useState(start);
  const { parsed } = document;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex min-h-7 items-center gap-2">
        <div className="min-w-0 flex-1">{heading}</div>
        <Segmented label="View of the arguments" names={MODES} chosen={mode} onChoose={setMode} />
      </div>
      {!parsed.ok && (
        <p role="status" className="text-small break-words text-warn">
          ! The arguments are not JSON ({parsed.message}).{' '}
          {mode === 'Form' && 'Fix them under JSON first: the text is kept.'}
        </p>
      )}
      {mode === 'JSON' && (
        <JsonEditor
          label="Arguments as JSON"
          text={document.text}
          onChange={document.setText}
          schema={schema}
          onSubmit={onSubmit}
          className="h-72"
        />
      )}
      {mode === 'Form' && (
        <div inert={!parsed.ok} className={parsed.ok ? undefined : 'opacity-55'}>
          <JsonForm schema={schema} value={parsed.ok ? parsed.value : {}} change={document.change} empty={empty} />
        </div>
      )}
    </div>
  );
}
