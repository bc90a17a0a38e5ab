import { type ReactNode, useEffect, useState } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { Button } from '@/components/ui/button';
import { visibleText } from '@/components/ui/visible-text';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { SeenToken } from '@/lib/auth-steps/auth-steps';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import type { AuthStep } from '@/lib/wire/auth-step';
import { countOf, formatDate } from '@/lib/wire/format';
import type { DecodedJwt, ShownClaim } from '@/lib/wire/issued-token';
import { formatSpan, relativeTime } from '../shared/age';
import { Fact, FactList } from '../shared/fact-list';
import type { AuthStepRunner } from './use-auth-step';

const ORIGINS: ReadonlyMap<string, string> = new Map([
  ['client', 'issued without a person'],
  ['sign-in', 'from a sign-in'],
  ['refresh', 'refreshed'],
  ['earlier', 'from an earlier sign-in'],
]);

/** The newest token: its claims, expiry and scopes, never the token itself, and what can be done with it. */
export function TokenFacts({
  log,
  token,
  run,
  children,
}: {
  readonly log: Log;
  readonly token: SeenToken | undefined;
  readonly run: AuthStepRunner | undefined;
  /** Shown below the buttons. */
  readonly children?: ReactNode;
}) {
  return (
    <>
      {token ? (
        <OneToken token={token} live={run !== undefined} />
      ) : (
        <FactList title="Token">
          <Fact name="state">none</Fact>
        </FactList>
      )}
      {run && <TokenActions log={log} run={run} hasToken={token !== undefined} />}
      {children}
      {token?.issued?.jwt && <Claims title="Access token, decoded" jwt={token.issued.jwt} />}
      {token?.issued?.idToken && <Claims title="ID token, decoded" jwt={token.issued.idToken} />}
    </>
  );
}

function OneToken({ token, live }: { readonly token: SeenToken; readonly live: boolean }) {
  const { issued, revokedSeq } = token;
  const expiry = issued && expiryOf(token);
  return (
    <FactList title="Token">
      <Fact name="issuer">
        <UntrustedText text={token.issuer} limit={300} className="font-mono text-wire break-all" />
      </Fact>
      <Fact name="obtained">
        {ORIGINS.get(token.by) ?? visibleText(token.by.slice(0, 40))} <FrameLink seq={token.seq} label="frame" />
      </Fact>
      {issued && (
        <>
          <Fact name="type">
            {issued.scheme}, {issued.jwt ? 'a JWT' : 'opaque'}, {countOf(issued.chars, 'character')}
          </Fact>
          <Fact name="expires">{expiry === undefined ? 'not said' : <Expiry at={expiry} live={live} />}</Fact>
          <Fact name="refresh token">
            {issued.refreshChars === undefined ? 'none' : countOf(issued.refreshChars, 'character')}
          </Fact>
        </>
      )}
      <Fact name="scopes">
        {token.scopes.length === 0 ? (
          'none named'
        ) : (
          <UntrustedText text={token.scopes.join(' ')} limit={600} className="font-mono text-wire" />
        )}
      </Fact>
      <Fact name="client id">
        {issued?.clientId && (
          <UntrustedText text={issued.clientId} limit={300} className="font-mono text-wire break-all" />
        )}
      </Fact>
      <Fact name="resource">
        {issued?.resource && (
          <UntrustedText text={issued.resource} limit={300} className="font-mono text-wire break-all" />
        )}
      </Fact>
      <Fact name="bound to key">
        {issued?.keyThumbprint && (
          <span className="font-mono text-wire break-all">{visibleText(issued.keyThumbprint.slice(0, 100))}</span>
        )}
      </Fact>
      <Fact name="kept">{token.kept ? 'for later runs' : 'only in memory, until you quit'}</Fact>
      <Fact name="revoked">
        {revokedSeq !== undefined && (
          <span className="text-warn">
            ! revoked <FrameLink seq={revokedSeq} label="frame" />
          </span>
        )}
      </Fact>
    </FactList>
  );
}

/** Returns when a token expires, in ms since 1970: as the authorization server said, or as its claim says. */
function expiryOf({ issued }: SeenToken): number | undefined {
  const said = Date.parse(issued?.expiresAt ?? '');
  if (!Number.isNaN(said)) return said;
  const seconds = Number(issued?.jwt?.claims.find(({ name }) => name === 'exp')?.value);
  return Number.isFinite(seconds) && Math.abs(seconds) < 8e12 ? seconds * 1000 : undefined;
}

/** Milliseconds before the expiry from which it is a warning. */
const SOON_MS = 60_000;
const TICK_MS = 1000;

function Expiry({ at, live }: { readonly at: number; readonly live: boolean }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!live) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [live]);
  const moment = new Date(at).toISOString();
  if (!live) return <time dateTime={moment}>{formatDate(at)}</time>;
  const left = at - now;
  const words = left <= 0 ? `expired ${relativeTime(at, now)}` : `in ${countdown(left)}`;
  return (
    <time dateTime={moment} title={formatDate(at)} className={left <= SOON_MS ? 'tabular text-warn' : 'tabular'}>
      {left <= SOON_MS && '! '}
      {words}
    </time>
  );
}

/** Formats the time until an expiry: "1 min 12 s"; without seconds from an hour on. */
function countdown(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60 || seconds >= 3600) return formatSpan(seconds * 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A button, and what it does. */
interface Action {
  readonly step: AuthStep;
  readonly label: string;
  readonly title: string;
}

/** Steps that need no token. */
const FIRST_ACTIONS: readonly Action[] = [
  { step: 'resource-metadata', label: 'Resource metadata', title: 'Reads the metadata of the server again' },
  { step: 'server-metadata', label: 'Server metadata', title: 'Reads the metadata of the authorization server again' },
  { step: 'register', label: 'Register', title: 'Registers another client' },
];

/** Steps with the token. */
const ACTIONS: readonly Action[] = [
  { step: 'use', label: 'Use the token', title: 'Sends a request with the token' },
  { step: 'refresh', label: 'Refresh', title: 'Sends the refresh token' },
  { step: 'corrupt', label: 'Corrupt', title: 'Changes the token of the next request, which the server should refuse' },
  { step: 'revoke', label: 'Revoke', title: 'Asks the authorization server to revoke the tokens' },
];

function TokenActions({
  log,
  run,
  hasToken,
}: {
  readonly log: Log;
  readonly run: AuthStepRunner;
  readonly hasToken: boolean;
}) {
  const grants = useLogState(log, ({ connection: { start } }) =>
    start !== undefined && 'client' in start ? start.client?.grant !== undefined : false,
  );
  const again = grants
    ? ({ step: 'token', label: 'Request a token again', title: 'Requests another token by the same grant' } as const)
    : ({ step: 'sign-in', label: 'Sign in again', title: 'Opens a sign-in, with the metadata that is known' } as const);
  const actions = [...(hasToken ? ACTIONS : []), again, ...(grants ? FIRST_ACTIONS.slice(0, 2) : FIRST_ACTIONS)];
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-2">
      <legend className="mb-1 font-medium">Run only one step</legend>
      {actions.map(({ step, label, title }) => (
        <Button
          key={step}
          size="small"
          title={title}
          disabled={run.running !== undefined}
          onClick={() => run.run(step)}
        >
          {run.running === step ? `${label}…` : label}
        </Button>
      ))}
    </fieldset>
  );
}

/** Header and claims of a JWT. Hidden ones have only their length. */
function Claims({ title, jwt }: { readonly title: string; readonly jwt: DecodedJwt }) {
  return (
    <section aria-label={title} className="min-w-0">
      <h2 className="mb-1 font-medium">{title}</h2>
      {jwt.unsigned && (
        <p className="text-warn">! It has no signature, so anybody could make it. Its claims are hidden</p>
      )}
      <dl className="grid min-w-0 grid-cols-[120px_minmax(0,1fr)] gap-x-2 gap-y-1">
        {[...jwt.header, ...jwt.claims].map((claim, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names repeat, and the list never changes
          <Fact key={index} name={visibleText(claim.name)}>
            <Claim claim={claim} />
          </Fact>
        ))}
      </dl>
      <p className="text-muted">The signature is not shown, and was not verified</p>
    </section>
  );
}

const DATES: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf', 'auth_time']);

function Claim({ claim: { name, value, chars = 0 } }: { readonly claim: ShownClaim }) {
  if (value === undefined) return <span className="text-muted">hidden, {countOf(chars, 'character')}</span>;
  const seconds = DATES.has(name) ? Number(value) : Number.NaN;
  const isDate = Number.isFinite(seconds) && Math.abs(seconds) < 8e12;
  return (
    <>
      <UntrustedText text={value} limit={400} className="font-mono text-wire break-all" />
      {isDate && <span className="text-muted"> {formatDate(seconds * 1000)}</span>}
    </>
  );
}
