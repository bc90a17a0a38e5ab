import { type ReactNode, useId, useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Checkbox, FIELD, Select, TextInput } from '@/components/ui/inputs';
import { visibleText } from '@/components/ui/visible-text';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { ServerOffer } from '@/features/chat/lib/chat-api';
import type { Allowance, ChatSettings, OfferedTool } from '@/features/chat/lib/chat-frame';
import { EARLIER_NAMING, namingProblem, offerTools, qualifiedName, USUAL_NAMING } from '@/features/chat/lib/tool-names';
import { countOf } from '@/lib/wire/format';
import { LimitFields } from './model/limit-fields';
import { ModelField } from './model/model-field';
import { NumberField } from './model/number-field';
import { ToolModeSwitch } from './model/tool-mode';
import { type OpenServer, useServerNames } from './open-servers';

interface SettingsPaneProps {
  readonly settings: ChatSettings;
  readonly onChange: (settings: ChatSettings) => void;
  /** The servers that a chat can use. */
  readonly open: readonly OpenServer[];
  /** Entries of those that it uses. */
  readonly connections: readonly string[];
  readonly onConnections: (connections: readonly string[]) => void;
  readonly offers: readonly ServerOffer[];
  /** The tools of a recorded chat, which can only be read. */
  readonly recorded: readonly OfferedTool[] | undefined;
}

/** The choices for the turns that follow. */
export function SettingsPane(props: SettingsPaneProps) {
  const { settings, onChange, recorded } = props;
  const change = (changes: Partial<ChatSettings>) => onChange({ ...settings, ...changes });
  const systemId = useId();
  const { naming = recorded ? EARLIER_NAMING : USUAL_NAMING, system, temperature, price, allow, withheld } = settings;
  const servers = recorded ? <RecordedServers servers={settings.servers} tools={recorded} /> : <Servers {...props} />;
  const isAlone = !recorded && props.open.length < 2;
  // The changed settings are in view.
  const [wasOpen] = useState(
    recorded !== undefined ||
      naming !== USUAL_NAMING ||
      [system, temperature, price, allow, withheld].some((one) => one !== undefined),
  );
  return (
    <fieldset disabled={recorded !== undefined} className="flex min-w-0 flex-col gap-4 p-3">
      <ModelField
        model={settings.model}
        baseUrl={settings.baseUrl}
        onChange={(model) => change({ model })}
        onBaseUrl={(baseUrl) => change({ baseUrl })}
      />
      {!isAlone && servers}
      <details open={wasOpen}>
        <summary className="text-muted">Advanced</summary>
        <div className="flex min-w-0 flex-col gap-4 pt-3">
          {isAlone && servers}
          <div className="flex min-w-0 flex-col gap-1">
            <label htmlFor={systemId} className="text-muted">
              System prompt
            </label>
            <textarea
              id={systemId}
              rows={3}
              value={settings.system ?? ''}
              onChange={({ target }) => change({ system: target.value === '' ? undefined : target.value })}
              className={`${FIELD} h-auto resize-y py-1`}
            />
          </div>
          <Permission settings={settings} change={change} />
          <Row label="Tool calling">
            <ToolModeSwitch mode={settings.toolMode} onChoose={(toolMode) => change({ toolMode })} />
            <p className="text-small text-muted">
              {settings.toolMode === 'native'
                ? 'By the provider’s own tool calling'
                : 'Described in the system prompt, answered as JSON'}
            </p>
          </Row>
          <Numbers settings={settings} change={change} />
          <TextInput
            label="Names of tools for the model"
            mono
            value={naming}
            onChange={(next) => change({ naming: next })}
          />
          {namingProblem(naming) !== undefined && (
            <p className="-mt-3 text-small text-warn">! {namingProblem(naming)}</p>
          )}
        </div>
      </details>
    </fieldset>
  );
}

type Change = (changes: Partial<ChatSettings>) => void;

function Row({ label, children }: { readonly label: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span className="text-muted">{label}</span>
      {children}
    </div>
  );
}

const PERMISSIONS: readonly { readonly value: Allowance['mode']; readonly label: string }[] = [
  { value: 'ask', label: 'Ask before each call' },
  { value: 'read-only', label: 'Run read-only tools, ask for others' },
  { value: 'all', label: 'Run every call' },
];

/** Which calls run without asking. */
function Permission({ settings, change }: { readonly settings: ChatSettings; readonly change: Change }) {
  const { mode, tools = [] } = settings.allow ?? { mode: 'ask' };
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Select
        label="Calls"
        value={mode}
        options={PERMISSIONS}
        onChange={(next) => change({ allow: { mode: next, tools } })}
      />
      {tools.map((tool) => (
        <p key={tool} className="flex min-w-0 items-center gap-1 text-small">
          <span className="min-w-0 truncate">
            <UntrustedText text={tool} limit={80} className="font-mono" /> runs without asking
          </span>
          <Button
            size="small"
            variant="ghost"
            onClick={() => change({ allow: { mode, tools: tools.filter((other) => other !== tool) } })}
          >
            Ask again
          </Button>
        </p>
      ))}
    </div>
  );
}

/** The servers of a recorded chat, with the tools that the model saw last. */
function RecordedServers({
  servers,
  tools,
}: {
  readonly servers: readonly string[];
  readonly tools: readonly OfferedTool[];
}) {
  return (
    <Row label="Servers">
      {servers.length === 0 && <p className="text-small text-muted">None</p>}
      {servers.map((server) => {
        const names = tools.filter((tool) => tool.server === server).map(({ name }) => name);
        return (
          <div key={server} className="min-w-0">
            <UntrustedText text={server} limit={60} />
            <details className="min-w-0">
              <summary className="text-small text-muted">{countOf(names.length, 'tool')}</summary>
              <ul className="max-h-48 overflow-auto">
                {names.map((name) => (
                  <li key={name} className="truncate font-mono text-wire">
                    <UntrustedText text={name} limit={128} />
                  </li>
                ))}
              </ul>
            </details>
          </div>
        );
      })}
    </Row>
  );
}

/** The connections of the chat, and the tools that each offers. */
function Servers({ settings, onChange, open, connections, onConnections, offers }: SettingsPaneProps) {
  const nameOf = useServerNames();
  const offered = useMemo(() => offeredTools(offers, settings.naming), [offers, settings.naming]);
  return (
    <Row label="Servers">
      {open.length === 0 && <p className="text-small text-muted">No server is connected</p>}
      {connections
        .filter((entry) => !open.some((one) => one.entry === entry))
        .map((entry) => (
          <Checkbox
            key={entry}
            checked
            onChange={() => onConnections(connections.filter((one) => one !== entry))}
            label={
              <span className="text-warn">
                <UntrustedText text={nameOf(entry) ?? 'A server'} limit={60} />, which has ended
              </span>
            }
          />
        ))}
      {open.map(({ entry, name }) => {
        const offer = offers.find(({ connection }) => connection === entry);
        const isUsed = connections.includes(entry);
        return (
          <div key={entry} className="min-w-0">
            <Checkbox
              checked={isUsed}
              onChange={(use) =>
                onConnections(
                  open.map((one) => one.entry).filter((one) => (one === entry ? use : connections.includes(one))),
                )
              }
              label={<UntrustedText text={name} limit={60} />}
            />
            {isUsed && offer && offer.tools.length > 0 && (
              <Tools
                offer={offer}
                names={offered.filter(({ server }) => server === offer.server).map(qualifiedName)}
                settings={settings}
                onChange={onChange}
              />
            )}
          </div>
        );
      })}
    </Row>
  );
}

/** Returns the tools as the model would see them. */
function offeredTools(offers: readonly ServerOffer[], naming: string | undefined): readonly OfferedTool[] {
  return offerTools(
    offers.map(({ server, tools }) => ({ server, tools: tools.map(({ name }) => ({ name, inputSchema: {} })) })),
    naming,
  );
}

function Tools({
  offer,
  names,
  settings,
  onChange,
}: {
  readonly offer: ServerOffer;
  /** The qualified names of its tools. */
  readonly names: readonly string[];
  readonly settings: ChatSettings;
  readonly onChange: (settings: ChatSettings) => void;
}) {
  const withheld = new Set(settings.withheld);
  const left = names.filter((name) => withheld.has(name)).length;
  const withhold = (changed: readonly string[], offered: boolean) => {
    const next = new Set(withheld);
    for (const name of changed) {
      if (offered) next.delete(name);
      else next.add(name);
    }
    onChange({ ...settings, withheld: next.size === 0 ? undefined : [...next] });
  };
  return (
    <details className="ml-6 min-w-0">
      <summary className="text-small text-muted">
        {left === 0 ? countOf(names.length, 'tool') : `${names.length - left} of ${countOf(names.length, 'tool')}`}
      </summary>
      <div className="max-h-48 overflow-auto py-1">
        {names.length > 1 && (
          <Button size="small" variant="ghost" onClick={() => withhold(names, left > 0)}>
            {left > 0 ? 'Offer all' : 'Offer none'}
          </Button>
        )}
        {offer.tools.map(({ name, description, readOnly }, index) => (
          <div key={name} className="min-w-0" title={description && visibleText(description.slice(0, 300))}>
            <Checkbox
              checked={!withheld.has(names[index]!)}
              onChange={(offered) => withhold([names[index]!], offered)}
              label={
                <span className="block truncate font-mono text-wire">
                  <UntrustedText text={name} limit={64} />
                  {readOnly && <span className="font-sans text-small text-muted"> read-only</span>}
                </span>
              }
            />
          </div>
        ))}
      </div>
    </details>
  );
}

function Numbers({ settings, change }: { readonly settings: ChatSettings; readonly change: Change }) {
  const { limits, temperature, price } = settings;
  const setPrice = (part: 'input' | 'output', value: number | undefined) => {
    const next = { input: price?.input ?? 0, output: price?.output ?? 0, [part]: value ?? 0 };
    change({ price: next.input === 0 && next.output === 0 ? undefined : { ...price, ...next } });
  };
  return (
    <div className="grid min-w-0 grid-cols-2 gap-2">
      <NumberField
        label="Temperature"
        value={temperature}
        placeholder="default"
        onChange={(value) => change({ temperature: value })}
      />
      <LimitFields limits={limits} onChange={(next) => change({ limits: next })} />
      <NumberField
        label="Price in, per million"
        value={price?.input}
        placeholder="none"
        usual={0}
        onChange={(value) => setPrice('input', value)}
      />
      <NumberField
        label="Price out, per million"
        value={price?.output}
        placeholder="none"
        usual={0}
        onChange={(value) => setPrice('output', value)}
      />
    </div>
  );
}
