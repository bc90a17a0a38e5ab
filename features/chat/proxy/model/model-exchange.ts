import { ModelError } from '@/features/chat/lib/model';
import type { Headers as HeaderList, HttpLink } from '@/lib/transports/http-link';
import { MASK } from '@/lib/wire/http-frame';
import { KeyMask } from './key-mask';

/** Bytes of an answer that are kept for the log. A long answer with its framing has about one. */
const KEPT_BYTES = 4 * 1024 * 1024;
/** Bytes of an answer that are read. An endpoint that sends more never stops. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Bytes at the end of an answer that are looked at for the mark of its end. */
const TAIL_CHARS = 200;

/** The bytes that replace a key in an answer. */
const MASK_BYTES = Buffer.from(MASK).toString('latin1');

/** A request before it goes out. */
interface Outgoing {
  readonly url: string;
  readonly body: string;
}

/**
 * One request to a model. Its {@link send} has the form of `fetch`, and goes through our own egress: it shows what is
 * about to be sent and waits for {@link release}, then keeps what comes in. Our headers, which hold the key, are shown
 * nowhere, and a key in the answer is masked.
 */
export class ModelExchange {
  /** Resolves when the request is ready. */
  readonly outgoing: Promise<Outgoing>;
  /** Status and headers of the response, once it has begun. */
  status: number | undefined;
  headers: HeaderList = [];
  /** Bytes that came in, and the last of them as Latin-1. */
  bytes = 0;
  tail = '';
  /** Why the request or its answer broke off. */
  failure: unknown;
  readonly #link: HttpLink;
  readonly #key: string;
  readonly #signal: AbortSignal;
  readonly #kept: Buffer[] = [];
  #seenBytes = 0;
  #isSent = false;
  #show!: (outgoing: Outgoing) => void;
  readonly #released: Promise<void>;
  #release!: () => void;

  constructor(link: HttpLink, key: string | undefined, signal: AbortSignal) {
    this.#link = link;
    this.#key = key ?? '';
    this.#signal = signal;
    this.outgoing = new Promise((resolve) => {
      this.#show = resolve;
    });
    this.#released = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  /** Lets the request go. */
  release(): void {
    this.#release();
  }

  /** The answer, as far as it was read and kept. Invalid UTF-8 is replaced. */
  get body(): string {
    return Buffer.concat(this.#kept).toString();
  }

  /** True if {@link body} is only the beginning of the answer. */
  get isCut(): boolean {
    return this.#seenBytes > KEPT_BYTES;
  }

  /** Sends the request as `fetch` would. */
  readonly send: typeof globalThis.fetch = async (input, init) => {
    const url = String(input);
    const body = typeof init?.body === 'string' ? init.body : '';
    // Google's code would ask a second time to continue a long answer, unseen.
    if (this.#isSent) throw new Error('One request only');
    this.#isSent = true;
    const mask = new KeyMask(this.#key);
    this.#show({ url: mask.whole(url), body: mask.whole(body) });
    await this.#released;
    this.#signal.throwIfAborted();
    try {
      const response = await this.#link.send({
        method: init?.method === 'GET' ? 'GET' : 'POST',
        url,
        headers: [...new Headers(init?.headers)].filter(([name]) => name !== 'user-agent'),
        ...(body !== '' && { body: Buffer.from(body) }),
        signal: this.#signal,
        onRedirect: (_, next) => {
          if (next && new URL(next.url).origin !== new URL(url).origin) throw movedAway(next.url);
        },
      });
      this.status = response.status;
      this.headers = response.headers;
      const pieces = this.#read(response.body);
      const stream = new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          try {
            const { done, value } = await pieces.next();
            if (done) controller.close();
            else controller.enqueue(value);
          } catch (error) {
            controller.error(error);
          }
        },
        cancel: () => void pieces.return(undefined),
      });
      // The constructor accepts these only.
      const status = response.status >= 200 && response.status <= 599 ? response.status : 502;
      const isEmpty = [204, 205, 304].includes(status);
      const type = response.headers.find(([name]) => name.toLowerCase() === 'content-type');
      return new Response(isEmpty ? null : stream, { status, ...(type && { headers: [[type[0], type[1]]] }) });
    } catch (error) {
      this.failure = error;
      throw error;
    }
  };

  async *#read(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const mask = new KeyMask(this.#key, MASK_BYTES);
    try {
      for await (const chunk of body) {
        this.bytes += chunk.length;
        if (this.bytes > MOST_BYTES) throw tooLarge();
        const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
        yield* this.#keep(mask.push(bytes.toString('latin1')));
      }
      yield* this.#keep(mask.end());
    } catch (error) {
      this.failure ??= error;
      throw error;
    }
  }

  *#keep(text: string): Generator<Uint8Array> {
    if (text === '') return;
    const bytes = Buffer.from(text, 'latin1');
    if (this.#seenBytes < KEPT_BYTES) this.#kept.push(bytes.subarray(0, KEPT_BYTES - this.#seenBytes));
    this.#seenBytes += bytes.length;
    this.tail = (this.tail + text).slice(-TAIL_CHARS);
    yield bytes;
  }
}

function tooLarge(): ModelError {
  return new ModelError(
    'answer-too-large',
    `The endpoint sent more than ${MOST_BYTES / 1024 / 1024} MB.`,
    'Check the endpoint. A model does not write that much.',
  );
}

function movedAway(url: string): ModelError {
  return new ModelError(
    'redirect-refused',
    `The endpoint redirects to ${new URL(url).origin}, which was not followed.`,
    'If that is the right address, use it as the base URL.',
  );
}
