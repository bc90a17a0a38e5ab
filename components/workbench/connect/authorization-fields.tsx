import { useState } from 'react';
import { TextInput } from '@/components/ui/text-input';
import { visibleText } from '@/components/ui/visible-text';
import { useEnvironment } from '@/lib/hooks/use-environment';
import { clientProblem } from '@/lib/wire/client-settings';
import { clientOfDraft, type ServerDraft } from './server-draft';

/** How we are let in at a URL, if not by what the server itself says: all of it is optional, so it is folded away. */
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
            ? 'A direct connection signs in nowhere: give a token of your own, or connect via proxy, which can sign in.'
            : 'A server that asks for OAuth is signed in to as it says. Give what it can’t know: a token of your own, or a client that you registered.'}
        </p>
        <TextInput
          mono
          type="password"
          autoComplete="new-password"
          label="Bearer token"
          placeholder="sent as Authorization: Bearer …, instead of signing in"
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
            <TextInput
              mono
              label="Client metadata URL"
              placeholder="https://…, instead of an ID"
              value={client.metadataUrl}
              onChange={(metadataUrl) => change({ metadataUrl })}
            />
          </div>
        )}
        {environment && !direct && (
          <p className="text-muted">
            Redirect URI to register:{' '}
            <code className="font-mono text-wire">{visibleText(environment.redirectUri)}</code>
          </p>
        )}
        {problem !== undefined && !direct && <p className="break-words text-error">{visibleText(problem)}</p>}
      </div>
    </details>
  );
}
