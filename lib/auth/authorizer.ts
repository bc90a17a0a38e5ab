import { type AuthorizationRefusal, type HttpAuthorizer, isScopeRefusal } from '@/lib/transports/challenge';
import { asConnectionError } from '@/lib/transports/http-exchange';
import { RefusedError } from '@/lib/transports/transport';
import type { ClientSettings } from '@/lib/wire/connection-settings';
import type { AuthorizationStep, Failure } from '@/lib/wire/lifecycle';
import type { Credentials, Grant, SignInCallbacks } from './credentials';
import type { OAuthLink } from './oauth-fetch';

/** What an {@link Authorizer} works with. */
export interface AuthorizerConfig extends OAuthLink {
  readonly settings: ClientSettings;
  /** Shared with the other connections of this run. */
  readonly store: Credentials;
  readonly desk: SignInCallbacks;
  /** Certificates are not checked on this connection: what it is given is not for those that check. */
  readonly insecure: boolean;
}

/**
 * Lets the transports of one connection in by OAuth. This part is small and knows when to do something; what is done is
 * loaded when a server first asks for it. However many requests are refused at a time, one authorization is under way.
 */
export class Authorizer implements HttpAuthorizer {
  readonly #config: AuthorizerConfig;
  /** Settings that differ must not share a token. With the secret in it, so only for looking up. */
  readonly #owner: string;
  /** Scopes that were asked for on this connection: asking for them again changes nothing. */
  #asked: readonly string[] = [];
  #underway: Promise<Grant> | undefined;
  #stop = new AbortController();
  #waiting = false;
  #closed = false;
  /** The token whose coming the log was told. */
  #told: string | undefined;

  constructor(config: AuthorizerConfig) {
    const { clientId, clientSecret, metadataUrl, scope } = config.settings;
    this.#config = config;
    this.#owner = JSON.stringify([clientId, clientSecret, metadataUrl, scope, config.insecure]);
  }

  header(): string | undefined {
    const grant = this.#grant;
    if (grant === undefined) return undefined;
    if (grant.accessToken !== this.#told) this.#tell(grant, 'earlier');
    return `Bearer ${grant.accessToken}`;
  }

  async authorize(refusal: AuthorizationRefusal): Promise<void> {
    const { sent, status, signal } = refusal;
    const current = this.#grant && `Bearer ${this.#grant.accessToken}`;
    // Another request has seen to it meanwhile.
    if (current !== undefined && current !== sent && this.#underway === undefined) return;
    this.#underway ??= this.#authorize(refusal).finally(() => {
      this.#underway = undefined;
    });
    try {
      await unlessAborted(this.#underway, signal);
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

  #tell({ issuer, scopes, accessToken }: Grant, by: Extract<AuthorizationStep, { phase: 'granted' }>['by']): void {
    this.#told = accessToken;
    this.#config.sink.lifecycle({ event: 'authorization', phase: 'granted', issuer, scopes, by });
  }

  async #authorize({ challenge, before }: AuthorizationRefusal): Promise<Grant> {
    const { store, server, sink } = this.#config;
    const { signal } = this.#stop;
    const { FAILURES, fail } = await import('./authorization-failures');
    const { authorize, words } = await import('./authorize');
    const known = this.#grant;
    const grows = known !== undefined && isScopeRefusal(challenge);
    const more = words(challenge.scope).filter((scope) => !this.#asked.includes(scope));
    try {
      if (grows && more.length === 0) fail(FAILURES.scope(challenge.scope));
      if (!grows && before > 0 && known?.by === 'sign-in') fail(FAILURES.stillRefused());
      const grant = await authorize({
        ...this.#config,
        owner: this.#owner,
        challenge,
        wanted: grows ? [...new Set([...known.scopes, ...this.#asked, ...more])] : [],
        // A token that was renewed for this very request and is refused won't be better the next time.
        mayRefresh: !grows && before === 0,
        waits: (url) => {
          this.#waiting = url !== undefined;
          sink.onSignIn?.(url);
        },
        signal,
      });
      this.#asked = [...this.#asked, ...more];
      store.keepGrant(server, this.#owner, grant);
      this.#tell(grant, grant.by);
      return grant;
    } catch (error) {
      const { code, message, advice }: Failure = asConnectionError(error);
      if (!this.#closed) sink.lifecycle({ event: 'authorization', phase: 'refused', code, message, advice });
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
