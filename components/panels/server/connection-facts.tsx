import { useState } from 'react';
import { quote } from 'shlex';
import { FrameLink } from '@/components/exchange/frame-link';
import { exitText } from '@/components/log/lifecycle-sentences';
import { Button, CopyButton } from '@/components/ui/button';
import { ErrorNote, Sentence } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useClient } from '@/lib/hooks/client';
import { navigate } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import type { StartEvent } from '@/lib/store/state/state';
import { countOf, formatDate } from '@/lib/wire/format';
import { MASK } from '@/lib/wire/http-frame';
import type { Failure } from '@/lib/wire/lifecycle';
import { Fact, FactList } from '../shared/fact-list';

/** The server's process, or its URL, and its state. */
export function ProcessSection({ log }: { readonly log: Log }) {
  const { start, pid, state, exit, failure } = useLogState(log, (all) => all.connection);
  if (!start) return <p className="text-muted">The server has not been started yet</p>;
  if (start.transport !== 'stdio') return <UrlFacts log={log} start={start} />;
  const line = [start.command, ...start.args].map(quote).join(' ');
  const { inherited, added, telemetry = [], policy } = start.environment;
  return (
    <FactList title="Process">
      <Fact name="state">{state}</Fact>
      <Fact name="transport">{start.transport}</Fact>
      <Fact name="command">
        <code className="font-mono text-wire">{visibleText(line)}</code> <CopyButton text={() => line} label="Copy" />
      </Fact>
      <Fact name="cwd">
        <code className="font-mono text-wire">{visibleText(start.cwd)}</code>
      </Fact>
      <Fact name="pid">{pid}</Fact>
      <Fact name="exit">{exit && exitText(exit)}</Fact>
      <Fact name="failure">{failure && <Sentence text={`${failure.message} ${failure.advice}`} />}</Fact>
      <Fact name="started">
        <time dateTime={start.at}>{formatDate(start.at)}</time>
      </Fact>
      <Fact name="env added">{added.length > 0 ? <Names names={added} /> : 'nothing'}</Fact>
      <Fact name="env for telemetry">{telemetry.length > 0 && <Names names={telemetry} />}</Fact>
      <Fact name="env inherited">
        <details>
          <summary>
            {countOf(inherited.length, 'name')}, {policy === 'shell' ? 'all from the shell' : 'allowlist only'}
          </summary>
          <Names names={inherited} />
        </details>
      </Fact>
    </FactList>
  );
}

const TRANSPORTS: ReadonlyMap<string, string> = new Map([
  ['http', 'Streamable HTTP'],
  ['sse', 'HTTP+SSE'],
]);

/** A server's URL, transport, session and state. */
function UrlFacts({ log, start }: { readonly log: Log; readonly start: Exclude<StartEvent, { transport: 'stdio' }> }) {
  const { state, failure, transport, era } = useLogState(log, (all) => all.connection);
  const { sessionSeq, version } = useLogState(log, (all) => all.http);
  const found = transport === undefined ? 'not known yet' : (TRANSPORTS.get(transport) ?? transport);
  return (
    <FactList title="HTTP">
      <Fact name="state">{state}</Fact>
      <Fact name="transport">
        {found}
        {start.transport === 'auto' && transport !== undefined && ', auto-detected'}
      </Fact>
      <Fact name="URL">
        <code className="font-mono text-wire">{visibleText(start.url)}</code>{' '}
        <CopyButton text={() => start.url} label="Copy" />
      </Fact>
      <Fact name="session">
        {sessionSeq !== undefined && (
          <>
            <code className="font-mono text-wire">{MASK}</code> <FrameLink seq={sessionSeq} label="given in" />
          </>
        )}
        {sessionSeq === undefined && era !== undefined && transport === 'http' && 'none'}
      </Fact>
      <Fact name="version header">
        {version !== undefined && (
          <code className="font-mono text-wire">MCP-Protocol-Version: {visibleText(version)}</code>
        )}
      </Fact>
      <Fact name="failure">{failure && <Sentence text={`${failure.message} ${failure.advice}`} />}</Fact>
      <Fact name="started">
        <time dateTime={start.at}>{formatDate(start.at)}</time>
      </Fact>
      <Fact name="headers added">{start.headerNames.length > 0 ? <Names names={start.headerNames} /> : 'nothing'}</Fact>
    </FactList>
  );
}

const TOKEN_ORIGINS = {
  client: 'issued without a person',
  'sign-in': 'from your sign-in',
  refresh: 'refreshed',
  earlier: 'from an earlier sign-in',
};

/** The sign-in's issuer and scopes, and a sign-out button. Nothing without a sign-in. */
export function AuthorizationFacts({ log }: { readonly log: Log }) {
  const client = useClient();
  const step = useLogState(log, (all) => all.connection.authorization);
  const [failure, setFailure] = useState<Failure>();
  const [kept, setKept] = useState<string>();
  if (step?.phase !== 'granted') return null;
  const send = async (type: 'sign-out' | 'keep-sign-in') => {
    setFailure(undefined);
    try {
      await client.send({ type, connection: log.connection });
      setKept(type === 'keep-sign-in' ? step.issuer : undefined);
    } catch (error) {
      setFailure(error as Failure);
    }
  };
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <FactList title="Authorization">
        <Fact name="signed in at">
          <UntrustedText text={step.issuer} limit={300} className="font-mono text-wire" />
        </Fact>
        <Fact name="scopes">
          {step.scopes.length === 0 ? (
            'none named'
          ) : (
            <UntrustedText text={step.scopes.join(' ')} limit={600} className="font-mono text-wire" />
          )}
        </Fact>
        <Fact name="last token">{TOKEN_ORIGINS[step.by]}</Fact>
      </FactList>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => navigate({ panel: 'authorization', item: undefined })}>
          Show steps
        </Button>
        <Button size="small" onClick={() => void send('sign-out')}>
          Sign out
        </Button>
        {step.by !== 'client' && (
          <Button size="small" disabled={kept === step.issuer} onClick={() => void send('keep-sign-in')}>
            {kept === step.issuer ? 'Kept for later runs' : 'Keep for later runs'}
          </Button>
        )}
      </div>
      {failure && <ErrorNote failure={failure} />}
    </div>
  );
}

/** Names of variables or headers. */
function Names({ names }: { readonly names: readonly string[] }) {
  return <code className="font-mono text-wire">{visibleText(names.join(' '))}</code>;
}
