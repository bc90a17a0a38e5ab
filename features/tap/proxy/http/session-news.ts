import type { FirstMessage } from '../session-files';

/** News of the recording thread, which finds out the sessions while there are no rules. */
export type SessionNews =
  /** A key leads to a session. */
  | { readonly is: 'bound'; readonly session: string; readonly key: string; readonly hasEndpoint: boolean }
  /** Client and server agreed on a version. */
  | { readonly is: 'open'; readonly session: string }
  | { readonly is: 'forgotten'; readonly session: string }
  /** The exchange with this number is an event stream of the session. */
  | { readonly is: 'stream'; readonly session: string; readonly exchange: number }
  /** The answer to a {@link FirstMessagesWanted}. */
  | { readonly is: 'first'; readonly session: string; readonly messages: readonly FirstMessage[] };

/** Asks the thread for the first messages of a session, which rules that are set later need to know. */
export interface FirstMessagesWanted {
  readonly first: string;
}
