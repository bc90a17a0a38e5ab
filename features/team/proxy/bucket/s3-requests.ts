import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { retryAfterMs } from '@/lib/transports/http-link';
import type { Clock } from '@/lib/wire/clock';
import { readCount } from '@/lib/wire/read-count';
import type { ForeignRequest } from '@/proxy/egress/egress';
import type { CredentialSource } from './credentials';
import { objectUrl, type S3Address } from './s3-address';
import { answerFailure, answerHeader, clockFailure, connectionFailure, errorCode, type S3Answer } from './s3-failure';
import { StoreError, storeCancelled } from './store-error';

/** A request to the store, to be signed. */
export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** In the bucket, with the prefix of the address. '' for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Statuses beside 200 to 299 that are an answer and not a failure. */
  readonly accepts?: readonly number[];
  /** Most bytes of the answer's body. */
  readonly most?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request of ours as it is, without following redirects: the `pass` of our egress. */
export interface RequestSender {
  pass(request: ForeignRequest): Promise<IncomingMessage>;
  close(): void;
}

export interface S3Environment {
  readonly address: S3Address;
  readonly credentials: CredentialSource;
  readonly sender: RequestSender;
  readonly clock: Clock;
  /** Unix milliseconds. */
  readonly wallClock?: () => number;
  /** From 0 to 1, to spread retries. */
  readonly random?: () => number;
}

/** Attempts of one request. */
const ATTEMPTS = 5;
/** Wait before the second attempt, in ms. Doubles with each. */
const FIRST_WAIT_MS = 200;
/** Longest wait between two attempts, also if the store asks for more. */
const MOST_WAIT_MS = 20_000;
/** How long the store may be silent, in ms. */
const SILENCE_MS = 30_000;
/** Slowest upload that is waited for, in bytes per ms (64 KB/s). */
const SLOWEST_BYTES_PER_MS = 64;
/** Difference of the clocks from which it is the reason of a refusal. S3 allows 15 minutes. */
const SKEW_MS = 5 * 60_000;
/** Most bytes of an answer, unless a request expects more. Lists of 1,000 keys have about 500 KB. */
const ANSWER_BYTES = 8 * 1024 * 1024;

/** Signs requests (AWS Signature Version 4), sends them, and repeats those that failed for a passing reason. */
export class S3Requests {
  readonly #env: S3Environment;
  readonly #wallClock: () => number;
  /** Keys derived from the secret, kept by aws4fetch for a day. */
  readonly #signingKeys = new Map<string, ArrayBuffer>();
  /** How far the clock of the store is ahead of ours, once a refusal showed it. */
  #aheadMs: number | undefined;

  constructor(env: S3Environment) {
    this.#env = env;
    this.#wallClock = env.wallClock ?? Date.now;
  }

  /** Resolves with a whole answer whose status was expected. Rejects with a StoreError. */
  async send(request: S3Request): Promise<S3Answer> {
    for (let attempt = 1; ; attempt++) {
      let failure: StoreError;
      let wanted: number | undefined;
      try {
        const answer = await this.#attempt(request);
        const { status } = answer;
        if ((status >= 200 && status < 300) || request.accepts?.includes(status)) return answer;
        if (this.#isCorrected(answer)) continue;
        failure = this.#failureOf(answer, request.key);
        wanted = retryAfterMs(answerHeader(answer, 'retry-after') ?? '', this.#wallClock());
      } catch (error) {
        failure = connectionFailure(error, this.#env.address);
      }
      if (request.signal?.aborted) throw storeCancelled();
      if (!failure.isPassing || attempt === ATTEMPTS) throw failure;
      await this.#wait(attempt, wanted, request.signal);
    }
  }

  close(): void {
    this.#env.sender.close();
  }

  /** Learns the difference of the clocks from a refusal, once. Returns true if the request is worth another attempt. */
  #isCorrected(answer: S3Answer): boolean {
    if (this.#aheadMs !== undefined || !CLOCK_STATUSES.has(answer.status)) return false;
    const ahead = this.#aheadOf(answer);
    if (ahead === undefined || Math.abs(ahead) < SKEW_MS) return false;
    this.#aheadMs = ahead;
    return true;
  }

  #failureOf(answer: S3Answer, key: string): StoreError {
    const { address } = this.#env;
    const below = address.prefix === '' ? key : key.slice(address.prefix.length + 1);
    if (errorCode(answer) !== 'RequestTimeTooSkewed') return answerFailure(answer, address, below);
    return clockFailure(address, -(this.#aheadOf(answer) ?? 0));
  }

  #aheadOf(answer: S3Answer): number | undefined {
    const date = Date.parse(answerHeader(answer, 'date') ?? '');
    return Number.isNaN(date) ? undefined : date - this.#wallClock();
  }

  /** Sends a request once. The signature covers the digest of the body, so damaged bytes are refused. */
  async #attempt(request: S3Request): Promise<S3Answer> {
    const { address, credentials, sender, clock } = this.#env;
    const ended = new AbortController();
    const signal = request.signal ? AbortSignal.any([request.signal, ended.signal]) : ended.signal;
    const silent = silence(clock, () => ended.abort());
    try {
      silent.restart(SILENCE_MS);
      const url = objectUrl(address, request.key);
      for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.append(name, value);
      const { body = NOTHING } = request;
      const keys = await credentials(signal);
      const digest = createHash('sha256').update(body).digest('hex');
      const signed = await new AwsV4Signer({
        method: request.method,
        url: url.href,
        service: 's3',
        region: address.region,
        accessKeyId: keys.accessKeyId,
        secretAccessKey: keys.secretAccessKey,
        ...(keys.sessionToken !== undefined && { sessionToken: keys.sessionToken }),
        headers: { ...request.headers, 'x-amz-content-sha256': digest },
        cache: this.#signingKeys,
        datetime: amzDate(this.#wallClock() + (this.#aheadMs ?? 0)),
      }).sign();
      const hasBody = request.method === 'PUT' || request.method === 'POST';
      silent.restart(SILENCE_MS + body.length / SLOWEST_BYTES_PER_MS);
      const message = await sender.pass({
        method: request.method,
        origin: signed.url,
        target: `${signed.url.pathname}${signed.url.search}`,
        headers: [
          ['Host', signed.url.host],
          ...signed.headers,
          ...(hasBody ? [['Content-Length', String(body.length)] as const] : []),
        ],
        ...(body.length > 0 && { body: Readable.from([body]) }),
        signal,
      });
      const bytes = await collected(message, request.most ?? ANSWER_BYTES, () => silent.restart(SILENCE_MS));
      const declared = message.headers['content-length'];
      if (request.method !== 'HEAD' && declared !== undefined && readCount(declared) !== bytes.length)
        throw truncated();
      return { status: message.statusCode ?? 0, headers: message.headers, body: bytes };
    } catch (error) {
      if (ended.signal.aborted && !request.signal?.aborted) throw this.#silentFailure();
      throw error;
    } finally {
      silent.stop();
      ended.abort();
    }
  }

  #silentFailure(): StoreError {
    return new StoreError(
      'store-busy',
      `${new URL(this.#env.address.endpoint).host} did not answer within ${SILENCE_MS / 1000} s.`,
      'Try again later.',
      true,
    );
  }

  /** Waits a random part of a time that doubles, or as long as the store asks for. */
  async #wait(attempt: number, wanted: number | undefined, signal: AbortSignal | undefined): Promise<void> {
    const most = Math.min(MOST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
    const ms = wanted === undefined ? most * (this.#env.random ?? Math.random)() : Math.min(MOST_WAIT_MS, wanted);
    await new Promise<void>((resolve) => {
      const cancel = this.#env.clock.after(ms, resolve);
      signal?.addEventListener('abort', () => resolve(cancel()), { once: true });
    });
    if (signal?.aborted) throw storeCancelled();
  }
}

const NOTHING = new Uint8Array();

/** Statuses of an answer to a signature with a wrong time. */
const CLOCK_STATUSES: ReadonlySet<number> = new Set([400, 401, 403]);

/** Returns a timer that ends an exchange in which nothing happens. */
function silence(clock: Clock, run: () => void): { restart(ms: number): void; stop(): void } {
  let cancel = (): void => {};
  return {
    restart(ms) {
      cancel();
      cancel = clock.after(ms, run);
    },
    stop: () => cancel(),
  };
}

async function collected(message: IncomingMessage, most: number, onChunk: () => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      onChunk();
      chunks.push(chunk);
      length += chunk.length;
      if (length > most) break;
    }
  } catch {
    throw truncated();
  }
  if (length <= most) return Buffer.concat(chunks);
  message.destroy();
  throw new StoreError(
    'store-refused',
    `The answer of the store has more than ${most} bytes.`,
    'Check that it is an S3-compatible store.',
  );
}

function truncated(): StoreError {
  return new StoreError('store-truncated', 'The answer of the store ended too early.', 'Try again.', true);
}

/** `20261126T191500Z`. */
function amzDate(time: number): string {
  return new Date(time).toISOString().replace(/[:-]|\.\d{3}/g, '');
}
