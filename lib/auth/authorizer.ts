import { type AuthorizationRefusal, type HttpAuthorizer, isScopeRefusal } from '@/lib/transports/challenge';
import { asConnectionError } from '@/lib/transports/http-exchange';
import { RefusedError } from '@/lib/transports/transport';
import type { ClientSettings } from '@/lib/wire/connection-settings';
import type { AuthorizationStep, Failure } from '@/lib/wire/lifecycle';
import type { Credentials, Grant, SignInCallbacks } from './credentials';
import type { OAuthLink } from './oauth-fetch';

interface AuthorizerConfig extends OAuthLink {
  readonly settings: ClientSettings;
  /** Shared with the other connections of this run. */
  readonly store: Credentials;
  readonly signIn: SignInCallbacks;
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
  /** The token that was last logged as granted. */
  #loggedToken: string | undefined;

  constructor(config: AuthorizerConfig) {
    const { clientId, clientSecret, metadataUrl, scope } = config.settings;
    this.#config = config;
    this.#owner = JSON.stringify([clientId, clientSecret, metadataUrl, scope, config.insecure]);
  }

  header(): string | undefined {
    const grant = this.#grant;
    if (grant === undefined) return undefined;
    if (grant.accessToken !== this.#loggedToken) this.#logGrant(grant, 'earlier');
    return `Bearer ${grant.accessToken}`;
  }

  async authorize(refusal: AuthorizationRefusal): Promise<void> {
    const { sent, status, signal } = refusal;
    const current = this.#grant && `Bearer ${this.#grant.accessToken}`;
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

  close(): void {
    this.#closed = true;
    this.#stop.abort();
  }

  get #grant(): Grant | undefined {
    return this.#config.store.currentGrant(this.#config.server, this.#owner);
  }

  #logGrant({ issuer, scopes, accessToken }: Grant, by: Extract<AuthorizationStep, { phase: 'granted' }>['by']): void {
    this.#loggedToken = accessToken;
    this.#config.sink.logEvent({ event: 'authorization', phase: 'granted', issuer, scopes, by });
  }

  async #runFlow({ challenge, before }: AuthorizationRefusal): Promise<Grant> {
    const { store, server, sink } = this.#config;
    const { signal } = this.#stop;
    const { FAILURES, fail } = await import('./authorization-failures');
    const { authorize, scopeList } = await import('./authorize');
    const known = this.#grant;
    const grows = known !== undefined && isScopeRefusal(challenge);
    const more = scopeList(challenge.scope).filter((scope) => !this.#requestedScopes.includes(scope));
    try {
      if (grows && more.length === 0) fail(FAILURES.scope(challenge.scope));
      if (!grows && before > 0 && known?.by === 'sign-in') fail(FAILURES.stillRefused());
      const grant = await authorize({
        ...this.#config,
        owner: this.#owner,
        challenge,
        scopes: grows ? [...new Set([...known.scopes, ...this.#requestedScopes, ...more])] : [],
        // After a refreshed token was refused, another refresh would not help.
        mayRefresh: !grows && before === 0,
        onSignIn: (url) => {
          this.#waiting = url !== undefined;
          sink.onSignIn?.(url);
        },
        signal,
      });
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

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
