import {
  type AuthorizationRefusal,
  type Challenge,
  type HttpAuthorizer,
  isScopeRefusal,
} from '@/lib/transports/challenge';
import { asConnectionError } from '@/lib/transports/http-exchange';
import type { Headers as HeaderList } from '@/lib/transports/http-link';
import { RefusedError } from '@/lib/transports/transport';
import type { AuthStep } from '@/lib/wire/auth-step';
import type { ClientSettings } from '@/lib/wire/connection-settings';
import type { AuthorizationStep, Failure } from '@/lib/wire/lifecycle';
import type { FlowMemory } from './authorize';
import type { ReadSecret } from './client-grants';
import type { Credentials, Grant, SignInCallbacks } from './credentials';
import type { OAuthLink } from './oauth-fetch';
import { grantSecrets, issuedToken } from './token-facts';

interface AuthorizerConfig extends OAuthLink {
  readonly settings: ClientSettings;
  /** Shared with the other connections of this run. */
  readonly store: Credentials;
  readonly signIn: SignInCallbacks;
  /** Absent where no files can be read. */
  readonly readSecret?: ReadSecret;
  /** Certificates are not checked on this connection. Its grants are kept apart from those of verified connections. */
  readonly insecure: boolean;
}

/**
 * Authorizes the transports of one connection by OAuth. This class only decides when to authorize; the flow itself is
 * loaded when a server first asks for it. Only one authorization runs at a time, however many requests are refused.
 */
export class Authorizer implements HttpAuthorizer {
  readonly #config: AuthorizerConfig;
  /**
   * Key of the settings, since different settings must not share a token. It contains the client secret, so it is used
   * only for look-up.
   */
  readonly #owner: string;
  /** Scopes that were already requested on this connection. */
  #requestedScopes: readonly string[] = [];
  #running: Promise<Grant> | undefined;
  #stop = new AbortController();
  #waiting = false;
  #closed = false;
  /** The grant of an earlier run that was tried first. It may have expired. */
  #kept: Grant | undefined;
  /** The token that was last logged as granted. */
  #loggedToken: string | undefined;
  /** The challenge of the last refusal. */
  #challenge: Challenge = {};
  readonly #memory: FlowMemory = {};
  /** A step that a person runs alone. Refused requests wait for it. Never rejects. */
  #step: Promise<void> | undefined;
  /** Changes the token of the next request. */
  #corruptsNext = false;
  /** The changed `Authorization` that was sent last. */
  #corrupted: string | undefined;

  constructor(config: AuthorizerConfig) {
    const { clientId, clientSecret, metadataUrl, scope, ...others } = config.settings;
    this.#config = config;
    const further = Object.entries(others).sort();
    this.#owner = JSON.stringify([clientId, clientSecret, metadataUrl, scope, config.insecure, ...further]);
  }

  headers(): HeaderList {
    const grant = this.#grant;
    if (grant === undefined) return [];
    if (grant.accessToken !== this.#loggedToken) this.#logGrant(grant, 'earlier');
    const authorization = this.#corruptsNext ? this.#corrupt(grant) : authorizationOf(grant);
    // The proof is made when the request is sent.
    return [['Authorization', authorization], ...(grant.dpop ? [['DPoP', 'proof'] as const] : [])];
  }

  prove(method: string, url: string, headers: HeaderList): Promise<HeaderList> | undefined {
    const { dpop, accessToken } = this.#grant ?? {};
    if (!dpop || accessToken === undefined || !headers.some(([name]) => name === 'DPoP')) return undefined;
    return dpop
      .buildProof({ htm: method, htu: url, accessToken })
      .then((proof) => headers.map((header) => (header[0] === 'DPoP' ? (['DPoP', proof] as const) : header)));
  }

  onResponse(url: string, headers: HeaderList): void {
    const nonce = headers.find(([name]) => name.toLowerCase() === 'dpop-nonce')?.[1];
    if (nonce !== undefined) this.#grant?.dpop?.rememberNonce(url, nonce);
  }

  async authorize(refusal: AuthorizationRefusal): Promise<void> {
    const { sent, status, signal, challenge } = refusal;
    this.#challenge = challenge;
    if (this.#step) await unlessAborted(this.#step, signal);
    const isCorrupted = sent !== undefined && sent === this.#corrupted;
    // A changed token was sent in place of the current one, so the refusal is handled like that of the current one.
    const current = isCorrupted ? sent : this.#grant && authorizationOf(this.#grant);
    // The next proof has the nonce that this refusal brought (RFC 9449, 9).
    if (challenge.error === 'use_dpop_nonce' && this.#grant?.dpop && current === sent) return;
    // Another request has obtained a new token meanwhile.
    if (current !== undefined && current !== sent && this.#running === undefined) return;
    this.#running ??= this.#runFlow(refusal).finally(() => {
      this.#running = undefined;
    });
    try {
      await unlessAborted(this.#running, signal);
    } catch (error) {
      throw new RefusedError(status, asConnectionError(error));
    }
  }

  cancelSignIn(): boolean {
    if (!this.#waiting) return false;
    this.#stop.abort();
    this.#stop = new AbortController();
    return true;
  }

  runStep(step: AuthStep, signal: AbortSignal): Promise<void> {
    const { sink } = this.#config;
    sink.logEvent({ event: 'auth-step', step, phase: 'started' });
    const run = this.#runStep(step, signal);
    const over = (): void => {
      this.#step = undefined;
    };
    if (!this.#step) this.#step = run.then(over, over);
    return run.then(
      () => sink.logEvent({ event: 'auth-step', step, phase: 'done' }),
      (error: unknown) => {
        const { code, message, advice } = asConnectionError(error);
        sink.logEvent({ event: 'auth-step', step, phase: 'failed', code, message, advice });
        throw error;
      },
    );
  }

  async #runStep(step: AuthStep, signal: AbortSignal): Promise<void> {
    const isBusy = this.#running !== undefined || this.#step !== undefined;
    const { FAILURES, fail } = await import('./authorization-failures');
    if (isBusy) fail(FAILURES.busy());
    const { store, server, sink } = this.#config;
    const current = this.#grant;
    // A token goes along with requests, which are not steps of OAuth.
    if (step === 'corrupt' || step === 'use') {
      if (!current) fail(FAILURES.noToken());
      if (step === 'corrupt') this.#corruptsNext = true;
      return;
    }
    // The connection may have ended.
    if (this.#stop.signal.aborted) this.#stop = new AbortController();
    const stop = this.#stop;
    const abort = (): void => stop.abort();
    signal.addEventListener('abort', abort, { once: true });
    try {
      const { runAuthStep } = await import('./run-auth-step');
      const grant = await runAuthStep(step, { ...this.#request(this.#challenge, [], false), current });
      // Revoked tokens are of no use to a later run. This one may still show what the server does with them.
      if (step === 'revoke') store.forgetKept(server);
      if (!grant) return;
      sink.onSecrets?.(grantSecrets(grant));
      store.keepGrant(server, this.#owner, grant);
      this.#logGrant(grant, grant.by);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Returns the `Authorization` with another token of the same length, whose signature is wrong. */
  #corrupt(grant: Grant): string {
    this.#corruptsNext = false;
    const { accessToken } = grant;
    // In the middle of the signature, because the last character may have unused bits.
    const from = accessToken.lastIndexOf('.') + 1;
    const at = from + Math.floor((accessToken.length - from) / 2);
    const other = accessToken[at] === 'A' ? 'B' : 'A';
    const changed = accessToken.slice(0, at) + other + accessToken.slice(at + 1);
    this.#config.sink.onSecrets?.([changed]);
    this.#corrupted = authorizationOf({ ...grant, accessToken: changed });
    return this.#corrupted;
  }

  close(): void {
    this.#closed = true;
    this.#stop.abort();
  }

  get #grant(): Grant | undefined {
    return this.#config.store.currentGrant(this.#config.server, this.#owner);
  }

  #logGrant(grant: Grant, by: Extract<AuthorizationStep, { phase: 'granted' }>['by']): void {
    const { sink, store, server } = this.#config;
    const { issuer, scopes } = grant;
    this.#loggedToken = grant.accessToken;
    const issued = issuedToken(grant, store.isKept(server, this.#owner, grant));
    sink.logEvent({ event: 'authorization', phase: 'granted', issuer, scopes, by, issued });
  }

  #request(challenge: Challenge, scopes: readonly string[], mayRefresh: boolean) {
    return {
      ...this.#config,
      owner: this.#owner,
      challenge,
      scopes,
      mayRefresh,
      memory: this.#memory,
      onSignIn: (url: string | undefined) => {
        this.#waiting = url !== undefined;
        this.#config.sink.onSignIn?.(url);
      },
      signal: this.#stop.signal,
    };
  }

  async #runFlow({ challenge, before }: AuthorizationRefusal): Promise<Grant> {
    const { store, server, sink } = this.#config;
    const kept = before === 0 ? await store.loadKept(server, this.#owner) : undefined;
    if (kept) {
      this.#kept = kept;
      sink.onSecrets?.(grantSecrets(kept));
      return kept;
    }
    const { FAILURES, fail } = await import('./authorization-failures');
    const { authorize, scopeList } = await import('./authorize');
    const known = this.#grant;
    const isOld = known !== undefined && known === this.#kept;
    const grows = known !== undefined && isScopeRefusal(challenge);
    const more = scopeList(challenge.scope).filter((scope) => !this.#requestedScopes.includes(scope));
    try {
      if (grows && more.length === 0) fail(FAILURES.scope(challenge.scope));
      if (!grows && before > 0 && known && known.by !== 'refresh' && !isOld) fail(FAILURES.stillRefused());
      const wider = grows ? [...new Set([...known.scopes, ...this.#requestedScopes, ...more])] : [];
      // After a refreshed token was refused, another refresh would not help.
      const grant = await authorize(this.#request(challenge, wider, !grows && (before === 0 || isOld)));
      this.#requestedScopes = [...this.#requestedScopes, ...more];
      store.keepGrant(server, this.#owner, grant);
      this.#logGrant(grant, grant.by);
      return grant;
    } catch (error) {
      const { code, message, advice }: Failure = asConnectionError(error);
      if (!this.#closed) sink.logEvent({ event: 'authorization', phase: 'refused', code, message, advice });
      throw error;
    }
  }
}

/** Returns the `Authorization` for a token. */
function authorizationOf({ accessToken, dpop }: Grant): string {
  return `${dpop ? 'DPoP' : 'Bearer'} ${accessToken}`;
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
