import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { ResponseSink } from '@/lib/replay/server/messages-to-client';
import type { ResumableStream } from '@/lib/replay/traffic/resumable-streams';
import { type OutgoingMessage, parseOutgoing } from '@/lib/transports/request-headers';
import type { Era } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { RPC_CODE } from '@/lib/wire/protocol-names';
import { bareReply, sendReply } from '@/proxy/http/reply';
import { readBody } from '@/proxy/http/routes';
import type { Backend, BackendConnection } from './backend';
import { type EventStream, openStream, writeEvent } from './event-stream';

/** HTTP statuses of error answers (2026-07-28), by code. */
const STATUSES: ReadonlyMap<unknown, number> = new Map([
  [RPC_CODE.parseError, 400],
  [RPC_CODE.invalidRequest, 400],
  [RPC_CODE.methodNotFound, 404],
  [RPC_CODE.headerMismatch, 400],
  [RPC_CODE.missingCapability, 400],
  [RPC_CODE.unsupportedVersion, 400],
]);

/** Answers one POST: with JSON if only the answer is sent, else with an event stream. */
class PostSink implements ResponseSink {
  readonly #response: ServerResponse;
  readonly #era: Era;
  readonly #resumable: EventStream | undefined;
  /** The resumable stream; undefined until the response becomes one. */
  #stream: EventStream | undefined;

  /** `resumable`: the stream to use if the recorded one was resumable. Absent: the response is never resumable. */
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

/** Statuses without a body. */
const BODILESS: readonly number[] = [204, 205, 304];

/** True if a client can get a body with this status. A recording may contain any number. */
function canAnswer(status: number | undefined): status is number {
  return status !== undefined && status >= 200 && status < 600 && !BODILESS.includes(status);
}

/**
 * Returns the status of an answer that was not recorded over HTTP. Before 2026-07-28, only invalid requests differ
 * from 200.
 */
function statusOf(text: string, era: Era): number {
  if (!text.includes('"error":{')) return 200;
  const message: unknown = JSON.parse(text);
  const error = isObject(message) ? own(message, 'error') : undefined;
  if (!isObject(error) || (era === 'legacy' && own(message as JsonObject, 'id') !== null)) return 200;
  return STATUSES.get(own(error, 'code')) ?? 200;
}

/** The single URL of a server over HTTP. */
export interface Endpoint {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Ends all sessions. */
  end(): void;
}

/** The connection that a POST is for. */
interface Counterpart {
  readonly connection: BackendConnection;
  /** Closing the response cancels the requests (2026-07-28). */
  readonly cancelsOnClose: boolean;
  /** The stream that the answer can become. Absent: the answer is not resumable. */
  readonly resumable?: EventStream;
}

/** Passes a POST to its connection. `counterpart` returns undefined for a request that it refused and answered. */
export async function post(
  request: IncomingMessage,
  response: ServerResponse,
  { era }: Pick<Backend, 'era'>,
  counterpart: (message: OutgoingMessage) => Counterpart | undefined,
): Promise<void> {
  const accepts = requestHeader(request, 'accept') ?? '';
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
  const received = found.connection.receive(body, new PostSink(response, era, found.resumable));
  if (received.requests === 0) sendReply(response, { status: 202 });
  else if (found.cancelsOnClose) response.on('close', received.abandon);
}

/** Returns a header by its name in lower case. */
export function requestHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
