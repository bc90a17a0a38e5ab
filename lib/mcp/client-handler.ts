import type { RequestId } from '@/lib/wire/message';

/** Who asks a client for something, and how long. */
export interface Asking {
  readonly method: string;
  /** Of the server's request; in the modern era of our request, which it answers by asking. */
  readonly id: RequestId;
  /** The name of the question among those of the same answer (modern era). */
  readonly key?: string;
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/**
 * Answers what a server asks of a client, with the JSON text of a result. A {@link Refusal} that it throws or rejects with
 * is the answer, any other error as an internal one.
 */
export type ClientHandler = (params: unknown, asking: Asking) => string | Promise<string>;

/** Who answers, by method. */
export type ClientHandlers = ReadonlyMap<string, ClientHandler>;

/** An error as the answer to what a server asks. */
export class Refusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }
}
