import { useState } from 'react';
import { readProfileDraft } from '@/components/client-settings/profile-draft';
import { ProfileFields } from '@/components/client-settings/profile-fields';
import { profileWords } from '@/components/client-settings/profile-words';
import { Select, TextInput } from '@/components/ui/inputs';
import { Sentence } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { useEnvironment } from '@/lib/hooks/connections';
import type { Target, UrlTarget } from '@/lib/wire/command';
import { findPlaceholders } from '@/lib/wire/server-config';
import type { PastedServer } from '@/lib/wire/target-text';
import { EnvironmentRows, InheritedNames } from './environment-fields';
import { InputFields } from './input-fields';
import { baseOf, inputsOfDraft, isUnchanged, type ServerDraft, targetOfDraft } from './server-draft';
import { CommandPreview } from './target-preview';
import { AuthorizationFields, TlsFields, ViaChoice } from './url-fields';

const TRANSPORTS: readonly { readonly value: UrlTarget['transport']; readonly label: string }[] = [
  { value: 'auto', label: 'Auto-detect' },
  { value: 'http', label: 'Streamable HTTP' },
  { value: 'sse', label: 'HTTP+SSE (2024-11-05)' },
];

/** Shows what the typed text will start or connect to, and asks for its inputs. */
export function TargetDetails({ draft, server, onDraft }: FieldsProps & { readonly server: PastedServer }) {
  const target = targetOfDraft(draft) ?? server.target;
  const base = baseOf(draft);
  const inputs = inputsOfDraft(draft);
  return (
    <>
      <div className="flex flex-col gap-1">
        <h3 className="text-muted">{target.transport === 'stdio' ? 'Command to run' : 'Server address'}</h3>
        <CommandPreview target={target} />
        <PlaceholderNote draft={draft} server={server} />
        {server.envFile !== undefined && (
          <p className="break-words text-warn">
            Variables in {visibleText(server.envFile)} are not read here. Add them below, or start mcp-inspect with
            --config.
          </p>
        )}
        {(server.disabled ?? base?.disabled) && (
          <p className="text-warn">This server is disabled in its config. Connect starts it anyway.</p>
        )}
        {base?.problem !== undefined && isUnchanged(draft) && (
          <p className="break-words text-warn">
            <Sentence text={base.problem} />
          </p>
        )}
      </div>
      {inputs.length > 0 && (
        <fieldset className="flex min-w-0 flex-col gap-2">
          <legend className="pb-1 text-muted">Inputs</legend>
          <InputFields
            inputs={inputs}
            answers={draft.answers}
            onAnswers={(answers) => onDraft({ ...draft, answers })}
          />
        </fieldset>
      )}
    </>
  );
}

/** The directory and environment of a server, or its headers and TLS, and how mcp-inspect presents itself. */
export function TargetOptions({ draft, server, onDraft }: FieldsProps & { readonly server: PastedServer }) {
  const target = targetOfDraft(draft) ?? server.target;
  return (
    <>
      {target.transport === 'stdio' ? (
        <ProcessFields draft={draft} onDraft={onDraft} />
      ) : (
        <UrlFields draft={draft} target={target} onDraft={onDraft} />
      )}
      <ClientChoice draft={draft} onDraft={onDraft} />
    </>
  );
}

interface FieldsProps {
  readonly draft: ServerDraft;
  readonly onDraft: (draft: ServerDraft) => void;
}

/** The settings of a server at a URL. */
function UrlFields({ draft, target, onDraft }: FieldsProps & { readonly target: UrlTarget }) {
  return (
    <>
      <ViaChoice draft={draft} onDraft={onDraft} />
      <div className="w-52">
        <Select
          label="Transport"
          value={target.transport}
          onChange={(transport) => onDraft({ ...draft, transport })}
          options={TRANSPORTS}
        />
      </div>
      <div className="flex flex-col gap-1">
        <h3 className="text-muted">Headers</h3>
        <EnvironmentRows draft={draft} onChange={onDraft} what="header" />
        <AuthorizationFields draft={draft} onDraft={onDraft} />
      </div>
      {draft.via === 'proxy' && /^https:/i.test(target.url) && (
        <TlsFields key={baseOf(draft)?.id} tls={draft.tls} onChange={(tls) => onDraft({ ...draft, tls })} />
      )}
    </>
  );
}

/** The settings of a server that is started as a process. */
function ProcessFields({ draft, onDraft }: FieldsProps) {
  const { environment } = useEnvironment();
  const lost = draft.base && !baseOf(draft) ? draft.base.envNames : [];
  return (
    <>
      <TextInput
        mono
        label="Working directory"
        value={draft.cwd}
        placeholder={environment?.cwd ?? ''}
        onChange={(cwd) => onDraft({ ...draft, cwd })}
      />
      <div className="flex flex-col gap-1">
        <h3 className="text-muted">Environment</h3>
        {lost.length > 0 && (
          <p className="break-words text-warn">
            You changed the program, so these variables are not passed on:{' '}
            {lost.map((name) => visibleText(name)).join(', ')}
          </p>
        )}
        <EnvironmentRows draft={draft} onChange={onDraft} what="variable" />
        <InheritedNames draft={draft} />
      </div>
    </>
  );
}

/** Says which `${…}` placeholders are filled in on start, and which are sent as written. */
function PlaceholderNote({ draft, server }: { readonly draft: ServerDraft; readonly server: PastedServer }) {
  const target = targetOfDraft(draft) ?? server.target;
  const base = baseOf(draft);
  const known = base?.placeholders ?? [];
  const written = findPlaceholders(writtenParts(target));
  const asked = inputsOfDraft(draft).map(({ id }) => `input:${id}`);
  const ofBase = written.filter((name) => known.includes(name) && !asked.includes(name));
  const names = (list: readonly string[]) => list.map((name) => visibleText(`\${${name}}`)).join(', ');
  if (ofBase.length > 0 && isUnchanged(draft)) {
    return (
      <p className="break-words text-muted">
        {names(ofBase)} {ofBase.length > 1 ? 'are' : 'is'} filled in on start. This page does not see the value.
      </p>
    );
  }
  const unfilled = [...new Set([...(server.placeholders ?? []), ...ofBase])].filter((name) => !asked.includes(name));
  if (unfilled.length === 0) return null;
  return (
    <p className="break-words text-warn">
      {ofBase.length > 0
        ? `You changed the command, so ${names(unfilled)} ${unfilled.length > 1 ? 'are' : 'is'} not filled in.`
        : `Only MCP hosts fill in ${names(unfilled)}.`}{' '}
      Replace {unfilled.length > 1 ? 'them' : 'it'} in the text above.
    </p>
  );
}

function writtenParts(target: Target): readonly unknown[] {
  return target.transport === 'stdio' ? [target.command, target.args, target.cwd ?? ''] : [target.url];
}

/** How mcp-inspect presents itself. Few people change that, so it is closed at first. */
function ClientChoice({ draft, onDraft }: FieldsProps) {
  const [open, setOpen] = useState(false);
  const read = readProfileDraft(draft.profile);
  const problem = 'problem' in read ? read.problem : undefined;
  return (
    <details
      open={open || problem !== undefined}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="min-w-0"
    >
      <summary className="text-muted">
        Client settings: {'problem' in read ? 'invalid' : visibleText(profileWords(read.profile))}
      </summary>
      <div className="mt-2 flex min-w-0 flex-col gap-3 pl-4">
        {problem !== undefined && (
          <p role="alert" className="break-words text-error">
            <Sentence text={problem} />
          </p>
        )}
        <ProfileFields draft={draft.profile} onDraft={(profile) => onDraft({ ...draft, profile })} />
      </div>
    </details>
  );
}
