import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { ErrorNote } from '@/components/ui/error-note';
import { visibleText } from '@/components/ui/visible-text';
import { SignInLink } from '@/components/untrusted/sign-in-link';
import { useConnections } from '@/lib/hooks/use-connections';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import { useCommand } from './use-command';

/** While a connection waits for somebody to sign in: where, for what, and the two ways on. Nothing opens by itself. */
export function SignInNote({ connection, log }: { readonly connection: string; readonly log: Log }) {
  const { connections } = useConnections();
  const url = connections.find(({ id }) => id === connection)?.signInUrl;
  const step = useLogState(log, (state) => state.connection.authorization);
  const { run, pending, failure } = useCommand();
  if (url === undefined) return null;
  const host = hostOf(url);
  const issuer = step?.phase === 'needed' ? hostOf(step.issuer) : host;
  const scopes = step?.phase === 'needed' ? step.scopes : [];
  return (
    <section
      aria-label="Sign in"
      className="mx-auto mt-4 mb-1 flex w-full max-w-[760px] min-w-0 shrink-0 flex-col gap-2 border-l-2 border-accent bg-accent/6 px-3 py-2"
    >
      <h2 role="status" className="font-medium">
        This server wants you to sign in
      </h2>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <dt className="text-muted">At</dt>
        <dd className="font-mono text-wire break-all">
          {visibleText(host)}
          {issuer !== host && <span className="font-sans text-muted"> on behalf of {visibleText(issuer)}</span>}
        </dd>
        <dt className="text-muted">For</dt>
        <dd className="break-words">
          {scopes.length === 0 ? (
            'no scopes in particular'
          ) : (
            <code className="font-mono text-wire">{visibleText(scopes.join(' '))}</code>
          )}
        </dd>
        <dt className="text-muted">Address</dt>
        <dd className="min-w-0">
          <code className="font-mono text-wire break-all">{visibleText(url)}</code>{' '}
          <CopyButton text={() => url} label="Copy" />
        </dd>
      </dl>
      <div className="flex flex-wrap items-center gap-2">
        <SignInLink address={url} />
        <Button disabled={pending} onClick={() => void run({ type: 'cancel-sign-in', connection })}>
          Cancel
        </Button>
        <span className="text-muted">It opens in a new tab, and this page goes on by itself.</span>
      </div>
      {failure && <ErrorNote failure={failure} />}
    </section>
  );
}

/** The host of a URL, with the port; what is no URL as it is. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
