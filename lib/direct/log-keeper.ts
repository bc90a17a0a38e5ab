import { type BatchSource, type Cursor, cutBatch } from '@/lib/hub/viewer';
import { BatchReader } from '@/lib/wire/batch';
import type { Frame } from '@/lib/wire/frame';
import type { LogDatabase, LogPiece, SealedBox } from './browser-databases';

export const DIRECT_KEPT_BYTES = 32 * 1024 * 1024;

/** Where a log stands in what is kept of it. */
interface Kept extends Cursor {
  readonly log: BatchSource;
  pieces: number;
  bytes: number;
  /** Until what is being written is on the disk. */
  writing: Promise<void> | undefined;
  /** Nothing more of it is kept. */
  over: boolean;
}

/** What a page that was loaded again finds of a connection. */
export interface RestoredLog {
  readonly connection: string;
  readonly frames: readonly Frame[];
}

/** Keeps the logs of direct connections over a reload, which ends the connections themselves. */
export class LogKeeper {
  readonly #tab: string;
  readonly #store: Pick<LogDatabase, 'put' | 'piecesOf' | 'forget'>;
  readonly #box: SealedBox;
  readonly #logs = new Map<string, Kept>();
  readonly #onFull: (connection: string) => void;

  /** `onFull` is called once for a log of which nothing more is kept: it is too long, or the disk refuses. */
  constructor(
    tab: string,
    store: Pick<LogDatabase, 'put' | 'piecesOf' | 'forget'>,
    box: SealedBox,
    onFull: (connection: string) => void,
  ) {
    this.#tab = tab;
    this.#store = store;
    this.#box = box;
    this.#onFull = onFull;
  }

  /** What was kept before. What can't be read, or has a hole, ends there. */
  async restore(): Promise<RestoredLog[]> {
    const byConnection = new Map<string, LogPiece[]>();
    for (const piece of await this.#store.piecesOf(this.#tab)) {
      const pieces = byConnection.get(piece.connection);
      if (pieces) pieces.push(piece);
      else byConnection.set(piece.connection, [piece]);
    }
    return Promise.all(
      Array.from(byConnection, async ([connection, pieces]) => ({ connection, frames: await this.#read(pieces) })),
    );
  }

  /** From now on keeps this log. */
  add(connection: string, log: BatchSource): void {
    this.#logs.set(connection, { log, next: 1, offset: 0, pieces: 0, bytes: 0, writing: undefined, over: false });
  }

  /** The log has new frames. */
  logGrew(connection: string): void {
    const kept = this.#logs.get(connection);
    if (kept && !kept.writing && !kept.over) kept.writing = this.#write(connection, kept);
  }

  async forget(connection: string): Promise<void> {
    const kept = this.#logs.get(connection);
    if (kept) kept.over = true;
    this.#logs.delete(connection);
    // A piece that is on its way to the disk would come after.
    await kept?.writing;
    await this.#store.forget(this.#tab, connection).catch(() => {});
  }

  /** One piece after the other: what comes while one is written makes the next, so a flood makes few. */
  async #write(connection: string, kept: Kept): Promise<void> {
    try {
      while (!kept.over) {
        const batch = await cutBatch(connection, kept.log, kept);
        if (!batch) break;
        kept.bytes += batch.length;
        if (kept.bytes > DIRECT_KEPT_BYTES) throw new Error('too long to be kept');
        const sealed = await this.#box.seal(batch);
        await this.#store.put({ tab: this.#tab, connection, index: kept.pieces++, at: Date.now(), ...sealed });
      }
    } catch {
      if (!kept.over) this.#onFull(connection);
      kept.over = true;
    }
    kept.writing = undefined;
  }

  async #read(pieces: readonly LogPiece[]): Promise<Frame[]> {
    const reader = new BatchReader();
    const frames: Frame[] = [];
    for (const [index, piece] of pieces.entries()) {
      if (piece.index !== index) break;
      const batch = await this.#box.unseal(piece).catch(() => undefined);
      if (!batch) break;
      frames.push(...reader.read(batch).frames);
    }
    return frames;
  }
}
