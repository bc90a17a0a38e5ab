/** A client as an authorization server knows it. */
export interface ClientIdentity {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly token_endpoint_auth_method?: string;
}

/** What an authorization server granted us for one server. */
export interface Grant {
  readonly issuer: string;
  /** What it is for, as the server calls itself; absent for servers older than that (RFC 8707). */
  readonly resource?: string;
  readonly clientId: string;
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** What was asked for, or granted if the server said so. */
  readonly scopes: readonly string[];
  readonly by: 'sign-in' | 'refresh';
}

/**
 * What authorization servers gave us, in memory only and shared by the connections of one run. Everything belongs to an
 * issuer: what one gave is never shown to another, even if a server suddenly names that one.
 */
export class Credentials {
  /** By issuer, redirect URI and owner: clients that were registered for us. */
  readonly #clients = new Map<string, ClientIdentity>();
  /** By issuer, resource, client and owner. */
  readonly #grants = new Map<string, Grant>();
  /** By the server's URL and the owner: the grant that it took last, and whose it is. */
  readonly #current = new Map<string, { readonly issuer: string; readonly at: string }>();
  /** By the server's URL and the client that a person named: the issuer it was shown to. */
  readonly #bound = new Map<string, string>();

  /** The client registered there for this redirect URI. `owner` tells apart settings that must not share. */
  client(issuer: string, redirectUri: string, owner: string): ClientIdentity | undefined {
    return this.#clients.get(key(issuer, redirectUri, owner));
  }

  keepClient(issuer: string, redirectUri: string, owner: string, client: ClientIdentity): void {
    this.#clients.set(key(issuer, redirectUri, owner), client);
  }

  /** Forgets what was registered at `issuer`: it no longer knows it. */
  dropClients(issuer: string): void {
    for (const known of [...this.#clients.keys()]) if (known.startsWith(key(issuer, ''))) this.#clients.delete(known);
  }

  /** The issuer that a client of the person's own belongs to: the first that it was used with for this server. */
  issuerOf(server: string, clientId: string): string | undefined {
    return this.#bound.get(key(server, clientId));
  }

  bind(server: string, clientId: string, issuer: string): void {
    this.#bound.set(key(server, clientId), issuer);
  }

  /** What to present to `server` now. */
  currentGrant(server: string, owner: string): Grant | undefined {
    const at = this.#current.get(key(server, owner));
    return at === undefined ? undefined : this.#grants.get(at.at);
  }

  /** What this very issuer granted. */
  grantFor(owner: string, of: Pick<Grant, 'issuer' | 'resource' | 'clientId'>): Grant | undefined {
    return this.#grants.get(grantKey(owner, of));
  }

  keepGrant(server: string, owner: string, grant: Grant): void {
    const at = grantKey(owner, grant);
    this.#grants.set(at, grant);
    this.#current.set(key(server, owner), { issuer: grant.issuer, at });
  }

  /** Forgets this very grant: one that has taken its place meanwhile stays. */
  dropGrant(owner: string, grant: Grant): void {
    if (this.grantFor(owner, grant) === grant) this.#grants.delete(grantKey(owner, grant));
  }

  /** Forgets all that was granted for `server`, and who we were there. True if there was anything. */
  signOut(server: string): boolean {
    let any = false;
    for (const [known, { issuer, at }] of [...this.#current]) {
      if (!known.startsWith(key(server, ''))) continue;
      any = true;
      this.#current.delete(known);
      this.#grants.delete(at);
      // Also where the grant is gone already: a client that is no longer known there would be in the way for ever.
      this.dropClients(issuer);
    }
    for (const [known, issuer] of [...this.#bound]) {
      if (!known.startsWith(key(server, ''))) continue;
      any = true;
      this.#bound.delete(known);
      this.dropClients(issuer);
    }
    return any;
  }
}

function grantKey(
  owner: string,
  { issuer, resource, clientId }: Pick<Grant, 'issuer' | 'resource' | 'clientId'>,
): string {
  return key(issuer, resource ?? '', clientId, owner);
}

/** Parts never hold a line feed: they are URLs, or checked. */
function key(...parts: readonly string[]): string {
  return parts.join('\n');
}

/** One sign-in that waits for a person. */
export interface SignIn {
  /** Where the person signs in. */
  readonly url: string;
  /** Comes back in the callback, and nobody else knows it. */
  readonly state: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
}

/** How a person gets to an authorization server and back. */
export interface SignInCallbacks {
  /** Where authorization servers send people back to. Rejects with a ConnectionError where nobody can sign in. */
  redirectUri(): Promise<string>;
  /** Resolves with the parameters of the callback that has this sign-in's `state`. Rejects once `signal` is aborted. */
  waitForCallback(signIn: SignIn, signal: AbortSignal): Promise<URLSearchParams>;
}
