import type { ServerResponse } from 'node:http';
import type { Outlet } from '@/lib/replay/outlet';
import type { NumberedStream } from '@/lib/session/numbered-streams';
import type { Era } from '@/lib/wire/lifecycle';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { sendReply } from '../http/reply';
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
export class PostOutlet implements Outlet {
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

  number({ primed, retryMs }: NumberedStream): void {
    this.#stream = this.#resumable;
    this.#stream?.open(this.#response);
    this.#stream?.prime(primed, retryMs);
  }

  cut(): void {
    this.#stream?.cut();
  }

  tell(text: string): void {
    if (this.#stream) this.#stream.tell(text);
    else {
      openStream(this.#response);
      writeEvent(this.#response, text);
    }
  }

  answer(text: string, status?: number): void {
    if (!this.#response.headersSent) {
      const sent = canAnswer(status) ? status : statusOf(text, this.#era);
      sendReply(this.#response, { status: sent, type: 'application/json', body: text });
      return;
    }
    this.tell(text);
    this.#end();
  }

  drop(): void {
    if (this.#response.headersSent) this.#end();
    else sendReply(this.#response, { status: 202 });
  }

  refuse(status: number, body: string): void {
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
