import type { JsonObject } from '@/lib/json/value';
import type { RingRecord } from '../ring';
import { Exchange } from './exchange';
import { BODY, type ExchangeRecord } from './exchange-feed';
import { type HttpTapSession, RecordedSession } from './recorded-session';
import { Sessions } from './sessions';

/** Bytes of bodies and unfinished events in memory. The exchange that exceeds it is not recorded any further. */
const HELD_BYTES = 64 * 1024 * 1024;
/** Files that are open at a time. Of more sessions, the one that was quiet the longest ends its file for now. */
const OPEN_FILES = 100;

/** Records what passes through an HTTP tap: one recording for each session. Runs on a thread of its own. */
export class ExchangeRecorder {
  readonly #tap: HttpTapSession;
  readonly #exchanges = new Map<number, Exchange>();
  readonly #sessions: Sessions<RecordedSession>;
  readonly #ending: Promise<void>[] = [];
  #time = 0;
  #isHurried = false;
  #held = 0;

  /** Calls `onFailed` with a sentence when a session is recorded no more. */
  constructor(tap: HttpTapSession, onFailed: (sentence: string) => void) {
    this.#tap = tap;
    this.#sessions = new Sessions(
      () => new RecordedSession(tap, this.#time, this.#isHurried, onFailed),
      (session) => this.#ending.push(session.end()),
    );
  }

  /** Records what has passed. Returns a promise if that takes long. It never rejects, and calls `pause` in between. */
  onRecord({ kind, tag, time, bytes }: RingRecord, pause: () => Promise<void>): Promise<void> | undefined {
    this.#time = time;
    const exchange = this.#exchanges.get(tag);
    if (kind === BODY.request) return this.#during(exchange, pause, () => exchange?.onRequestBytes(bytes));
    if (kind === BODY.response) return this.#during(exchange, pause, () => exchange?.onResponseBytes(bytes));
    const record = JSON.parse(String(bytes)) as ExchangeRecord;
    if (record.is === 'request') {
      this.#exchanges.set(tag, this.#newExchange(record));
      return undefined;
    }
    if (record.is === 'missing') {
      for (const session of this.#sessions.all()) {
        session.files.logEvent({ event: 'missing', frames: record.exchanges, folded: true });
        break;
      }
      return undefined;
    }
    return this.#during(exchange, pause, () => {
      exchange?.onRecord(record);
      if (record.is === 'end' || record.is === 'lost') this.#exchanges.delete(tag);
    });
  }

  #newExchange(request: Extract<ExchangeRecord, { is: 'request' }>): Exchange {
    return new Exchange(request, {
      url: this.#tap.url,
      sessionOf: (message) => this.#sessionOf(request, message),
      bindId: (session, id) => this.#sessions.bindId(session, id),
      bindEndpoint: (session, target) => this.#sessions.bindEndpoint(session, target),
      forget: (session) => this.#sessions.forget(session),
      hold: (more) => {
        this.#held += more;
        return this.#held <= HELD_BYTES;
      },
    });
  }

  #sessionOf(request: Extract<ExchangeRecord, { is: 'request' }>, message: JsonObject | undefined): RecordedSession {
    const session = this.#sessions.sessionOf({ ...request, message });
    session.time = this.#time;
    const open = [...this.#sessions.all()].filter((one) => one.isWriting && one !== session);
    // The least recently used come first.
    for (const quiet of open.slice(0, Math.max(0, open.length + 1 - OPEN_FILES))) quiet.rest();
    return session;
  }

  /** Does something with an exchange, and writes its frames together. */
  #during(exchange: Exchange | undefined, pause: () => Promise<void>, act: () => void): Promise<void> | undefined {
    const session = exchange?.session;
    if (session) return session.batch(this.#time, act, pause);
    act();
    const begun = exchange?.session;
    return begun?.batch(this.#time, () => {}, pause);
  }

  /** Makes no more indexes. */
  hurry(): void {
    this.#isHurried = true;
    for (const { files } of this.#sessions.all()) files.hurry();
  }

  /** Writes the rest and the ends. Resolves when everything is on disk. Never rejects. */
  async end(time: number): Promise<void> {
    this.#time = time;
    for (const exchange of this.#exchanges.values()) exchange.onRecord({ is: 'end', by: 'client' });
    for (const session of [...this.#sessions.all()]) this.#sessions.forget(session);
    await Promise.all(this.#ending);
  }
}
