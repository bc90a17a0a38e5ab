import type { Direction } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { idKey, isObject, type JsonObject, own } from '@/lib/wire/message';

/** The newest progress notification of a request. */
export interface Progress {
  readonly seq: number;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
  /** How many there were so far. */
  readonly count: number;
}

/** Which request a progress token belongs to, and how far each request has come. Tokens are strings or numbers. */
export class ProgressTokens {
  readonly #requests = new Map<string, number>();
  readonly #tokens = new Map<number, string>();
  readonly #progress = new Map<number, Progress>();

  /** Notes the token of a request, if it has one. */
  request(seq: number, direction: Direction, body: JsonObject): void {
    const params = own(body, 'params');
    const meta = isObject(params) ? own(params, '_meta') : undefined;
    const key = isObject(meta) ? tokenKey(direction, own(meta, 'progressToken')) : undefined;
    if (key === undefined) return;
    this.#requests.set(key, seq);
    this.#tokens.set(seq, key);
  }

  /** Takes in a notification about a request that went in `direction`; returns the request's seq if the token is in use. */
  notification(seq: number, direction: Direction, params: JsonObject): number | undefined {
    const key = tokenKey(direction, own(params, 'progressToken'));
    const request = key === undefined ? undefined : this.#requests.get(key);
    if (request === undefined) return undefined;
    const progress = own(params, 'progress');
    const total = own(params, 'total');
    const message = own(params, 'message');
    const before = this.#progress.get(request);
    this.#progress.set(request, {
      seq,
      progress: typeof progress === 'number' ? progress : (before?.progress ?? 0),
      total: typeof total === 'number' ? total : undefined,
      message: typeof message === 'string' ? message.slice(0, LIMITS.progressChars) : undefined,
      count: (before?.count ?? 0) + 1,
    });
    return request;
  }

  /** An answered request's token is free again: what still comes with it belongs to nothing. */
  answered(seq: number): void {
    const key = this.#tokens.get(seq);
    if (key === undefined) return;
    this.#tokens.delete(seq);
    if (this.#requests.get(key) === seq) this.#requests.delete(key);
  }

  of(seq: number): Progress | undefined {
    return this.#progress.get(seq);
  }
}

function tokenKey(direction: Direction, token: unknown): string | undefined {
  return typeof token === 'string' || typeof token === 'number' ? `${direction} ${idKey(token)}` : undefined;
}
