import { useId, useState } from 'react';
import { Segmented } from '@/components/ui/button';
import { Checkbox, FIELD, Select, TextInput } from '@/components/ui/inputs';
import { Sentence } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { useClient } from '@/lib/hooks/client';
import { useEnvironment } from '@/lib/hooks/connections';
import { clientProblem } from '@/lib/wire/client-problem';
import { baseOf, clientOfDraft, type ServerDraft, type TlsDraft } from './server-draft';

const NAMES = { proxy: 'Via proxy', direct: 'Direct' } as const;

const MEANINGS: Readonly<Record<ServerDraft['via'], string>> = {
  proxy: 'mcp-inspect connects: any header, no CORS, keeps running in the background.',
  direct: 'This page connects directly. The server must send CORS headers.',
};

/** Chooses whether the proxy or this page connects to a server at a URL. */
export function ViaChoice({
  draft,
  onDraft,
}: {
  readonly draft: ServerDraft;
  readonly onDraft: (draft: ServerDraft) => void;
}) {
  const { status, directTarget } = useClient();
  const base = baseOf(draft);
  // Header values of a config never reach the page, so a direct connection can't send them.
  const unknown =
    draft.via === 'direct' && base && directTarget(base.id) === undefined
      ? draft.environment.filter(({ origin, value }) => origin === 'base' && value === '')
      : [];
  if (status === 'none') return <p className="text-muted">{MEANINGS.direct}</p>;
  return (
    <div className="flex flex-col gap-1">
      <h3 className="text-muted">Connection</h3>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Segmented
          label="Connection"
          names={Object.values(NAMES)}
          chosen={NAMES[draft.via]}
          onChoose={(name) => onDraft({ ...draft, via: name === NAMES.direct ? 'direct' : 'proxy' })}
        />
        <p className="min-w-0 flex-1 basis-80 text-muted">{MEANINGS[draft.via]}</p>
      </div>
      {unknown.length > 0 && (
        <p className="break-words text-warn">
          Only the proxy knows the value of {unknown.map(({ name }) => visibleText(name)).join(', ')}. Type it to send
          it.
        </p>
      )}
    </div>
  );
}

/** A bearer token or an OAuth client of your own. All optional, so closed at first. */
export function AuthorizationFields({
  draft,
  onDraft,
}: {
  readonly draft: ServerDraft;
  readonly onDraft: (draft: ServerDraft) => void;
}) {
  const { environment } = useEnvironment();
  const [open, setOpen] = useState(false);
  const { bearer, client } = draft;
  const direct = draft.via === 'direct';
  const problem = clientProblem(clientOfDraft(draft) ?? {});
  const change = (part: Partial<ServerDraft['client']>) => onDraft({ ...draft, client: { ...client, ...part } });
  const given = bearer !== '' || Object.values(client).some((text) => text !== '');
  return (
    <details open={open || given} onToggle={(event) => setOpen(event.currentTarget.open)} className="min-w-0">
      <summary className="text-muted">Authorization</summary>
      <div className="mt-2 flex min-w-0 flex-col gap-2">
        <p className="text-muted">
          {direct
            ? 'Direct connections can’t sign in. Enter a token, or connect via proxy.'
            : 'mcp-inspect signs in with OAuth when the server asks for it. You can set your own token or OAuth client.'}
        </p>
        <TextInput
          mono
          type="password"
          autoComplete="new-password"
          label="Bearer token"
          placeholder="sent as Authorization: Bearer … instead of signing in"
          value={bearer}
          onChange={(text) => onDraft({ ...draft, bearer: text })}
        />
        {!direct && (
          <div className="grid min-w-0 grid-cols-2 gap-2">
            <TextInput mono label="Client ID" value={client.clientId} onChange={(clientId) => change({ clientId })} />
            <TextInput
              mono
              type="password"
              autoComplete="new-password"
              label="Client secret"
              value={client.clientSecret}
              onChange={(clientSecret) => change({ clientSecret })}
            />
            <TextInput mono label="Scopes" value={client.scope} onChange={(scope) => change({ scope })} />
            {client.grant === '' && (
              <TextInput
                mono
                label="Client metadata URL"
                placeholder="https://… instead of an ID"
                value={client.metadataUrl}
                onChange={(metadataUrl) => change({ metadataUrl })}
              />
            )}
            <Select
              label="Get tokens"
              value={client.grant}
              options={GRANTS}
              onChange={(grant) => change({ grant, metadataUrl: '' })}
            />
            {client.grant !== '' && <GrantFields client={client} onChange={change} />}
            <TextInput
              mono
              label="Issuer"
              placeholder="any, or only this one: https://…"
              value={client.issuer}
              onChange={(issuer) => change({ issuer })}
            />
            <Checkbox
              label="Always bind tokens to a key (DPoP)"
              checked={client.dpop !== ''}
              onChange={(dpop) => change({ dpop: dpop ? 'always' : '' })}
            />
          </div>
        )}
        {environment && !direct && client.grant === '' && (
          <p className="text-muted">
            Redirect URI to register:{' '}
            <code className="font-mono text-wire">{visibleText(environment.redirectUri)}</code>
          </p>
        )}
        {problem !== undefined && !direct && (
          <p className="break-words text-error">
            <Sentence text={problem} />
          </p>
        )}
      </div>
    </details>
  );
}

const GRANTS = [
  { value: '', label: 'by signing in' },
  { value: 'client-credentials', label: 'as the client (client credentials)' },
  { value: 'enterprise', label: 'by an identity provider (enterprise)' },
  { value: 'workload', label: 'as a workload (JWT)' },
];

/** Settings for tokens without a person. */
function GrantFields({
  client,
  onChange,
}: {
  readonly client: ServerDraft['client'];
  readonly onChange: (part: Partial<ServerDraft['client']>) => void;
}) {
  const { grant, keyFile, tokenFile, idp, idpClientId } = client;
  return (
    <>
      <TextInput
        mono
        label="Key file"
        placeholder="PEM, instead of a secret"
        value={keyFile}
        onChange={(path) => onChange({ keyFile: path })}
      />
      {grant !== 'client-credentials' && (
        <TextInput
          mono
          label="Token file"
          placeholder={grant === 'enterprise' ? 'ID token of the user' : 'JWT of the workload'}
          value={tokenFile}
          onChange={(path) => onChange({ tokenFile: path })}
        />
      )}
      {grant === 'enterprise' && (
        <>
          <TextInput
            mono
            label="Token URL of the identity provider"
            placeholder="https://…"
            value={idp}
            onChange={(url) => onChange({ idp: url })}
          />
          <TextInput
            mono
            label="Client ID there"
            placeholder="as above"
            value={idpClientId}
            onChange={(id) => onChange({ idpClientId: id })}
          />
        </>
      )}
    </>
  );
}

/** Certificate settings for an https URL. Rarely needed, so closed at first. */
export function TlsFields({ tls, onChange }: { readonly tls: TlsDraft; readonly onChange: (tls: TlsDraft) => void }) {
  const caId = useId();
  // Open at first if anything is set.
  const [opened, setOpened] = useState(Object.values(tls).some((value) => value !== '' && value !== false));
  return (
    <details open={opened} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary className="text-muted">TLS</summary>
      <fieldset aria-label="TLS" className="flex flex-col gap-2 pt-1 pl-4">
        <p className="text-muted">Paths are on the machine that runs mcp-inspect.</p>
        <div className="flex flex-col gap-1">
          <label htmlFor={caId} className="text-muted">
            Additional trusted CAs (PEM files, one per line)
          </label>
          <textarea
            id={caId}
            rows={Math.max(1, tls.ca.split('\n').length)}
            value={tls.ca}
            spellCheck={false}
            autoCapitalize="off"
            onChange={(event) => onChange({ ...tls, ca: event.target.value })}
            className={`${FIELD} h-auto resize-y py-1 font-mono text-wire`}
          />
        </div>
        <div className="grid grid-cols-2 gap-2 max-[700px]:grid-cols-1">
          <TextInput
            mono
            label="Client certificate (PEM file)"
            value={tls.cert}
            onChange={(cert) => onChange({ ...tls, cert })}
          />
          <TextInput mono label="Client key (PEM file)" value={tls.key} onChange={(key) => onChange({ ...tls, key })} />
        </div>
        {tls.key !== '' && (
          <TextInput
            mono
            label="Environment variable with the key’s passphrase (optional)"
            value={tls.passphraseEnv}
            onChange={(passphraseEnv) => onChange({ ...tls, passphraseEnv })}
          />
        )}
        <Checkbox
          label="Don’t verify this server’s certificate"
          checked={tls.insecure}
          onChange={(insecure) => onChange({ ...tls, insecure })}
        />
        {tls.insecure && (
          <p role="status" className="border-l-2 border-error bg-error/6 px-3 py-1 text-error">
            An attacker could impersonate this server and read your headers and messages. Use this only on your own
            network.
          </p>
        )}
      </fieldset>
    </details>
  );
}
