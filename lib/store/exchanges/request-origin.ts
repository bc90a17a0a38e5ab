/** Client requests that ask for a state, or manage the session. What a server does meanwhile has another cause. */
const STARTS_NO_WORK =
  /^(?:initialize|ping|server\/discover|subscriptions\/listen|logging\/setLevel|tasks\/.+|.+\/list)$/;

/** Returns true for a client request that makes a server work, so that it may log or ask something meanwhile. */
export function startsWork(method: string | undefined): boolean {
  return !STARTS_NO_WORK.test(method ?? '');
}

/** The facts that may tell which request is behind a message of the server. Requests are seqs. */
export interface Clues {
  /** The message names its task or subscription. Its request is undefined if the log doesn't have it. */
  readonly named?: { readonly request: number | undefined } | undefined;
  /** The client request whose HTTP stream carried the message. */
  readonly carrier?: number | undefined;
  /** The requests in flight that {@link startsWork} holds for, and calls whose task has not ended. */
  readonly inFlight: ReadonlySet<number>;
}

/**
 * Returns the client request that caused a message: the one that it names, otherwise the one on whose stream it came,
 * otherwise the only one in flight. undefined if several are in flight: nothing tells which one it was.
 */
export function causingRequest({ named, carrier, inFlight }: Clues): number | undefined {
  if (named) return named.request;
  if (carrier !== undefined) return carrier;
  const [only] = inFlight;
  return inFlight.size === 1 ? only : undefined;
}
