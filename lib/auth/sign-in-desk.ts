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
export interface SignInDesk {
  /** Where authorization servers send people back to. Rejects with a ConnectionError where nobody can sign in. */
  redirectUri(): Promise<string>;
  /** Resolves with the parameters of the callback that has this sign-in's `state`. Rejects once `signal` is aborted. */
  callback(signIn: SignIn, signal: AbortSignal): Promise<URLSearchParams>;
}
