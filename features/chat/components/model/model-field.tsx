import { useId, useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Combobox, type ComboboxOption } from '@/components/ui/combobox';
import { TextInput } from '@/components/ui/inputs';
import { ErrorNote, Sentence } from '@/components/ui/notices';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { ProviderChoice } from '@/features/chat/lib/chat-api';
import type { Failure } from '@/lib/wire/lifecycle';
import { useAskChats, useModels } from '../use-chats';

/** Suggestions that are shown at a time. */
const MOST_SHOWN = 40;

/** Chooses a model, and takes the key of its provider. */
export function ModelField({
  model,
  baseUrl,
  onChange,
  onBaseUrl,
}: {
  readonly model: string;
  /** The provider's address; undefined for its usual one. */
  readonly baseUrl: string | undefined;
  readonly onChange: (model: string) => void;
  readonly onBaseUrl: (baseUrl: string | undefined) => void;
}) {
  const id = useId();
  const typed = model.trim().toLowerCase();
  const [, prefix] = /^([a-z]+):/.exec(typed) ?? [];
  const { models, providers } = useModels(prefix, baseUrl);
  const options = useMemo(() => {
    const known: ComboboxOption[] = [
      ...models.map(({ id: key, note }) => ({ key, label: <UntrustedText text={key} limit={120} />, note })),
      ...providers.map((provider) => ({
        key: `${provider.id}:`,
        label: `${provider.id}:`,
        note: provider.name,
      })),
    ];
    // The whole list, while the field holds one of its models.
    const chosen = known.some(({ key }) => key.toLowerCase() === typed && !key.endsWith(':'));
    return chosen || typed === '' ? known : known.filter(({ key }) => key.toLowerCase().includes(typed));
  }, [models, providers, typed]);
  const provider = providers.find((one) => one.id === prefix);
  const found = typed === '' ? providers.filter((one) => one.found) : [];
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-muted">
        Model
      </label>
      <Combobox
        id={id}
        mono
        text={model}
        placeholder="provider:model"
        options={options.slice(0, MOST_SHOWN)}
        onText={onChange}
        onChoose={({ key }) => onChange(key)}
        {...(options.length > MOST_SHOWN && { foot: `${options.length - MOST_SHOWN} more. Type to filter` })}
      />
      {found.length > 0 && (
        <div className="flex flex-wrap items-center gap-1 text-small text-muted">
          Found here:
          {found.map((one) => (
            <Button key={one.id} size="small" onClick={() => onChange(`${one.id}:`)}>
              {one.name}
            </Button>
          ))}
        </div>
      )}
      {provider && !provider.ready && (
        <p className="text-small text-warn">
          ! <Sentence text={provider.advice} />
        </p>
      )}
      {provider?.takesKey && (
        <>
          <AddressField key={baseUrl} baseUrl={baseUrl} onChange={onBaseUrl} />
          <KeyField provider={provider} baseUrl={baseUrl} />
        </>
      )}
    </div>
  );
}

/** The address counts once it is typed to its end, because its models are asked for. */
function AddressField({
  baseUrl,
  onChange,
}: {
  readonly baseUrl: string | undefined;
  readonly onChange: (baseUrl: string | undefined) => void;
}) {
  const [text, setText] = useState(baseUrl ?? '');
  const commit = () => {
    const next = text.trim() === '' ? undefined : text.trim();
    if (next !== baseUrl) onChange(next);
  };
  return (
    <TextInput
      label="Address"
      mono
      placeholder="provider default"
      value={text}
      onChange={setText}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  );
}

/** Sends a typed key to the proxy, and keeps no copy. */
function KeyField({ provider, baseUrl }: { readonly provider: ProviderChoice; readonly baseUrl: string | undefined }) {
  const ask = useAskChats();
  const [open, setOpen] = useState(false);
  const [key, setKey] = useState('');
  const [failure, setFailure] = useState<Failure>();
  const send = async () => {
    const sent = key;
    setKey('');
    setFailure(undefined);
    try {
      await ask({ kind: 'key', provider: provider.id, key: sent, ...(baseUrl !== undefined && { baseUrl }) });
      setOpen(false);
    } catch (error) {
      setFailure(error as Failure);
    }
  };
  if (provider.ready && !open) {
    return (
      <p className="text-small text-muted">
        <button type="button" className="text-link" onClick={() => setOpen(true)}>
          Type a key
        </button>
      </p>
    );
  }
  return (
    <form
      className="flex flex-col gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        if (key !== '') void send();
      }}
    >
      <div className="flex gap-1">
        <TextInput
          type="password"
          mono
          aria-label={`Key for ${provider.name}`}
          placeholder={`Key for ${provider.name}`}
          value={key}
          onChange={setKey}
        />
        <Button type="submit" disabled={key === ''}>
          Use key
        </Button>
      </div>
      <p className="text-small text-muted">Kept in mcp-inspect’s memory only, until it ends</p>
      {failure && <ErrorNote codeless failure={failure} />}
    </form>
  );
}
