import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { ResponseSink } from '@/lib/replay/server/messages-to-client';
import type { Replay } from '@/lib/replay/server/replay';
import type { ReplayConnection } from '@/lib/replay/server/replay-connection';
import type { ResumableStream } from '@/lib/replay/traffic/resumable-streams';
import { type OutgoingMessage, parseOutgoing } from '@/lib/transports/request-headers';
import type { Era } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { bareReply, sendReply } from '@/proxy/http/reply';
import { readBody } from '@/proxy/http/routes';
import { type EventStream, openStream, writeEvent } from './event-stream';

/** Statuses of answers that are errors (2026-07-28), by code. */
const STATUSES: ReadonlyMap<unknown, number> = new Map([
  [-32700, 400],
  [-32600, 400],
  [-32601, 404],
  [-32020, 400],
  [-32021, 400],
  [-32022, 400],
]);

/** Answers one POST: an answer alone is JSON; if something comes before it, all is an event stream. */
class PostSink implements ResponseSink {
  readonly #response: ServerResponse;
  readonly #era: Era;
  readonly #resumable: EventStream | undefined;
  /** The one that its client can come back to, once it is known to be that. */
  #stream: EventStream | undefined;

  /** `resumable`: what it is to become if it is numbered; absent: it never is. */
  constructor(response: ServerResponse, era: Era, resumable?: EventStream) {
    this.#response = response;
    this.#era = era;
    this.#resumable = resumable;
  }

  makeResumable({ primed, retryMs }: ResumableStream): void {
    this.#stream = this.#resumable;
    this.#stream?.open(this.#response);
    this.#stream?.prime(primed, retryMs);
  }

  cutStream(): void {
    this.#stream?.cut();
  }

  sendMessage(text: string): void {
    if (this.#stream) this.#stream.sendMessage(text);
    else {
      openStream(this.#response);
      writeEvent(this.#response, text);
    }
  }

  sendAnswer(text: string, status?: number): void {
    if (!this.#response.headersSent) {
      const sent = canAnswer(status) ? status : statusOf(text, this.#era);
      sendReply(this.#response, { status: sent, type: 'application/json', body: text });
      return;
    }
    this.sendMessage(text);
    this.#end();
  }

  dropAnswer(): void {
    if (this.#response.headersSent) this.#end();
    else sendReply(this.#response, { status: 202 });
  }

  refuseByHttp(status: number, body: string): void {
    if (this.#response.headersSent) this.#end();
    else sendReply(this.#response, { status: canAnswer(status) ? status : 502, body });
  }

  #end(): void {
    if (this.#stream) this.#stream.end();
    else this.#response.end();
  }
}

/** Statuses that end a request and have no body. */
const BODILESS: readonly number[] = [204, 205, 304];

/** Whether a body can be sent with it, and a client hears it: a recording may say anything. */
function canAnswer(status: number | undefined): status is number {
  return status !== undefined && status >= 200 && status < 600 && !BODILESS.includes(status);
}

/** Of an answer that was not recorded over HTTP. Before 2026-07-28, only what is no request at all has another than 200. */
function statusOf(text: string, era: Era): number {
  if (!text.includes('"error":{')) return 200;
  const message: unknown = JSON.parse(text);
  const error = isObject(message) ? own(message, 'error') : undefined;
  if (!isObject(error) || (era === 'legacy' && own(message as JsonObject, 'id') !== null)) return 200;
  return STATUSES.get(own(error, 'code')) ?? 200;
}

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
  { traffic }: Replay,
  counterpart: (message: OutgoingMessage) => Counterpart | undefined,
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
  const found = counterpart(parseOutgoing(body));
  if (!found) return;
  const received = found.connection.receive(body, new PostSink(response, traffic.era, found.resumable));
  if (received.requests === 0) sendReply(response, { status: 202 });
  else if (found.callsOffByClosing) response.on('close', received.abandon);
}

/** A header's value by its name in lower case. */
export function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
