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
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** The granted scopes, or the requested ones if the server did not list them. */
  readonly scopes: readonly string[];
  readonly by: 'sign-in' | 'refresh';
}

/**
 * Clients and tokens from authorization servers, in memory only and shared by all connections of a run. Each belongs to
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
    return any;
  }
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
  /** Returns the URI for authorization servers to redirect to. Rejects with a ConnectionError if nobody can sign in. */
  redirectUri(): Promise<string>;
  /** Resolves with the parameters of the callback with this sign-in's `state`. Rejects when `signal` is aborted. */
  waitForCallback(signIn: SignIn, signal: AbortSignal): Promise<URLSearchParams>;
}
