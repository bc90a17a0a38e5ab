import { type ReactNode, useId } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { Checkbox, FIELD, TextInput } from '@/components/ui/inputs';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { type CapabilityPath, capabilityName, isDeclared, withCapability } from '@/lib/wire/capability-switches';
import { CLIENT_INFO_CHARS } from '@/lib/wire/client-profile';
import { EXTENSION } from '@/lib/wire/protocol-names';
import { ConnectAs } from './connect-as';
import { type ExtensionDraft, experimentalNames, type ProfileDraft } from './profile-draft';

interface Switch {
  readonly path: CapabilityPath;
  readonly label: string;
  /** Tells what the server may do with it. */
  readonly hint?: string;
}

const SWITCHES: readonly Switch[] = [
  { path: ['sampling'], label: 'Sampling', hint: 'The server may ask you for model output' },
  { path: ['sampling', 'tools'], label: 'with tools' },
  { path: ['sampling', 'context'], label: 'with context' },
  { path: ['elicitation'], label: 'Elicitation', hint: 'The server may ask you to fill in a form or open a URL' },
  { path: ['elicitation', 'form'], label: 'by form' },
  { path: ['elicitation', 'url'], label: 'by URL' },
  { path: ['roots'], label: 'Roots', hint: 'The server may ask for the list of roots' },
  { path: ['tasks'], label: 'Tasks', hint: 'The server may run what it asks as tasks (2025-11-25)' },
  { path: ['tasks', 'list'], label: 'list tasks' },
  { path: ['tasks', 'cancel'], label: 'cancel tasks' },
  { path: ['tasks', 'requests', 'sampling', 'createMessage'], label: 'sampling as a task' },
  { path: ['tasks', 'requests', 'elicitation', 'create'], label: 'elicitation as a task' },
  {
    path: ['extensions', EXTENSION.tasks],
    label: 'Extension: tasks',
    hint: 'The server may answer a call with a task (2026-07-28)',
  },
  {
    path: ['extensions', EXTENSION.ui],
    label: 'Extension: MCP Apps',
    hint: 'Off by default; some servers list apps only with it',
  },
];

/** Capabilities with parts that are switched below them. */
const GROUPS: ReadonlySet<string> = new Set(['sampling', 'elicitation', 'tasks']);

interface FieldsProps {
  readonly draft: ProfileDraft;
  readonly onDraft: (draft: ProfileDraft) => void;
  /** Draws what belongs to a capability after and below its switch. */
  readonly about?: ((path: CapabilityPath) => { readonly action: ReactNode; readonly below: ReactNode }) | undefined;
  /** True if the server is on this machine, and stays there. */
  readonly isLocal?: boolean;
}

/** Edits how mcp-inspect presents itself to a server. */
export function ProfileFields({ draft, onDraft, about, isLocal = false }: FieldsProps) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <ConnectAs draft={draft} onDraft={onDraft} isLocal={isLocal} />
      <Part title="Capabilities" help="The server may only use what is declared. Some hide tools without it.">
        <Capabilities draft={draft} onDraft={onDraft} about={about} />
      </Part>
      <Part title="Other extensions">
        <Extensions draft={draft} onDraft={onDraft} about={about} />
      </Part>
      <JsonText
        label="Experimental capabilities"
        placeholder='{"com.example/feature": {}}'
        text={draft.experimental}
        onText={(experimental) => onDraft({ ...draft, experimental })}
      >
        {about &&
          experimentalNames(draft).map((name) => {
            const { action, below } = about(['experimental', name]);
            return (
              <div key={name} className="flex min-w-0 flex-wrap items-center gap-x-3">
                <UntrustedText text={name} limit={200} className="min-w-0 font-mono text-wire" />
                <span className="ml-auto">{action}</span>
                <div className="w-full empty:hidden">{below}</div>
              </div>
            );
          })}
      </JsonText>
      <Part title="Client info" help="Empty: mcp-inspect as it is">
        <ClientInfo draft={draft} onDraft={onDraft} />
      </Part>
      <JsonText
        label="Extra _meta of every request"
        placeholder='{"com.example/tenant": "a"}'
        text={draft.meta}
        onText={(meta) => onDraft({ ...draft, meta })}
      />
      <Part title="Timeouts in seconds" help="Empty: the timeout in Settings, and 10 minutes in total">
        <Timeouts draft={draft} onDraft={onDraft} />
      </Part>
    </div>
  );
}

function Part({ title, help, children }: { title: string; help?: string; children: ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="pb-1 text-muted">{title}</legend>
      {help !== undefined && <p className="text-small text-muted">{help}</p>}
      {children}
    </fieldset>
  );
}

function Capabilities({ draft, onDraft, about }: FieldsProps) {
  const { capabilities } = draft;
  return (
    <ul className="flex flex-col">
      {SWITCHES.map(({ path, label, hint }) => {
        const isPart = path.length > 1 && GROUPS.has(path[0]!);
        const extra = about?.(path);
        return (
          <li key={capabilityName(path)} className={classNames('min-w-0', isPart && 'pl-6')}>
            <div className="flex min-h-7 min-w-0 flex-wrap items-center gap-x-3">
              <Checkbox
                label={label}
                checked={isDeclared(capabilities, path)}
                onChange={(on) => onDraft({ ...draft, capabilities: withCapability(capabilities, path, on) })}
              />
              {hint !== undefined && (
                <span className="min-w-0 text-small text-muted narrow:order-last narrow:w-full narrow:pl-6">
                  {hint}
                </span>
              )}
              {extra && <span className="ml-auto">{extra.action}</span>}
            </div>
            {extra?.below}
          </li>
        );
      })}
    </ul>
  );
}

/** Extensions that mcp-inspect does not know, each by its name with settings. */
function Extensions({ draft, onDraft, about }: FieldsProps) {
  const { extensions } = draft;
  const change = (id: number, part: Partial<ExtensionDraft>) =>
    onDraft({ ...draft, extensions: extensions.map((one) => (one.id === id ? { ...one, ...part } : one)) });
  const add = () => {
    const id = Math.max(-1, ...extensions.map((one) => one.id)) + 1;
    onDraft({ ...draft, extensions: [...extensions, { id, name: '', settings: '{}' }] });
  };
  return (
    <>
      {extensions.map(({ id, name, settings }) => {
        const extra = name.trim() === '' ? undefined : about?.(['extensions', name.trim()]);
        return (
          <div key={id} className="flex min-w-0 flex-wrap items-center gap-2">
            <div className="min-w-0 flex-1 basis-52">
              <TextInput
                mono
                aria-label="Name of the extension"
                placeholder="com.example/extension"
                value={name}
                onChange={(text) => change(id, { name: text })}
              />
            </div>
            <div className="min-w-0 flex-1 basis-40">
              <TextInput
                mono
                aria-label="Settings of the extension as JSON"
                value={settings}
                onChange={(text) => change(id, { settings: text })}
              />
            </div>
            <Button
              size="small"
              aria-label={`Remove the extension ${name}`}
              onClick={() => onDraft({ ...draft, extensions: extensions.filter((one) => one.id !== id) })}
            >
              Remove
            </Button>
            {extra?.action}
            {extra && <div className="w-full empty:hidden">{extra.below}</div>}
          </div>
        );
      })}
      <Button size="small" className="self-start" onClick={add}>
        Add extension
      </Button>
    </>
  );
}

function JsonText({
  label,
  placeholder,
  text,
  onText,
  children,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly children?: ReactNode;
}) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-muted">
        {label}
      </label>
      <textarea
        id={id}
        rows={Math.min(8, Math.max(1, text.split('\n').length))}
        value={text}
        spellCheck={false}
        placeholder={placeholder}
        onChange={(event) => onText(event.target.value)}
        className={`${FIELD} h-auto resize-y py-1 font-mono text-wire`}
      />
      {children}
    </div>
  );
}

function ClientInfo({ draft, onDraft }: FieldsProps) {
  const { info } = draft;
  const field = (part: keyof ProfileDraft['info'], label: string, placeholder: string) => (
    <div className="min-w-0 flex-1 basis-36">
      <TextInput
        label={label}
        placeholder={placeholder}
        maxLength={CLIENT_INFO_CHARS}
        value={info[part]}
        onChange={(text) => onDraft({ ...draft, info: { ...info, [part]: text } })}
      />
    </div>
  );
  return (
    <div className="flex min-w-0 flex-wrap gap-2">
      {field('name', 'Client name', 'mcp-inspect')}
      {field('title', 'Client title', '')}
      {field('version', 'Client version', '')}
    </div>
  );
}

function Timeouts({ draft, onDraft }: FieldsProps) {
  const { timeouts } = draft;
  const field = (part: keyof ProfileDraft['timeouts'], label: string) => (
    <div className="min-w-0 flex-1 basis-36">
      <TextInput
        label={label}
        inputMode="decimal"
        value={timeouts[part]}
        onChange={(text) => onDraft({ ...draft, timeouts: { ...timeouts, [part]: text } })}
      />
    </div>
  );
  return (
    <div className="flex min-w-0 flex-wrap gap-2">
      {field('start', 'For the handshake')}
      {field('silence', 'Without response or progress')}
      {field('total', 'In total')}
    </div>
  );
}
