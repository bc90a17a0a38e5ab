import { type ReactNode, useId, useMemo, useState } from 'react';
import { JsonEditor } from '@/components/editor/json-editor';
import { TextDiff } from '@/components/editor/text-diff';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Checkbox, FIELD, TextInput } from '@/components/ui/inputs';
import { ErrorNote } from '@/components/ui/notices';
import { TabPanel, Tabs } from '@/components/ui/tabs';
import { visibleText } from '@/components/ui/visible-text';
import { Overlay } from '@/features/intercept/lib/overlay';
import {
  changeOf,
  definitionTokens,
  type EditedTool,
  type EditFaults,
  editedTool,
  shownDefinition,
} from '@/features/intercept/lib/overlay-edit';
import { type ToolChange, writeOverlay } from '@/features/intercept/lib/overlay-file';
import { useDraft } from '@/lib/hooks/drafts';
import { prettyJson } from '@/lib/json/exact';
import { TokenChange } from './token-change';
import type { HostOverlay } from './use-overlay';

interface ToolDialogProps {
  readonly host: HostOverlay;
  /** The server's name of the tool, and its definition as the server sent it. */
  readonly tool: string;
  readonly definition: string;
  /** The server is gone, or this is a recording. The dialog then only compares. */
  readonly isReadOnly: boolean;
  readonly startsWith: 'edit' | 'compare';
  readonly onApplied: () => void;
  readonly onClose: () => void;
}

const PARTS = [
  { id: 'edit', title: 'Edit' },
  { id: 'compare', title: 'Compare' },
] as const;

/** Matches the names that the specification advises. Hosts pass names on to models, which refuse others. */
const PLAIN_NAME = /^[\w.-]{1,128}$/;

/** Edits how the host sees a tool, and compares that with the server's definition. */
export function ToolDialog({ host, tool, definition, isReadOnly, startsWith, onApplied, onClose }: ToolDialogProps) {
  const { overlay, tools = [], change: setChange, failure } = host;
  // Kept when the dialog closes by Esc or a click beside it, and through a reload.
  const [typed, setTyped] = useDraft<EditedTool | null>(`overlay of ${tool}`, null);
  const start = useMemo(() => startOf(overlay, tool, definition), [overlay, tool, definition]);
  const edited = isReadOnly ? start : (typed ?? start);
  const [part, setPart] = useState<'edit' | 'compare'>(isReadOnly ? 'compare' : startsWith);
  const [isSending, setIsSending] = useState(false);
  const others = useMemo(
    () => new Set(tools.filter(({ name }) => name !== tool).map(({ name }) => hostNameOf(overlay, name))),
    [tools, tool, overlay],
  );
  const outcome = useMemo(() => changeOf(tool, definition, edited, others), [tool, definition, edited, others]);
  const faults: EditFaults = 'faults' in outcome ? outcome.faults : {};
  const change = 'change' in outcome ? outcome.change : undefined;
  const after = useMemo(() => change && changed(tool, definition, change), [tool, definition, change]);
  const isChanged = overlay !== undefined && Object.hasOwn(overlay.file.tools, tool);
  const send = async (wanted: ToolChange) => {
    setIsSending(true);
    if (await setChange(tool, wanted)) {
      setTyped(null);
      onApplied();
    } else setIsSending(false);
  };
  const name = visibleText(tool.slice(0, 100));
  return (
    <Dialog title={`Override ${name} for clients`} width="wider" parts onClose={onClose}>
      <form
        className="flex min-h-0 min-w-0 grow flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (change && !isReadOnly && !isSending) void send(change);
        }}
      >
        <Tabs
          id="overlay-tool"
          label="Edit or compare"
          items={isReadOnly ? PARTS.slice(1) : PARTS}
          selected={part}
          onSelect={setPart}
        />
        <TabPanel tabs="overlay-tool" selected={part} className="min-h-0 min-w-0 grow overflow-auto">
          {part === 'edit' ? (
            <Fields edited={edited} faults={faults} onEdited={setTyped} />
          ) : (
            <Comparison name={name} before={definition} after={after} isHidden={edited.hidden} />
          )}
        </TabPanel>
        {failure && <ErrorNote failure={failure} codeless />}
        <footer className="flex min-w-0 flex-wrap items-center gap-2">
          {after !== undefined && (
            <TokenChange before={definitionTokens(definition)} after={edited.hidden ? 0 : definitionTokens(after)} />
          )}
          <span className="ml-auto flex flex-wrap gap-2">
            {isChanged && !isReadOnly && (
              <Button variant="ghost" disabled={isSending} onClick={() => void send({})}>
                Reset this tool
              </Button>
            )}
            <Button
              onClick={() => {
                setTyped(null);
                onClose();
              }}
            >
              {isReadOnly ? 'Close' : 'Cancel'}
            </Button>
            {!isReadOnly && (
              <Button type="submit" variant="primary" disabled={change === undefined || isSending}>
                Apply
              </Button>
            )}
          </span>
        </footer>
      </form>
    </Dialog>
  );
}

function startOf(overlay: Overlay | undefined, tool: string, definition: string): EditedTool {
  const change = overlay && Object.hasOwn(overlay.file.tools, tool) ? overlay.file.tools[tool] : undefined;
  return editedTool(change?.name ?? tool, shownDefinition(overlay, tool, definition), change?.hidden === true);
}

function hostNameOf(overlay: Overlay | undefined, tool: string): string {
  return (overlay ? overlay.hostName(tool) : tool) ?? '';
}

function changed(tool: string, definition: string, change: ToolChange): string {
  // Through the same reader as the overlay that will be set.
  const { hidden, ...visible } = change;
  return new Overlay(writeOverlay({ tools: Object.fromEntries([[tool, visible]]) })).changed(tool, definition);
}

interface FieldsProps {
  readonly edited: EditedTool;
  readonly faults: EditFaults;
  readonly onEdited: (edited: EditedTool) => void;
}

function Fields({ edited, faults, onEdited }: FieldsProps) {
  const set = (changes: Partial<EditedTool>) => onEdited({ ...edited, ...changes });
  const text = useId();
  return (
    <div className="grid min-w-0 grid-cols-2 gap-4 narrow:grid-cols-1">
      <div className="flex min-w-0 flex-col gap-3">
        <Field fault={faults.name}>
          <TextInput
            label="Name"
            mono
            value={edited.name}
            onChange={(name) => set({ name })}
            aria-invalid={faults.name !== undefined || undefined}
          />
          {edited.name !== '' && !PLAIN_NAME.test(edited.name) && (
            <p className="text-small text-warn">! Hosts may refuse this name. Use A–Z, a–z, 0–9, _, - and .</p>
          )}
        </Field>
        <TextInput label="Title" value={edited.title} onChange={(title) => set({ title })} />
        <div className="flex min-w-0 flex-col gap-1">
          <label htmlFor={text} className="text-muted">
            Description
          </label>
          <textarea
            id={text}
            rows={8}
            spellCheck={false}
            value={edited.description}
            onChange={({ target }) => set({ description: target.value })}
            className={`${FIELD} h-auto resize-y py-1`}
          />
        </div>
        <Checkbox label="Hide this tool from the host" checked={edited.hidden} onChange={(hidden) => set({ hidden })} />
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <JsonField
          label="inputSchema"
          text={edited.inputSchema}
          fault={faults.inputSchema}
          height="h-64"
          onText={(inputSchema) => set({ inputSchema })}
        />
        <JsonField
          label="annotations"
          text={edited.annotations}
          fault={faults.annotations}
          height="h-28"
          onText={(annotations) => set({ annotations })}
        />
      </div>
    </div>
  );
}

function Field({ fault, children }: { readonly fault: string | undefined; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {children}
      {fault !== undefined && <p className="text-small text-error">× {fault}</p>}
    </div>
  );
}

interface JsonFieldProps {
  readonly label: string;
  readonly text: string;
  readonly fault: string | undefined;
  /** Class that sets the height. */
  readonly height: string;
  readonly onText: (text: string) => void;
}

function JsonField({ label, text, fault, height, onText }: JsonFieldProps) {
  return (
    <Field fault={fault}>
      <span aria-hidden="true" className="font-mono text-wire text-muted">
        {label}
      </span>
      <JsonEditor label={label} text={text} onChange={onText} className={height} />
    </Field>
  );
}

interface ComparisonProps {
  readonly name: string;
  readonly before: string;
  /** undefined while the edit has faults. */
  readonly after: string | undefined;
  readonly isHidden: boolean;
}

function Comparison({ name, before, after, isHidden }: ComparisonProps) {
  if (after === undefined) return <p className="text-warn">! Correct the definition under Edit to compare it</p>;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {isHidden && <p className="text-warn">The host does not see this tool</p>}
      {before === after ? (
        <p className="text-muted">The host sees the server’s definition</p>
      ) : (
        <>
          <div aria-hidden="true" className="grid grid-cols-2 gap-2 text-small text-muted narrow:hidden">
            <span>The server’s definition</span>
            <span>As the host sees it</span>
          </div>
          <TextDiff
            label={`Server’s and host’s definition of ${name}`}
            before={prettyJson(before)}
            after={prettyJson(after)}
            className="h-[52vh]"
          />
        </>
      )}
    </div>
  );
}
