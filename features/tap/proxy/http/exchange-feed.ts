import type { Headers, SocketAttempt } from '@/lib/transports/http-link';
import type { Direction } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import type { RecordingFeed } from '../recording-feed';
import { type Passed, TAGS } from '../ring';
import type { FirstMessagesWanted, SessionNews } from './session-news';

/** Streams of an exchange in the shared memory. An empty record ends the request. */
export const BODY: Readonly<Record<'request' | 'response', Passed>> = { request: 'stdin', response: 'stdout' };

/** The pieces of a message outside an exchange. */
export const MESSAGE: Passed = 'changed-in';

/** How an exchange ended. */
export interface ExchangeEnd {
  readonly by: 'server' | 'client' | 'failure';
  /** Code and text of a failure. */
  readonly code?: string;
  readonly message?: string;
}

/** A record for the recording thread about an exchange, whose number is the tag. Bodies are records of their own. */
export type ExchangeRecord =
  /**
   * `target` is a path at the server, or the URL of an authorization server. `session`: the session that it is part of,
   * if that is known.
   */
  | {
      readonly is: 'request';
      readonly method: string;
      readonly target: string;
      readonly headers: Headers;
      readonly session?: string | undefined;
    }
  | { readonly is: 'socket'; readonly attempt: SocketAttempt }
  | { readonly is: 'response'; readonly status: number; readonly headers: Headers }
  | ({ readonly is: 'end' } & ExchangeEnd)
  /** True: the messages of its response come in records of their own from now on, because rules may change them. */
  | { readonly is: 'told'; readonly told: boolean }
  | { readonly is: 'event'; readonly session: string; readonly event: LifecycleEvent }
  /** A message of so many bytes, which follow in pieces. */
  | ({ readonly is: 'message'; readonly bytes: number } & ToldMessage)
  /** The rest of it is not recorded. */
  | { readonly is: 'lost' }
  /** So many exchanges began unrecorded. */
  | { readonly is: 'missing'; readonly exchanges: number };

/** A message outside an exchange. */
export interface ToldMessage {
  readonly session: string;
  readonly channel: 'protocol' | 'intercept';
  readonly direction: Direction;
}

/** The end of a recording. `time` is in µs since the start. */
export interface LastExchanges {
  readonly time: number;
}

/** Bytes of a record at most, so that it is never most of the shared memory. */
const RECORD_BYTES = 128 * 1024;
/** Exchanges that are remembered as lost while the thread is late. Of more, only the number is. */
const MOST_LOST = 10_000;
const NOTHING = new Uint8Array(0);

/** Hands copies of what passes to the thread that records it. Never throws. */
export class ExchangeFeed {
  readonly #feed: RecordingFeed<LastExchanges | FirstMessagesWanted, SessionNews>;
  #last = 0;
  readonly #lost = new Set<number>();
  #missing = 0;

  constructor(feed: RecordingFeed<LastExchanges | FirstMessagesWanted, SessionNews>) {
    this.#feed = feed;
  }

  /** Resolves once the thread runs: it has taken a record that means nothing. */
  ready(): Promise<void> {
    this.#feed.put(BODY.request, NOTHING);
    return this.#feed.written();
  }

  /** Calls back with what the thread finds out about sessions. */
  onNews(onNews: (news: SessionNews) => void): void {
    this.#feed.onNews = onNews;
  }

  /** Asks for the first messages of a session, among all that passed so far. Returns false if nobody answers. */
  askFirst(session: string): boolean {
    if (this.#feed.isOff) return false;
    // The thread has to find out the sessions of open streams before, and a message overtakes what it has not read.
    void this.#feed.written().then(() => this.#feed.tell({ first: session }));
    return true;
  }

  /** Records an event of a session. */
  logEvent(session: string, event: LifecycleEvent): void {
    this.#tellOrMiss({ is: 'event', session, event });
  }

  /** Records a message of a session. */
  logMessage(message: ToldMessage, bytes: Uint8Array): void {
    if (!this.#tellOrMiss({ is: 'message', ...message, bytes: bytes.length })) return;
    if (this.#pass(0, MESSAGE, bytes) === false) this.#missing++;
  }

  #tellOrMiss(record: ExchangeRecord): boolean {
    const isRecorded = this.#tell(0, record);
    if (!isRecorded && !this.#feed.isOff) this.#missing++;
    return isRecorded;
  }

  /** Begins an exchange, of a session that is known, or of one that the thread finds out. */
  begin(method: string, target: string, headers: Headers, session?: string): RecordedExchange {
    this.#last = (this.#last + 1) % TAGS || 1;
    const tag = this.#last;
    const isRecorded = this.#tell(tag, { is: 'request', method, target, headers, session });
    if (!isRecorded && !this.#feed.isOff) this.#missing++;
    return new RecordedExchange({
      tag,
      isRecorded,
      tell: (record) => this.#tell(tag, record),
      pass: (stream, chunk) => this.#pass(tag, stream, chunk),
      lose: () => {
        if (this.#lost.size < MOST_LOST) this.#lost.add(tag);
        else this.#missing++;
      },
    });
  }

  /** Ends the recording. Resolves when it is written, or after `mostMs`. */
  async end(mostMs: number): Promise<void> {
    this.#catchUp();
    await this.#feed.end({ time: this.#feed.now() }, mostMs);
  }

  #tell(tag: number, record: ExchangeRecord): boolean {
    if (this.#feed.isOff || (this.#feed.isLate && !this.#catchUp())) return false;
    return this.#feed.put('event', Buffer.from(JSON.stringify(record)), tag);
  }

  /** Returns false if it could not be recorded, or a promise for which the next bytes should wait. */
  #pass(tag: number, stream: Passed, chunk: Uint8Array): boolean | Promise<void> {
    if (this.#feed.isOff || (this.#feed.isLate && !this.#catchUp())) return false;
    let at = 0;
    do {
      const piece = chunk.length <= RECORD_BYTES ? chunk : chunk.subarray(at, at + RECORD_BYTES);
      if (!this.#feed.put(stream, piece, tag)) return false;
      at += RECORD_BYTES;
    } while (at < chunk.length);
    return this.#feed.keepsUp ? true : this.#feed.written();
  }

  /** Tells the thread what it missed, if it has taken everything. Returns true if it is not late any more. */
  #catchUp(): boolean {
    if (this.#feed.isLate && !this.#feed.catchUp()) return false;
    const put = (tag: number, record: ExchangeRecord): boolean =>
      this.#feed.put('event', Buffer.from(JSON.stringify(record)), tag);
    for (const tag of this.#lost) if (put(tag, { is: 'lost' })) this.#lost.delete(tag);
    if (this.#missing > 0 && put(0, { is: 'missing', exchanges: this.#missing })) this.#missing = 0;
    return true;
  }
}

interface Telling {
  readonly tag: number;
  readonly isRecorded: boolean;
  tell(record: ExchangeRecord): boolean;
  pass(stream: Passed, chunk: Uint8Array): boolean | Promise<void>;
  lose(): void;
}

/** One exchange that passes. After a part of it could not be recorded, the rest is not either. */
export class RecordedExchange {
  readonly #telling: Telling;
  #isRecorded: boolean;

  constructor(telling: Telling) {
    this.#telling = telling;
    this.#isRecorded = telling.isRecorded;
  }

  /** Its number. */
  get tag(): number {
    return this.#telling.tag;
  }

  /** True: the messages of the response come in records of their own from now on. */
  tellMessages(told: boolean): void {
    this.#tell({ is: 'told', told });
  }

  onSocket(attempt: SocketAttempt): void {
    this.#tell({ is: 'socket', attempt });
  }

  /** Records a copy of a piece of a body. Returns a promise if the next one should wait for it. */
  onBody(of: 'request' | 'response', chunk: Uint8Array): Promise<void> | undefined {
    if (!this.#isRecorded) return undefined;
    const passed = this.#telling.pass(BODY[of], chunk);
    if (passed === false) this.#lose();
    return typeof passed === 'boolean' ? undefined : passed;
  }

  /** The request is complete. */
  onRequestEnd(): void {
    void this.onBody('request', NOTHING);
  }

  onResponse(status: number, headers: Headers): void {
    this.#tell({ is: 'response', status, headers });
  }

  onEnd(end: ExchangeEnd): void {
    this.#tell({ is: 'end', ...end });
    this.#isRecorded = false;
  }

  #tell(record: ExchangeRecord): void {
    if (this.#isRecorded && !this.#telling.tell(record)) this.#lose();
  }

  #lose(): void {
    this.#isRecorded = false;
    this.#telling.lose();
  }
}
