import type { Challenge } from './challenge';

/** What a server refused, and with what. */
export interface AuthorizationRefusal {
  readonly status: number;
  readonly challenge: Challenge;
  /** The `Authorization` that was sent. */
  readonly sent: string | undefined;
  /** How often this same request was refused before. */
  readonly before: number;
  /** The request is given up; what awaits then is rejected. */
  readonly signal: AbortSignal;
}

/** Sees to it that a transport over HTTP is let in. */
export interface HttpAuthorizer {
  /** Value of `Authorization` for the next request; undefined while there is none. */
  header(): string | undefined;
  /**
   * Does what the refusal asks for. Resolves when the request may be sent again with {@link header}. Rejects with a
   * {@link RefusedError} when that makes no sense.
   */
  satisfy(refusal: AuthorizationRefusal): Promise<void>;
  /** Gives up waiting for a person. False: nobody is waited for. */
  abandon(): boolean;
  /** Ends what is under way. */
  close(): void;
}
