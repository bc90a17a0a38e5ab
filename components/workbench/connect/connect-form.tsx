import { type FormEvent, type KeyboardEvent, useId } from 'react';
import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/error-note';
import { FIELD } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { Spinner } from '@/components/ui/spinner';
import type { Target } from '@/lib/wire/command';
import { PROTOCOL_VERSIONS, type ProtocolChoice } from '@/lib/wire/lifecycle';
import { useCommand } from '../use-command';
import { ConfiguredServers } from './configured-servers';
import { draftOfServer, readDraft, type ServerDraft, targetOfDraft, withText } from './server-draft';
import { TargetDetails } from './target-details';

const PROTOCOLS: readonly { value: ProtocolChoice; label: string }[] = [
  { value: 'auto', label: 'Auto: ask the server' },
  ...PROTOCOL_VERSIONS.map((version) => ({ value: version, label: version })).reverse(),
];

/** Adding a server: type or paste what it is, see exactly what will run, connect. */
export function ConnectForm({
  draft,
  onDraft,
  onConnected,
}: {
  readonly draft: ServerDraft;
  readonly onDraft: (draft: ServerDraft) => void;
  readonly onConnected: (connection: string) => void;
}) {
  const textId = useId();
  const { run, pending, failure } = useCommand();
  const { parsed, server } = readDraft(draft);
  const target = targetOfDraft(draft);

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

  return (
    <form onSubmit={submit} className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-col gap-1">
        <label htmlFor={textId} className="text-muted">
          Command line, URL or JSON config
        </label>
        <textarea
          id={textId}
          // biome-ignore lint/a11y/noAutofocus: the form opens to be typed into
          autoFocus
          rows={Math.min(12, Math.max(2, draft.text.split('\n').length))}
          value={draft.text}
          spellCheck={false}
          autoCapitalize="off"
          placeholder={'node server.js --flag\nnpx -y @modelcontextprotocol/server-everything'}
          onChange={(event) => onDraft(withText(draft, event.target.value))}
          onKeyDown={onKeyDown}
          className={`${FIELD} h-auto resize-y py-1 font-mono text-wire`}
        />
        {parsed.problem && draft.text.trim() !== '' && <p className="text-error">{parsed.problem}</p>}
      </div>
      {parsed.targets.length > 1 && (
        <Select
          label={`Which of the ${parsed.targets.length} servers in it`}
          value={String(draft.chosen)}
          onChange={(value) => onDraft(withText(draft, draft.text, Number(value)))}
          options={parsed.targets.map((one, index) => ({
            value: String(index),
            label: one.name ?? `server ${index + 1}`,
          }))}
        />
      )}
      {server && <TargetDetails draft={draft} server={server} onDraft={onDraft} />}
      <div className="flex items-end gap-3">
        <div className="w-52">
          <Select
            label="Protocol version"
            value={draft.protocol}
            onChange={(protocol) => onDraft({ ...draft, protocol })}
            options={PROTOCOLS}
          />
        </div>
        <Button type="submit" variant="primary" disabled={!target || pending}>
          Connect
        </Button>
        {pending && <Spinner label="Connecting" />}
      </div>
      {failure && <ErrorNote failure={failure} />}
      <ConfiguredServers
        disabled={pending}
        onStart={(one) => void connect({ ...one.target, base: one.id }, one.protocol)}
        onEdit={(one) => onDraft(draftOfServer(one))}
      />
    </form>
  );
}
