import type { RecordingHeader } from '@/lib/recording/format';
import type { RecordingAbout } from '@/lib/wire/api';

/** What a page keeps of a direct connection's log over a reload: for how long, and how much of it. */
const DIRECT_KEPT_MS = 24 * 60 * 60_000;
export const SHELF_PORTIONS = 256;

/** One sealed batch of a connection's log. */
export interface LogPiece extends Sealed {
  readonly tab: string;
  readonly connection: string;
  /** From 0, gapless. */
  readonly index: number;
  /** When it was kept, in ms since 1970. */
  readonly at: number;
}

const LOG_DATABASE = 'mcp-inspect.direct';
const PIECES_STORE = 'pieces';

/** The browser's own database of pieces, of all tabs of this origin. */
export class LogDatabase {
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.#database = database;
  }

  /** Opens it and forgets what is older than a day. Rejects where the browser keeps nothing. */
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

  /** What a tab kept, connection by connection, in order. */
  async piecesOf(tab: string): Promise<LogPiece[]> {
    const pieces = this.#database.transaction(PIECES_STORE).objectStore(PIECES_STORE);
    return requestResult(pieces.getAll(keysStartingWith(tab))) as Promise<LogPiece[]>;
  }

  async forget(tab: string, connection: string): Promise<void> {
    await requestResult(this.#write().delete(keysStartingWith(tab, connection)));
  }

  #write(): IDBObjectStore {
    // What a reload cuts off is lost anyway; waiting for the disk would only make more of it.
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

/** Bytes that only the tab with the key can read, and the number used once that they were sealed with. */
export interface Sealed {
  readonly nonce: Uint8Array<ArrayBuffer>;
  readonly bytes: ArrayBuffer;
}

/**
 * What is kept on disk is sealed with a key that lives in the tab alone: another program that is served on the same port one
 * day, and so has the same origin, finds nothing it could read, and when the tab is gone nobody does.
 */
export class SealedBox {
  readonly #key: CryptoKey;

  private constructor(key: CryptoKey) {
    this.#key = key;
  }

  /** `key`: 32 bytes, base64. Rejects where the browser has no WebCrypto: on plain http hosts but this machine. */
  static async open(key: string): Promise<SealedBox> {
    const raw = Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
    return new SealedBox(await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']));
  }

  async seal(bytes: Uint8Array<ArrayBuffer>): Promise<Sealed> {
    const nonce = crypto.getRandomValues(new Uint8Array(12));
    return { nonce, bytes: await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, this.#key, bytes) };
  }

  /** Rejects for what was sealed with another key, or changed since. */
  unseal({ nonce, bytes }: Sealed): Promise<ArrayBuffer> {
    return crypto.subtle.decrypt({ name: 'AES-GCM', iv: nonce }, this.#key, bytes);
  }
}

/** A recording that the browser keeps, besides its lines. */
export interface StoredRecording {
  /** What its file would be called. */
  readonly id: string;
  /** What its connection is called, over reloads. */
  readonly key: string;
  readonly header: RecordingHeader;
  /** When it was last written to, in ms since 1970. */
  readonly changedAt: number;
  /** Portions of lines, and the bytes of all of them. */
  readonly chunks: number;
  readonly bytes: number;
  readonly frames: number;
  /** How many of them are notes, or about the whole. */
  readonly notes: number;
  /** Of the newest frame, in µs. */
  readonly time: number;
  readonly ended: boolean;
  /** What its server calls itself. */
  readonly server?: string;
  readonly about?: RecordingAbout;
}

/** Where they are. Each call is done or not done at all, and rejects where the browser refuses. */
export interface RecordingDatabase {
  /** Oldest first. */
  all(): Promise<readonly StoredRecording[]>;
  /** Puts it in the place of the one with its id, with its newest portion. With `isNew`, there need not be one. */
  put(recording: StoredRecording, lines: Uint8Array<ArrayBuffer> | undefined, isNew?: boolean): Promise<void>;
  /** Its portions from one on, as many as are read at a time. */
  read(id: string, from: number): Promise<readonly Uint8Array<ArrayBuffer>[]>;
  remove(id: string): Promise<void>;
}

const RECORDING_DATABASE = 'mcp-inspect.recordings';
const ENTRIES_STORE = 'recordings';
const LINES_STORE = 'lines';

/** Recordings in the browser's own database, of all tabs of this origin. */
export class IndexedRecordings implements RecordingDatabase {
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.#database = database;
  }

  /** Rejects where the browser keeps nothing. */
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
      // Somebody has deleted it in another tab: it does not come back as a part.
      there.onsuccess = () => (there.result === undefined ? entries.transaction.abort() : add());
    });
  }

  read(id: string, from: number): Promise<readonly Uint8Array<ArrayBuffer>[]> {
    const portions = this.#database.transaction(LINES_STORE).objectStore(LINES_STORE);
    return requestResult(portions.getAll(IDBKeyRange.bound([id, from], [id, []]), SHELF_PORTIONS));
  }

  remove(id: string): Promise<void> {
    return this.#change((entries, portions) => {
      entries.delete(id);
      portions.delete(keysStartingWith(id));
    });
  }

  /** One transaction over both. */
  #change(act: (entries: IDBObjectStore, portions: IDBObjectStore) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const change = this.#database.transaction([ENTRIES_STORE, LINES_STORE], 'readwrite', { durability: 'relaxed' });
      change.oncomplete = () => resolve();
      change.onabort = () => reject(change.error ?? new Error('it was deleted meanwhile'));
      act(change.objectStore(ENTRIES_STORE), change.objectStore(LINES_STORE));
    });
  }
}

/** All keys that begin with these. Arrays come after every string and number in the order of keys. */
function keysStartingWith(...key: string[]): IDBKeyRange {
  return IDBKeyRange.bound(key, [...key, []]);
}

/** A request of the browser's database as a promise. */
function requestResult<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
