import type { RecordingHeader } from '@/lib/recording/format';
import type { RecordingAbout } from '@/lib/wire/api';
import type { RunInfo } from '@/lib/wire/command';

/** How long pieces of logs are kept, in ms. A reloaded tab reads its own at once, and other tabs cannot. */
const DIRECT_KEPT_MS = 24 * 60 * 60_000;
/** Portions of a recording read at a time, so that a long recording is never in memory twice. */
export const PORTIONS_AT_ONCE = 256;

/** One encrypted batch of a connection's log. */
export interface LogPiece extends Sealed {
  readonly tab: string;
  readonly connection: string;
  /** Number of the piece in its log, from 0 without gaps. */
  readonly index: number;
  /** Time of writing, in ms since 1970. */
  readonly at: number;
  /** Set if the connection is a later run of its entry. */
  readonly laterRun?: RunInfo;
}

const LOG_DATABASE = 'mcp-inspect.direct';
const PIECES_STORE = 'pieces';

/** The database of log pieces, shared by all tabs of this origin. */
export class LogDatabase {
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.#database = database;
  }

  /** Opens the database and deletes pieces older than a day. Rejects if the browser stores nothing. */
  static async open(now: number): Promise<LogDatabase> {
    const opening = indexedDB.open(LOG_DATABASE, 1);
    opening.onupgradeneeded = () => {
      const pieces = opening.result.createObjectStore(PIECES_STORE, { keyPath: ['tab', 'connection', 'index'] });
      pieces.createIndex('at', 'at');
    };
    const store = new LogDatabase(await requestResult(opening));
    await store.#deleteAll(store.#write().index('at'), IDBKeyRange.upperBound(now - DIRECT_KEPT_MS));
    return store;
  }

  async put(piece: LogPiece): Promise<void> {
    await requestResult(this.#write().put(piece));
  }

  /** Returns a tab's pieces in order, connection by connection. */
  async piecesOf(tab: string): Promise<LogPiece[]> {
    const pieces = this.#database.transaction(PIECES_STORE).objectStore(PIECES_STORE);
    return requestResult(pieces.getAll(keysStartingWith(tab))) as Promise<LogPiece[]>;
  }

  async forget(tab: string, connection: string): Promise<void> {
    await requestResult(this.#write().delete(keysStartingWith(tab, connection)));
  }

  #write(): IDBObjectStore {
    // A reload loses the newest pieces anyway, and would lose more if each write waited for the disk.
    return this.#database.transaction(PIECES_STORE, 'readwrite', { durability: 'relaxed' }).objectStore(PIECES_STORE);
  }

  #deleteAll(index: IDBIndex, range: IDBKeyRange): Promise<void> {
    return new Promise((resolve, reject) => {
      const walk = index.openCursor(range);
      walk.onerror = () => reject(walk.error);
      walk.onsuccess = () => {
        if (!walk.result) return resolve();
        walk.result.delete();
        walk.result.continue();
      };
    });
  }
}

/** Encrypted bytes, and the nonce they were encrypted with. */
interface Sealed {
  readonly nonce: Uint8Array<ArrayBuffer>;
  readonly bytes: ArrayBuffer;
}

/**
 * Encrypts data on disk with a key that exists only in the tab. Another program that later serves the same port has the
 * same origin, but cannot read the data. Once the tab is closed, nobody can.
 */
export class SealedBox {
  readonly #key: CryptoKey;

  private constructor(key: CryptoKey) {
    this.#key = key;
  }

  /** `key`: 32 bytes, base64. Rejects without WebCrypto: on plain http, except for localhost. */
  static async open(key: string): Promise<SealedBox> {
    const raw = Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
    return new SealedBox(await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']));
  }

  async seal(bytes: Uint8Array<ArrayBuffer>): Promise<Sealed> {
    const nonce = crypto.getRandomValues(new Uint8Array(12));
    return { nonce, bytes: await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, this.#key, bytes) };
  }

  /** Rejects if the key is wrong or the bytes have changed. */
  unseal({ nonce, bytes }: Sealed): Promise<ArrayBuffer> {
    return crypto.subtle.decrypt({ name: 'AES-GCM', iv: nonce }, this.#key, bytes);
  }
}

/** A recording that the browser keeps, without its lines. */
export interface StoredRecording {
  /** Name of its file when it is downloaded. */
  readonly id: string;
  /** Name of its connection, the same after a reload. */
  readonly key: string;
  readonly header: RecordingHeader;
  /** Time of the last change, in ms since 1970. */
  readonly changedAt: number;
  /** Number of portions of lines. */
  readonly chunks: number;
  /** Bytes of all lines. */
  readonly bytes: number;
  readonly frames: number;
  /** Number of frames that hold a note, or a name for the recording. */
  readonly notes: number;
  /** Time of the newest frame, in µs. */
  readonly time: number;
  readonly ended: boolean;
  /** The server's own name. */
  readonly server?: string;
  readonly about?: RecordingAbout;
}

/** The recordings in the browser. Each call is atomic, and rejects if the browser refuses. */
export interface RecordingDatabase {
  /** Returns all recordings, oldest first. */
  all(): Promise<readonly StoredRecording[]>;
  /**
   * Replaces the recording with this id and adds its newest portion of lines. Rejects if no recording has the id,
   * unless `isNew`.
   */
  put(recording: StoredRecording, lines: Uint8Array<ArrayBuffer> | undefined, isNew?: boolean): Promise<void>;
  /** Returns the next portions of lines, counted from 0. */
  read(id: string, from: number): Promise<readonly Uint8Array<ArrayBuffer>[]>;
  remove(id: string): Promise<void>;
}

const RECORDING_DATABASE = 'mcp-inspect.recordings';
const ENTRIES_STORE = 'recordings';
const LINES_STORE = 'lines';

/** Recordings in IndexedDB, shared by all tabs of this origin. */
export class IndexedRecordings implements RecordingDatabase {
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.#database = database;
  }

  /** Rejects if the browser stores nothing. */
  static async open(): Promise<IndexedRecordings> {
    const opening = indexedDB.open(RECORDING_DATABASE, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore(ENTRIES_STORE, { keyPath: 'id' });
      opening.result.createObjectStore(LINES_STORE);
    };
    return new IndexedRecordings(await requestResult(opening));
  }

  all(): Promise<readonly StoredRecording[]> {
    return requestResult(this.#database.transaction(ENTRIES_STORE).objectStore(ENTRIES_STORE).getAll());
  }

  put(recording: StoredRecording, lines: Uint8Array<ArrayBuffer> | undefined, isNew = false): Promise<void> {
    return this.#change((entries, portions) => {
      const add = () => {
        entries.put(recording);
        if (lines) portions.put(lines, [recording.id, recording.chunks - 1]);
      };
      if (isNew) return add();
      const there = entries.getKey(recording.id);
      // Another tab has deleted the recording. Without its beginning the rest is useless.
      there.onsuccess = () => (there.result === undefined ? entries.transaction.abort() : add());
    });
  }

  read(id: string, from: number): Promise<readonly Uint8Array<ArrayBuffer>[]> {
    const portions = this.#database.transaction(LINES_STORE).objectStore(LINES_STORE);
    return requestResult(portions.getAll(IDBKeyRange.bound([id, from], [id, []]), PORTIONS_AT_ONCE));
  }

  remove(id: string): Promise<void> {
    return this.#change((entries, portions) => {
      entries.delete(id);
      portions.delete(keysStartingWith(id));
    });
  }

  /** Runs one transaction over both stores. */
  #change(act: (entries: IDBObjectStore, portions: IDBObjectStore) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const change = this.#database.transaction([ENTRIES_STORE, LINES_STORE], 'readwrite', { durability: 'relaxed' });
      change.oncomplete = () => resolve();
      change.onabort = () => reject(change.error ?? new Error('the recording was deleted'));
      act(change.objectStore(ENTRIES_STORE), change.objectStore(LINES_STORE));
    });
  }
}

/** Returns the range of all keys that begin with these. Arrays sort after every string and number. */
function keysStartingWith(...key: string[]): IDBKeyRange {
  return IDBKeyRange.bound(key, [...key, []]);
}

/** Returns the result of an IndexedDB request as a promise. */
function requestResult<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
