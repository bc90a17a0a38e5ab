import { LIMITS } from '@/lib/wire/limits';
import { startingWith } from './key-ranges';
import type { Sealed } from './sealed-box';
import { settled } from './settled';

/** One sealed batch of a connection's log. */
export interface Piece extends Sealed {
  readonly tab: string;
  readonly connection: string;
  /** From 0, gapless. */
  readonly index: number;
  /** When it was kept, in ms since 1970. */
  readonly at: number;
}

const NAME = 'mcp-inspect.direct';
const PIECES = 'pieces';

/** The browser's own database of pieces, of all tabs of this origin. */
export class PieceStore {
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.#database = database;
  }

  /** Opens it and forgets what is older than a day. Rejects where the browser keeps nothing. */
  static async open(now: number): Promise<PieceStore> {
    const opening = indexedDB.open(NAME, 1);
    opening.onupgradeneeded = () => {
      const pieces = opening.result.createObjectStore(PIECES, { keyPath: ['tab', 'connection', 'index'] });
      pieces.createIndex('at', 'at');
    };
    const store = new PieceStore(await settled(opening));
    await store.#deleteAll(store.#write().index('at'), IDBKeyRange.upperBound(now - LIMITS.directKeptMs));
    return store;
  }

  async put(piece: Piece): Promise<void> {
    await settled(this.#write().put(piece));
  }

  /** What a tab kept, connection by connection, in order. */
  async of(tab: string): Promise<Piece[]> {
    const pieces = this.#database.transaction(PIECES).objectStore(PIECES);
    return settled(pieces.getAll(startingWith(tab))) as Promise<Piece[]>;
  }

  async forget(tab: string, connection: string): Promise<void> {
    await settled(this.#write().delete(startingWith(tab, connection)));
  }

  #write(): IDBObjectStore {
    // What a reload cuts off is lost anyway; waiting for the disk would only make more of it.
    return this.#database.transaction(PIECES, 'readwrite', { durability: 'relaxed' }).objectStore(PIECES);
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
