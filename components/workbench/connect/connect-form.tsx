import { type FormEvent, type KeyboardEvent, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Checkbox, FIELD, Select } from '@/components/ui/inputs';
import { ErrorNote, Sentence, Spinner } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { useClient } from '@/lib/hooks/client';
import { useServers } from '@/lib/hooks/servers';
import type { TypedServer } from '@/lib/wire/api';
import { type Failure, PROTOCOL_VERSIONS, type ProtocolChoice } from '@/lib/wire/lifecycle';
import type { PastedServer } from '@/lib/wire/target-text';
import { missingInputsText } from './input-fields';
import {
  EMPTY_DRAFT,
  hasOptions,
  inputsOfDraft,
  problemOfDraft,
  profileProblemOfDraft,
  readDraft,
  type ServerDraft,
  serverOfDraft,
  targetOfDraft,
  withText,
} from './server-draft';
import { TargetDetails, TargetOptions } from './target-details';
import { TerminalCommand } from './target-preview';
import { useConnect } from './use-connect';

const PROTOCOLS: readonly { value: ProtocolChoice; label: string }[] = [
  { value: 'auto', label: 'Auto-detect' },
  ...PROTOCOL_VERSIONS.map((version) => ({ value: version, label: version })).reverse(),
];

/** The form to add a server: type or paste a command, URL or config, check what will run, connect. */
export function ConnectForm({
  draft: given = EMPTY_DRAFT,
  onDraft,
  onConnected,
}: {
  /** Absent until the user types something. */
  readonly draft: ServerDraft | undefined;
  readonly onDraft: (draft: ServerDraft | undefined) => void;
  readonly onConnected: (connection: string) => void;
}) {
  const { connect, pending, failure: refused, dismiss } = useConnect();
  const { change: changeServers } = useServers();
  const [unsaved, setUnsaved] = useState<Failure>();
  const alone = useClient().status === 'none';
  // Without a proxy every connection is direct.
  const draft: ServerDraft = alone ? { ...given, via: 'direct' } : given;
  const { parsed, server } = readDraft(draft);
  const problem = draft.text.trim() === '' ? undefined : problemOfDraft(draft);
  const whole = problem === undefined ? targetOfDraft(draft) : undefined;
  const unstartable = alone && whole?.transport === 'stdio';
  const target = unstartable ? undefined : whole;
  const inputs = unstartable || problem !== undefined ? [] : inputsOfDraft(draft);
  const missing = missingInputsText(inputs, draft.answers);

  const { entry } = draft;
  const typed = entry && problem === undefined ? serverOfDraft(draft) : undefined;
  const failure = unsaved ?? refused;

  /** Changes the draft. The last attempt's failure no longer applies to it. */
  const change = (next: ServerDraft | undefined) => {
    dismiss();
    setUnsaved(undefined);
    onDraft(next);
  };
  const submit = async (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (!target || pending) return;
    const connection = await connect(target, draft.protocol, entry?.id);
    if (connection !== undefined) onConnected(connection);
  };
  const save = async (server: TypedServer, id: string) => {
    try {
      await changeServers({ kind: 'edit', id, server });
      change(undefined);
    } catch (error) {
      setUnsaved(error as Failure);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className={FORM}>
      {entry && (
        <div className="flex min-h-7 items-center gap-2">
          <h3 className="min-w-0 truncate font-medium">Edit {visibleText(entry.name)}</h3>
          <Button size="small" variant="ghost" onClick={() => change(undefined)}>
            Cancel
          </Button>
        </div>
      )}
      <ServerText
        draft={draft}
        problem={problem}
        alone={alone}
        isShort={inputs.length > 0}
        onDraft={change}
        onSubmit={(event) => void submit(event)}
      />
      {parsed.targets.length > 1 && (
        <Select
          label={`Server (${parsed.targets.length} in this config)`}
          value={String(draft.chosen)}
          onChange={(value) => change(withText(draft, draft.text, Number(value)))}
          options={parsed.targets.map((one, index) => ({
            value: String(index),
            label: `${one.name ?? `server ${index + 1}`}${one.disabled ? ' (disabled)' : ''}`,
          }))}
        />
      )}
      {unstartable && (
        <TerminalCommand target={whole}>
          This page cannot start commands. Run this in a terminal instead:
        </TerminalCommand>
      )}
      {server && (target || inputs.length > 0 || server.target.transport !== 'stdio') && (
        <TargetDetails draft={draft} server={server} onDraft={change} />
      )}
      <LostNote draft={draft} />
      <Options draft={draft} server={server} onDraft={change} />
      <ConnectBar
        disabled={!target || pending}
        reason={problem ?? profileProblemOfDraft(draft) ?? missing}
        missing={missing}
        pending={pending}
        onSave={typed && entry && (() => void save(typed, entry.id))}
      />
      {failure && <ErrorNote failure={failure} />}
    </form>
  );
}

/** A field that gets the focus must not stay beneath the bar, which is up to 9 rem high. */
const FORM =
  'flex min-w-0 flex-col gap-3 [&_input]:scroll-mb-36 [&_select]:scroll-mb-36 [&_summary]:scroll-mb-36 [&_textarea]:scroll-mb-36';

/** Says what the reload of the tab has removed. */
function LostNote({ draft: { lost, text } }: { readonly draft: ServerDraft }) {
  if (lost === undefined || (lost === 'text' && text !== '')) return null;
  return (
    <p role="status" className="text-muted">
      {lost === 'text'
        ? 'The reload removed the text, which may have a secret. Type or paste it again.'
        : 'The reload removed tokens and values, which may be secret. Type them again.'}
    </p>
  );
}

/** The text box for a command, URL or config, and what is wrong with its text. */
function ServerText({
  draft,
  problem,
  alone,
  isShort,
  onDraft,
  onSubmit,
}: {
  readonly draft: ServerDraft;
  readonly problem: string | undefined;
  /** Without a proxy commands can't be started. */
  readonly alone: boolean;
  /** Other fields are to be filled in, so the text takes little room. */
  readonly isShort: boolean;
  readonly onDraft: (draft: ServerDraft) => void;
  readonly onSubmit: (event: KeyboardEvent) => void;
}) {
  const textId = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const plain = event.key === 'Enter' && !event.shiftKey && !/^\s*[{["]/.test(draft.text);
    if (plain || (event.key === 'Enter' && (event.metaKey || event.ctrlKey))) onSubmit(event);
  };
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={textId} className="text-muted">
        {alone ? 'URL or JSON config' : 'Command line, URL or JSON config'}
      </label>
      <textarea
        id={textId}
        // biome-ignore lint/a11y/noAutofocus: the user opened the form to type here
        autoFocus
        // For browsers without `field-sizing: content`.
        rows={Math.min(12, Math.max(2, draft.text.split('\n').length))}
        value={draft.text}
        spellCheck={false}
        autoCapitalize="off"
        placeholder={alone ? 'https://example.com/mcp' : 'uv run server.py\nnode server.js'}
        onChange={(event) => onDraft(withText(draft, event.target.value))}
        onKeyDown={onKeyDown}
        className={`${FIELD} field-sizing-content h-auto ${isShort ? 'max-h-[calc(5lh+10px)]' : 'max-h-[calc(12lh+10px)]'} min-h-[calc(2lh+10px)] resize-y py-1 font-mono text-wire`}
      />
      {problem !== undefined && (
        <p role="status" className="break-words text-error">
          <Sentence text={problem} />
        </p>
      )}
      {!alone && <ShellNote text={draft.text} />}
    </div>
  );
}

/** The protocol version and, once there is a target, its environment or headers. Closed unless something is set. */
function Options({
  draft,
  server,
  onDraft,
}: {
  readonly draft: ServerDraft;
  readonly server: PastedServer | undefined;
  readonly onDraft: (draft: ServerDraft) => void;
}) {
  const { protocol } = draft;
  const [chosen, choose] = useState<boolean>();
  const open = chosen ?? hasOptions(draft);
  return (
    <details open={open} onToggle={({ currentTarget }) => currentTarget.open !== open && choose(currentTarget.open)}>
      <summary className="text-muted">Options</summary>
      <div className="mt-2 flex min-w-0 flex-col gap-3">
        <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
          {protocol !== 'none' && (
            <div className="w-52 shrink-0">
              <Select
                label="Protocol version"
                value={protocol}
                onChange={(chosen) => onDraft({ ...draft, protocol: chosen })}
                options={PROTOCOLS}
              />
            </div>
          )}
          <Checkbox
            label={protocol === 'none' ? 'No handshake: write every message yourself' : 'No handshake'}
            checked={protocol === 'none'}
            onChange={(without) => onDraft({ ...draft, protocol: without ? 'none' : 'auto' })}
          />
        </div>
        {server && <TargetOptions draft={draft} server={server} onDraft={onDraft} />}
      </div>
    </details>
  );
}

/** The bottom bar: the Connect button, and what is missing. */
function ConnectBar({
  disabled,
  reason,
  missing,
  pending,
  onSave,
}: {
  readonly disabled: boolean;
  /** Why the user can't connect yet. */
  readonly reason: string | undefined;
  /** The inputs to fill in. Other reasons are shown where they can be fixed. */
  readonly missing: string | undefined;
  readonly pending: boolean;
  /** Absent unless the draft changes a kept server. */
  readonly onSave: (() => void) | undefined;
}) {
  return (
    // Covers the scroll container's bottom padding too, so that no text shows below the bar. Fields fade out above it.
    <div className="sticky -bottom-6 z-10 -mb-4 flex flex-wrap items-end gap-x-3 gap-y-2 bg-bg pb-6 before:pointer-events-none before:absolute before:inset-x-0 before:-top-3 before:h-3 before:bg-linear-to-t before:from-bg in-[dialog]:-bottom-3 in-[dialog]:-mb-1 in-[dialog]:bg-raised in-[dialog]:pb-3 in-[dialog]:before:from-raised">
      <Button type="submit" variant="primary" disabled={disabled} title={reason}>
        Connect
      </Button>
      {onSave && (
        <Button disabled={pending} onClick={onSave}>
          Save
        </Button>
      )}
      {missing !== undefined && (
        <p role="status" className="min-w-0 basis-full break-words text-muted">
          {missing}
        </p>
      )}
      {pending && <Spinner label="Connecting" />}
    </div>
  );
}

/** Warns about shell syntax. It is advice only: the characters may be meant literally. */
function ShellNote({ text }: { readonly text: string }) {
  const words = shellSyntaxIn(text);
  if (words.length === 0) return null;
  return (
    <p className="break-words text-warn">
      {words.map((word) => visibleText(word)).join(', ')} {words.length > 1 ? 'have' : 'has'} no special meaning: the
      command runs without a shell. To use one, write <code className="font-mono text-wire">sh -c '…'</code>
    </p>
  );
}

/** Shell syntax. `inDoubleQuotes`: it also works inside double quotes. */
const SHELL_WORDS: readonly { readonly pattern: RegExp; readonly inDoubleQuotes?: true }[] = [
  { pattern: /^(?:export|cd|source|alias)(?=\s)/ },
  { pattern: /(?<=^|\s)(?:&&|\|\|?|;|&|\d?>>?(?:&\d)?|<)(?=\s|$)|;(?=\s)|\d?>&\d/ },
  { pattern: /\$(?:\w+|\{[^}]*\}|\()/, inDoubleQuotes: true },
  { pattern: /`/, inDoubleQuotes: true },
  { pattern: /(?<=^|\s)~(?=\/|\s|$)/ },
];

const JSON_OR_URL = /^(?:[{[]|\/[/*]|"[^"\n]*"\s*:|https?:)/i;
const QUOTED = /\\[\s\S]|'[^']*'|"((?:\\[\s\S]|[^"\\])*)"/g;

/** Returns the shell syntax in a command line, one example of each kind. Empty for JSON and URLs. */
export function shellSyntaxIn(text: string): readonly string[] {
  const line = text.trim().replace(/^[$%>]\s+/, '');
  if (JSON_OR_URL.test(line)) return [];
  const bare = line.replace(QUOTED, 'x');
  const withDouble = line.replace(QUOTED, (_all, double?: string) => `x${double ?? ''}`);
  return SHELL_WORDS.flatMap(
    ({ pattern, inDoubleQuotes }) => pattern.exec(inDoubleQuotes ? withDouble : bare)?.[0] ?? [],
  );
}
