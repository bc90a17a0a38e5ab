import type { DpopSession } from '@modelcontextprotocol/client';
import type { DecodedJwt } from '@/lib/wire/issued-token';

/** A client as an authorization server knows it. */
export interface ClientIdentity {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly token_endpoint_auth_method?: string;
}

/** A token that an authorization server granted for one server. */
export interface Grant {
  readonly issuer: string;
  /** The resource that it is for, in the server's own words (RFC 8707). Absent for servers without metadata. */
  readonly resource?: string;
  readonly clientId: string;
  /** The whole client, if the grant may be refreshed in a later run. */
  readonly client?: ClientIdentity;
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** The granted scopes, or the requested ones if the server did not list them. */
  readonly scopes: readonly string[];
  /** When the access token expires, as the authorization server said. Milliseconds since 1970. */
  readonly expiresAt?: number;
  /** The ID token that came with it, decoded. It is not used. */
  readonly idToken?: DecodedJwt;
  readonly by: 'sign-in' | 'refresh' | 'client';
  /** Signs a proof for each request with the token, which is bound to its key (RFC 9449). Absent: a bearer token. */
  readonly dpop?: DpopSession;
}

/** Keeps grants beyond this run. Each method rejects with a ConnectionError. */
export interface GrantKeeper {
  load(server: string, owner: string): Promise<Grant | undefined>;
  /** Keeps a grant in place of that of this server and owner. `onlyIfKept`: only if there still is one. */
  keep(server: string, owner: string, grant: Grant, onlyIfKept: boolean): Promise<void>;
  /** Deletes all kept grants of this server. */
  forget(server: string): Promise<void>;
}

/** The place where grants are kept beyond this run. */
export interface Keeping {
  readonly keeper: GrantKeeper;
  /** Keeps every grant. Otherwise only those that {@link Credentials.keepBeyondRun} names. */
  readonly keepsAll: boolean;
  /** Called when one could not be kept, loaded or deleted. */
  onFailed(error: Error): void;
}

/**
 * Clients and tokens from authorization servers, in memory and shared by all connections of a run. Each belongs to
 * an issuer and is never sent to another, even if the server changes its issuer. `owner` keeps apart connections with
 * different settings.
 */
export class Credentials {
  /** Clients that mcp-inspect registered, by issuer, redirect URI and owner. */
  readonly #clients = new Map<string, ClientIdentity>();
  /** Grants by issuer, resource, client and owner. */
  readonly #grants = new Map<string, Grant>();
  /** The latest grant for each pair of server URL and owner: its key in {@link #grants}, and its issuer. */
  readonly #current = new Map<string, { readonly issuer: string; readonly at: string }>();
  /** The issuer that each client id was first sent to, by server URL and client id. */
  readonly #bound = new Map<string, string>();
  /** Keys that tokens are bound to, by issuer and owner. */
  readonly #keys = new Map<string, DpopSession>();

  readonly #keeping: Keeping | undefined;
  /** Pairs of server and owner whose grants are kept, and those that were looked up. */
  readonly #kept = new Set<string>();
  readonly #loaded = new Set<string>();

  /** Without `keeping`, everything is gone after the run. */
  constructor(keeping?: Keeping) {
    this.#keeping = keeping;
  }

  /**
   * Looks once for a grant that an earlier run kept, and then uses it. Resolves with it if it is new here. Never
   * rejects.
   */
  async loadKept(server: string, owner: string): Promise<Grant | undefined> {
    const at = key(server, owner);
    if (!this.#keeping || this.#loaded.has(at) || this.#current.has(at)) return undefined;
    this.#loaded.add(at);
    try {
      const grant = await this.#keeping.keeper.load(server, owner);
      if (!grant || this.#current.has(at)) return undefined;
      this.#kept.add(at);
      this.#setCurrent(server, owner, grant);
      return grant;
    } catch (error) {
      this.#keeping.onFailed(error as Error);
      return undefined;
    }
  }

  /**
   * Keeps the grants of `server` beyond this run, also when they are refreshed. Resolves with false if there are none
   * that can be kept: a key that tokens are bound to never leaves the run. Rejects with a ConnectionError.
   */
  async keepBeyondRun(server: string): Promise<boolean> {
    if (!this.#keeping) return false;
    const found = [...this.#current].flatMap(([at, { at: grantAt }]) => {
      const grant = at.startsWith(key(server, '')) ? this.#grants.get(grantAt) : undefined;
      return grant && canBeKept(grant) ? [[at, grant] as const] : [];
    });
    for (const [at, grant] of found) {
      this.#kept.add(at);
      await this.#keeping.keeper.keep(server, at.slice(key(server, '').length), grant, false);
    }
    return found.length > 0;
  }

  /** Returns the client that was registered at `issuer` for this redirect URI. */
  client(issuer: string, redirectUri: string, owner: string): ClientIdentity | undefined {
    return this.#clients.get(key(issuer, redirectUri, owner));
  }

  keepClient(issuer: string, redirectUri: string, owner: string, client: ClientIdentity): void {
    this.#clients.set(key(issuer, redirectUri, owner), client);
  }

  /** Forgets the clients registered at `issuer`, because it no longer knows them. */
  dropClients(issuer: string): void {
    for (const known of [...this.#clients.keys()]) if (known.startsWith(key(issuer, ''))) this.#clients.delete(known);
  }

  /** Returns the issuer that the user's own client id was first used with for this server. */
  issuerOf(server: string, clientId: string): string | undefined {
    return this.#bound.get(key(server, clientId));
  }

  bind(server: string, clientId: string, issuer: string): void {
    this.#bound.set(key(server, clientId), issuer);
  }

  /** Returns the key that tokens of this issuer are bound to, and makes it at first. */
  async keyFor(owner: string, issuer: string, make: () => Promise<DpopSession>): Promise<DpopSession> {
    const at = key(issuer, owner);
    const known = this.#keys.get(at) ?? (await make());
    this.#keys.set(at, known);
    return known;
  }

  /** Returns the grant to use for `server` now. */
  currentGrant(server: string, owner: string): Grant | undefined {
    const at = this.#current.get(key(server, owner));
    return at === undefined ? undefined : this.#grants.get(at.at);
  }

  /** Returns the grant of this issuer, resource and client. */
  grantFor(owner: string, of: Pick<Grant, 'issuer' | 'resource' | 'clientId'>): Grant | undefined {
    return this.#grants.get(grantKey(owner, of));
  }

  keepGrant(server: string, owner: string, grant: Grant): void {
    this.#setCurrent(server, owner, grant);
    const { keeper, onFailed } = this.#keeping ?? {};
    if (!this.isKept(server, owner, grant)) return;
    // Another program may have deleted it meanwhile.
    keeper?.keep(server, owner, grant, grant.by === 'refresh').catch((error: Error) => onFailed?.(error));
  }

  /** True if the grants of this server and owner are kept beyond this run. */
  isKept(server: string, owner: string, grant: Grant): boolean {
    const keepsAll = this.#keeping?.keepsAll === true;
    return this.#keeping !== undefined && canBeKept(grant) && (keepsAll || this.#kept.has(key(server, owner)));
  }

  #setCurrent(server: string, owner: string, grant: Grant): void {
    const at = grantKey(owner, grant);
    this.#grants.set(at, grant);
    this.#current.set(key(server, owner), { issuer: grant.issuer, at });
  }

  /** Forgets a grant, unless a newer one has replaced it. */
  dropGrant(owner: string, grant: Grant): void {
    if (this.grantFor(owner, grant) === grant) this.#grants.delete(grantKey(owner, grant));
  }

  /** Forgets all grants and clients for `server`. Returns true if there were any. */
  signOut(server: string): boolean {
    let any = false;
    for (const [known, { issuer, at }] of [...this.#current]) {
      if (!known.startsWith(key(server, ''))) continue;
      any = true;
      this.#current.delete(known);
      this.#grants.delete(at);
      // Even if the grant is gone, since an outdated client would otherwise be used forever.
      this.dropClients(issuer);
    }
    for (const [known, issuer] of [...this.#bound]) {
      if (!known.startsWith(key(server, ''))) continue;
      any = true;
      this.#bound.delete(known);
      this.dropClients(issuer);
    }
    this.forgetKept(server);
    return any;
  }

  /** Keeps the grants of `server` no longer than this run, and deletes what was kept. */
  forgetKept(server: string): void {
    for (const at of [...this.#kept]) if (at.startsWith(key(server, ''))) this.#kept.delete(at);
    this.#keeping?.keeper.forget(server).catch((error: Error) => this.#keeping?.onFailed(error));
  }
}

/** A grant without a person is obtained again. The key that a token is bound to is lost with the run. */
function canBeKept({ by, dpop }: Grant): boolean {
  return by !== 'client' && dpop === undefined;
}

function grantKey(
  owner: string,
  { issuer, resource, clientId }: Pick<Grant, 'issuer' | 'resource' | 'clientId'>,
): string {
  return key(issuer, resource ?? '', clientId, owner);
}

/** Joins parts that never contain a line feed: they are URLs, or were checked. */
function key(...parts: readonly string[]): string {
  return parts.join('\n');
}

/** One sign-in that waits for a person. */
export interface SignIn {
  /** The page where the person signs in. */
  readonly url: string;
  /** The secret that the callback has to repeat. */
  readonly state: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
}

/** Receives the callback when a person returns from the sign-in page of an authorization server. */
export interface SignInCallbacks {
  /** Only metadata is read: no client is registered, and nobody is asked to sign in. */
  readonly onlyReads?: true;
  /** Returns the URI for authorization servers to redirect to. Rejects with a ConnectionError if nobody can sign in. */
  redirectUri(): Promise<string>;
  /** Resolves with the parameters of the callback with this sign-in's `state`. Rejects when `signal` is aborted. */
  waitForCallback(signIn: SignIn, signal: AbortSignal): Promise<URLSearchParams>;
}
