import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Replay } from '@/lib/replay/replay';
import type { ReplayConnection } from '@/lib/replay/replay-connection';
import { type Outgoing, readOutgoing } from '@/lib/transports/outgoing';
import { LIMITS } from '@/lib/wire/limits';
import { readBody } from '../http/read-body';
import { bareReply, sendReply } from '../http/reply';
import type { EventStream } from './event-stream';
import { PostOutlet } from './post-outlet';

/** The one URL of a replay over HTTP. */
export interface Endpoint {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Ends all sessions. */
  end(): void;
}

/** Whom a POST is for. */
interface Counterpart {
  readonly connection: ReplayConnection;
  /** A client that closes the response calls its requests off (2026-07-28). */
  readonly callsOffByClosing: boolean;
  /** What the answer becomes if its client can come back to it; absent: it can't. */
  readonly resumable?: EventStream;
}

/** Hands one POST to whom it is for. `counterpart` undefined: it was refused, and answered. */
export async function post(
  request: IncomingMessage,
  response: ServerResponse,
  { session }: Replay,
  counterpart: (message: Outgoing) => Counterpart | undefined,
): Promise<void> {
  const accepts = headerOf(request, 'accept') ?? '';
  if (!/\*\/\*|text\/event-stream/.test(accepts) || !/\*\/\*|application\/json/.test(accepts)) {
    sendReply(response, bareReply(406), true);
    return;
  }
  const body = await readBody(request, LIMITS.httpBodyBytes);
  if (body === undefined) {
    sendReply(response, bareReply(413), true);
    return;
  }
  const found = counterpart(readOutgoing(body));
  if (!found) return;
  const received = found.connection.receive(body, new PostOutlet(response, session.era, found.resumable));
  if (received.requests === 0) sendReply(response, { status: 202 });
  else if (found.callsOffByClosing) response.on('close', received.abandon);
}

/** A header's value by its name in lower case. */
export function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
