import { type FormEvent, type KeyboardEvent, useId } from 'react';
import { Button } from '@/components/ui/button';
import { Checkbox, FIELD, Select } from '@/components/ui/inputs';
import { ErrorNote, Spinner } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { useClient } from '@/lib/hooks/client';
import type { Target } from '@/lib/wire/command';
import { PROTOCOL_VERSIONS, type ProtocolChoice } from '@/lib/wire/lifecycle';
import { useCommand } from '../connection-commands';
import { ConfiguredServers } from './configured-servers';
import {
  draftOfServer,
  EMPTY_DRAFT,
  inputsOfDraft,
  problemOfDraft,
  readDraft,
  type ServerDraft,
  targetOfDraft,
  withText,
} from './server-draft';
import { TargetDetails } from './target-details';
import { TerminalCommand } from './target-preview';

const PROTOCOLS: readonly { value: ProtocolChoice; label: string }[] = [
  { value: 'auto', label: 'Auto: ask the server' },
  ...PROTOCOL_VERSIONS.map((version) => ({ value: version, label: version })).reverse(),
];

/** Adding a server: type or paste what it is, see exactly what will run, connect. */
export function ConnectForm({
  draft: given = EMPTY_DRAFT,
  onDraft,
  onConnected,
}: {
  /** Absent: nothing typed yet. */
  readonly draft: ServerDraft | undefined;
  readonly onDraft: (draft: ServerDraft) => void;
  readonly onConnected: (connection: string) => void;
}) {
  const textId = useId();
  const { run, pending, failure, dismiss } = useCommand();
  const alone = useClient().status === 'none';
  // Without a proxy there is one way only.
  const draft: ServerDraft = alone ? { ...given, via: 'direct' } : given;
  const { parsed, server } = readDraft(draft);
  const problem = draft.text.trim() === '' ? undefined : problemOfDraft(draft);
  const whole = problem === undefined ? targetOfDraft(draft) : undefined;
  const unstartable = alone && whole?.transport === 'stdio';
  const target = unstartable ? undefined : whole;
  const asksFor = !unstartable && problem === undefined && inputsOfDraft(draft).length > 0;

  /** What was wrong with the last attempt says nothing about another text. */
  const change = (next: ServerDraft) => {
    dismiss();
    onDraft(next);
  };
  const connect = async (to: Target, protocol: ProtocolChoice) => {
    const connection = await run({ type: 'connect', target: to, protocol });
    if (connection !== undefined) onConnected(connection);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (target && !pending) void connect(target, draft.protocol);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const plain = event.key === 'Enter' && !event.shiftKey && !/^\s*[{["]/.test(draft.text);
    if (plain || (event.key === 'Enter' && (event.metaKey || event.ctrlKey))) submit(event);
  };

  const form = (
    <form onSubmit={submit} className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-col gap-1">
        <label htmlFor={textId} className="text-muted">
          {alone ? 'URL or JSON config' : 'Command line, URL or JSON config'}
        </label>
        <textarea
          id={textId}
          // biome-ignore lint/a11y/noAutofocus: the form opens to be typed into
          autoFocus
          // Where a box can't grow with its content, wrapped lines don't count.
          rows={Math.min(12, Math.max(2, draft.text.split('\n').length))}
          value={draft.text}
          spellCheck={false}
          autoCapitalize="off"
          placeholder={
            alone ? 'https://example.com/mcp' : 'node server.js --flag\nnpx -y @modelcontextprotocol/server-everything'
          }
          onChange={(event) => change(withText(draft, event.target.value))}
          onKeyDown={onKeyDown}
          className={`${FIELD} field-sizing-content h-auto max-h-[calc(12lh+10px)] min-h-[calc(2lh+10px)] resize-y py-1 font-mono text-wire`}
        />
        {problem !== undefined && (
          <p role="status" className="break-words text-error">
            {visibleText(problem)}
          </p>
        )}
        {!alone && <ShellNote text={draft.text} />}
      </div>
      {parsed.targets.length > 1 && (
        <Select
          label={`Which of the ${parsed.targets.length} servers in it`}
          value={String(draft.chosen)}
          onChange={(value) => change(withText(draft, draft.text, Number(value)))}
          options={parsed.targets.map((one, index) => ({
            value: String(index),
            label: `${one.name ?? `server ${index + 1}`}${one.disabled ? ' (disabled)' : ''}`,
          }))}
        />
      )}
      {unstartable && (
        <TerminalCommand target={whole}>A page can not start commands. Run this in a terminal instead:</TerminalCommand>
      )}
      {server && (target || asksFor || server.target.transport !== 'stdio') && (
        <TargetDetails draft={draft} server={server} onDraft={change} />
      )}
      <div // Over the padding of what scrolls too, where text would peep out below it.
        className="sticky -bottom-6 z-10 -mb-4 flex flex-wrap items-end gap-3 bg-bg pt-2 pb-6 in-[dialog]:-bottom-3 in-[dialog]:-mb-1 in-[dialog]:bg-raised in-[dialog]:pb-3"
      >
        {draft.protocol !== 'none' && (
          <div className="w-52 shrink-0">
            <Select
              label="Protocol version"
              value={draft.protocol}
              onChange={(protocol) => change({ ...draft, protocol })}
              options={PROTOCOLS}
            />
          </div>
        )}
        <Checkbox
          label={draft.protocol === 'none' ? 'No handshake: write every message in Raw' : 'No handshake'}
          checked={draft.protocol === 'none'}
          onChange={(without) => change({ ...draft, protocol: without ? 'none' : 'auto' })}
        />
        <Button
          type="submit"
          variant="primary"
          disabled={!target || pending}
          title={problem ?? (asksFor && !target ? 'Fill in the inputs first' : undefined)}
        >
          Connect
        </Button>
        {pending && <Spinner label="Connecting" />}
      </div>
      {failure && <ErrorNote failure={failure} />}
    </form>
  );
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {form}
      {/* Behind the form, since what a server asks for is a form of its own. */}
      <ConfiguredServers
        disabled={pending}
        onStart={({ id, target: to, protocol }, inputs) =>
          void connect({ ...to, base: id, ...(inputs.length > 0 && { inputs }) }, protocol)
        }
        onEdit={(one) => change(draftOfServer(one))}
      />
    </div>
  );
}

/** Advice only: what is typed may be meant as it stands. */
function ShellNote({ text }: { readonly text: string }) {
  const words = shellSyntaxIn(text);
  if (words.length === 0) return null;
  return (
    <p className="break-words text-warn">
      No shell runs this: {words.map((word) => visibleText(word)).join(', ')}{' '}
      {words.length > 1 ? 'are passed on as they stand' : 'is passed on as it stands'}. To have a shell run it, use{' '}
      <code className="font-mono text-wire">sh -c '…'</code>
    </p>
  );
}

/** What only a shell understands. `inDoubleQuotes`: there too. */
const SHELL_WORDS: readonly { readonly pattern: RegExp; readonly inDoubleQuotes?: true }[] = [
  { pattern: /^(?:export|cd|source|alias)(?=\s)/ },
  { pattern: /(?<=^|\s)(?:&&|\|\|?|;|&|\d?>>?(?:&\d)?|<)(?=\s|$)|;(?=\s)|\d?>&\d/ },
  { pattern: /\$(?:\w+|\{[^}]*\}|\()/, inDoubleQuotes: true },
  { pattern: /`/, inDoubleQuotes: true },
  { pattern: /(?<=^|\s)~(?=\/|\s|$)/ },
];

const JSON_OR_URL = /^(?:[{[]|\/[/*]|"[^"\n]*"\s*:|https?:)/i;
const QUOTED = /\\[\s\S]|'[^']*'|"((?:\\[\s\S]|[^"\\])*)"/g;

/**
 * What in a typed command line only a shell would understand, one of each kind: it is passed on as it is. Nothing for what is
 * no command line.
 */
export function shellSyntaxIn(text: string): readonly string[] {
  const line = text.trim().replace(/^[$%>]\s+/, '');
  if (JSON_OR_URL.test(line)) return [];
  const bare = line.replace(QUOTED, 'x');
  const withDouble = line.replace(QUOTED, (_all, double?: string) => `x${double ?? ''}`);
  return SHELL_WORDS.flatMap(
    ({ pattern, inDoubleQuotes }) => pattern.exec(inDoubleQuotes ? withDouble : bare)?.[0] ?? [],
  );
}
