import { LIMITS } from '@/lib/wire/limits';
import { startingWith } from './key-ranges';
import { settled } from './settled';
import type { RecordingShelf, StoredRecording } from './stored-recording';

const NAME = 'mcp-inspect.recordings';
const ENTRIES = 'recordings';
const LINES = 'lines';

/** Recordings in the browser's own database, of all tabs of this origin. */
export class IndexedShelf implements RecordingShelf {
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.#database = database;
  }

  /** Rejects where the browser keeps nothing. */
  static async open(): Promise<IndexedShelf> {
    const opening = indexedDB.open(NAME, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore(ENTRIES, { keyPath: 'id' });
      opening.result.createObjectStore(LINES);
    };
    return new IndexedShelf(await settled(opening));
  }

  all(): Promise<readonly StoredRecording[]> {
    return settled(this.#database.transaction(ENTRIES).objectStore(ENTRIES).getAll());
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
    const portions = this.#database.transaction(LINES).objectStore(LINES);
    return settled(portions.getAll(IDBKeyRange.bound([id, from], [id, []]), LIMITS.shelfPortions));
  }

  remove(id: string): Promise<void> {
    return this.#change((entries, portions) => {
      entries.delete(id);
      portions.delete(startingWith(id));
    });
  }

  /** One transaction over both. */
  #change(act: (entries: IDBObjectStore, portions: IDBObjectStore) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const change = this.#database.transaction([ENTRIES, LINES], 'readwrite', { durability: 'relaxed' });
      change.oncomplete = () => resolve();
      change.onabort = () => reject(change.error ?? new Error('it was deleted meanwhile'));
      act(change.objectStore(ENTRIES), change.objectStore(LINES));
    });
  }
}
