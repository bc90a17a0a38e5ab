import type { JsonObject } from '@/lib/json/value';
import type { Direction } from '@/lib/wire/frame';
import type { ExportThread } from '@/proxy/otel/export-thread';
import { startInBackground } from '@/proxy/process/start-in-background';
import { RecordingUploads } from '@/proxy/recorder/recording-uploads';
import type { RingRecord } from '../ring';
import { TappedExchange } from './exchange';
import { BODY, type ExchangeRecord, MESSAGE, type ToldMessage } from './exchange-feed';
import { type HttpTapSession, RecordedSession } from './recorded-session';
import { newSessionName } from './session-names';
import type { SessionNews } from './session-news';
import { TappedSessions } from './sessions';

/** Bytes of bodies and unfinished events in memory. The exchange that exceeds it is not recorded any further. */
const HELD_BYTES = 64 * 1024 * 1024;
/** Files that are open at a time. Of more sessions, the one that was quiet the longest ends its file for now. */
const OPEN_FILES = 100;

/** Records what passes through an HTTP tap: one recording for each session. Runs on a thread of its own. */
export class ExchangeRecorder {
  readonly #tap: HttpTapSession;
  readonly #exchanges = new Map<number, TappedExchange>();
  readonly #sessions: TappedSessions<RecordedSession>;
  readonly #ending: Promise<void>[] = [];
  readonly #onNews: (news: SessionNews) => void;
  readonly #uploads: RecordingUploads | undefined;
  /** The message whose pieces arrive. */
  #told: (ToldMessage & { readonly bytes: number; readonly pieces: Buffer[]; left: number }) | undefined;
  #time = 0;
  #held = 0;

  /** Calls `onFailed` with a sentence when a session is recorded no more. `exporter`: exports what is recorded. */
  constructor(
    tap: HttpTapSession,
    onFailed: (sentence: string) => void,
    onNews: (news: SessionNews) => void,
    exporter?: Pick<ExportThread, 'begin'>,
  ) {
    this.#tap = tap;
    this.#onNews = onNews;
    this.#uploads = tap.upload && new RecordingUploads(tap.folder, tap.upload, startInBackground);
    this.#uploads?.resume();
    this.#sessions = new TappedSessions(
      (name = newSessionName(tap.tap)) => {
        const how = { uploads: this.#uploads, exporter };
        return new RecordedSession(tap, name, this.#time, how, onFailed);
      },
      (session) => {
        onNews({ is: 'forgotten', session: session.name });
        this.#ending.push(session.end());
      },
      ({ name, hasEndpoint }, key) => onNews({ is: 'bound', session: name, key, hasEndpoint }),
    );
  }

  /** Reports the first messages of a session. */
  reportFirst(session: string): void {
    this.#onNews({ is: 'first', session, messages: this.#sessions.get(session)?.firstMessages() ?? [] });
  }

  /** Records what has passed. Returns a promise if that takes long. It never rejects, and calls `pause` in between. */
  onRecord({ kind, tag, time, bytes }: RingRecord, pause: () => Promise<void>): Promise<void> | undefined {
    this.#time = time;
    const exchange = this.#exchanges.get(tag);
    if (kind === BODY.request) return this.#during(exchange, pause, () => exchange?.onRequestBytes(bytes));
    if (kind === BODY.response) return this.#during(exchange, pause, () => exchange?.onResponseBytes(bytes));
    if (kind === MESSAGE) return this.#onPiece(bytes, pause);
    const record = JSON.parse(String(bytes)) as ExchangeRecord;
    if (record.is === 'request') {
      this.#exchanges.set(tag, this.#newExchange(tag, record));
      return undefined;
    }
    if (record.is === 'event') {
      const session = this.#sessions.named(record.session);
      return session.batch(time, () => session.files.logEvent(record.event), pause);
    }
    if (record.is === 'message') {
      // An earlier one whose rest is missing is dropped.
      this.#told = { ...record, pieces: [], left: record.bytes };
      return record.bytes === 0 ? this.#onPiece(bytes.subarray(0, 0), pause) : undefined;
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

  #onPiece(piece: Buffer, pause: () => Promise<void>): Promise<void> | undefined {
    const told = this.#told;
    if (!told) return undefined;
    told.pieces.push(piece);
    told.left -= piece.length;
    if (told.left > 0) return undefined;
    this.#told = undefined;
    const session = this.#sessions.named(told.session);
    const bytes = told.pieces.length === 1 ? piece : Buffer.concat(told.pieces);
    const add = (): void => {
      if (told.channel === 'intercept') session.logOriginal(told.direction, bytes);
      else this.#logMessage(session, told.direction, bytes);
    };
    return session.batch(this.#time, add, pause);
  }

  #logMessage(session: RecordedSession, direction: Direction, source: Uint8Array, start?: number, end?: number): void {
    const wasOpen = session.isOpen;
    session.logMessage(direction, source, start, end);
    if (session.isOpen && !wasOpen) this.#onNews({ is: 'open', session: session.name });
  }

  #newExchange(tag: number, request: Extract<ExchangeRecord, { is: 'request' }>): TappedExchange {
    return new TappedExchange(request, {
      logMessage: (session, direction, source, start, end) => this.#logMessage(session, direction, source, start, end),
      onStream: (session) => this.#onNews({ is: 'stream', session: session.name, exchange: tag }),
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
    const session = this.#sessions.sessionOf({ ...request, message }, request.session);
    session.time = this.#time;
    const open = [...this.#sessions.all()].filter((one) => one.isWriting && one !== session);
    // The least recently used come first.
    for (const quiet of open.slice(0, Math.max(0, open.length + 1 - OPEN_FILES))) quiet.rest();
    return session;
  }

  /** Does something with an exchange, and writes its frames together. */
  #during(
    exchange: TappedExchange | undefined,
    pause: () => Promise<void>,
    act: () => void,
  ): Promise<void> | undefined {
    const session = exchange?.session;
    if (session) return session.batch(this.#time, act, pause);
    act();
    const begun = exchange?.session;
    return begun?.batch(this.#time, () => {}, pause);
  }

  /** Writes the rest and the ends. Resolves when everything is on disk. Never rejects. */
  async end(time: number): Promise<void> {
    this.#time = time;
    for (const exchange of this.#exchanges.values()) exchange.onRecord({ is: 'end', by: 'client' });
    for (const session of [...this.#sessions.all()]) this.#sessions.forget(session);
    await Promise.all(this.#ending);
  }
}
