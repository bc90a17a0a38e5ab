import type { Direction } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { isObject, type JsonObject, own } from '@/lib/wire/message';

/** The newest progress notification of a request. */
export interface Progress {
  readonly seq: number;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
  /** How many there were so far. */
  readonly count: number;
}

type Token = string | number;

/** A request's token, and its direction: the other side may use the same. */
interface Given {
  readonly direction: Direction;
  readonly token: Token;
}

/** Which request a progress token belongs to, and how far each request has come. Tokens are strings or numbers. */
export class ProgressTokens {
  /** By the direction of the request, and its token: `1` and `"1"` are two. */
  readonly #requests = { 'to-server': new Map<Token, number>(), 'to-client': new Map<Token, number>() } as const;
  readonly #given = new Map<number, Given>();
  readonly #progress = new Map<number, Progress>();

  /** Notes the token of a request, if it has one. */
  request(seq: number, direction: Direction, body: JsonObject): void {
    const params = own(body, 'params');
    const meta = isObject(params) ? own(params, '_meta') : undefined;
    const token = isObject(meta) ? toToken(own(meta, 'progressToken')) : undefined;
    if (token === undefined) return;
    this.#requests[direction].set(token, seq);
    this.#given.set(seq, { direction, token });
  }

  /** Takes in a notification about a request that went in `direction`; returns the request's seq if the token is in use. */
  notification(seq: number, direction: Direction, params: JsonObject): number | undefined {
    const token = toToken(own(params, 'progressToken'));
    const request = token === undefined ? undefined : this.#requests[direction].get(token);
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
    const given = this.#given.get(seq);
    if (given === undefined) return;
    this.#given.delete(seq);
    const requests = this.#requests[given.direction];
    if (requests.get(given.token) === seq) requests.delete(given.token);
  }

  of(seq: number): Progress | undefined {
    return this.#progress.get(seq);
  }
}

function toToken(token: unknown): Token | undefined {
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}
