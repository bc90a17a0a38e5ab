import type { ServerResponse } from 'node:http';
import type { Outlet } from '@/lib/replay/outlet';
import type { Era } from '@/lib/wire/lifecycle';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { sendReply } from '../http/reply';

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

  constructor(response: ServerResponse, era: Era) {
    this.#response = response;
    this.#era = era;
  }

  tell(text: string): void {
    openStream(this.#response);
    writeEvent(this.#response, text);
  }

  answer(text: string, status?: number): void {
    if (!this.#response.headersSent) {
      const sent = canAnswer(status) ? status : statusOf(text, this.#era);
      sendReply(this.#response, { status: sent, type: 'application/json', body: text });
      return;
    }
    writeEvent(this.#response, text);
    this.#response.end();
  }

  drop(): void {
    if (this.#response.headersSent) this.#response.end();
    else sendReply(this.#response, { status: 202 });
  }

  refuse(status: number, body: string): void {
    if (this.#response.headersSent) this.#response.end();
    else sendReply(this.#response, { status: canAnswer(status) ? status : 502, body });
  }
}

/** Statuses that end a request and have no body. */
const BODILESS: readonly number[] = [204, 205, 304];

/** Whether a body can be sent with it, and a client hears it: a recording may say anything. */
function canAnswer(status: number | undefined): status is number {
  return status !== undefined && status >= 200 && status < 600 && !BODILESS.includes(status);
}

/** Begins an event stream, unless it has begun. */
export function openStream(response: ServerResponse): void {
  if (response.headersSent) return;
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.flushHeaders();
}

/** One message as an event. A response whose reader is gone takes it and does nothing. */
export function writeEvent(response: ServerResponse, text: string): void {
  if (!response.writableEnded) response.write(`event: message\ndata: ${text}\n\n`);
}

/** Of an answer that was not recorded over HTTP. Before 2026-07-28, only what is no request at all has another than 200. */
function statusOf(text: string, era: Era): number {
  if (!text.includes('"error":{')) return 200;
  const message: unknown = JSON.parse(text);
  const error = isObject(message) ? own(message, 'error') : undefined;
  if (!isObject(error) || (era === 'legacy' && own(message as JsonObject, 'id') !== null)) return 200;
  return STATUSES.get(own(error, 'code')) ?? 200;
}
