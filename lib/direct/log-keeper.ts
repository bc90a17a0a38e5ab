import { type BatchSource, type Cursor, cutBatch } from '@/lib/hub/viewer';
import { BatchReader } from '@/lib/wire/batch';
import type { RunInfo } from '@/lib/wire/command';
import type { Frame } from '@/lib/wire/frame';
import type { LogDatabase, LogPiece, SealedBox } from './browser-databases';

/** Bytes of each log that a tab keeps for its reload, so that many connections still fit into the browser's quota. */
export const DIRECT_KEPT_BYTES = 32 * 1024 * 1024;

/** A log, and how much of it is kept. */
interface Kept extends Cursor {
  readonly log: BatchSource;
  readonly laterRun: RunInfo | undefined;
  pieces: number;
  bytes: number;
  /** Resolves when the current write is on disk. */
  writing: Promise<void> | undefined;
  /** True once the rest of the log is not kept. */
  over: boolean;
}

/** A log that was found after a reload. */
export interface RestoredLog {
  readonly connection: string;
  readonly laterRun?: RunInfo;
  readonly frames: readonly Frame[];
}

/** Keeps the logs of direct connections over a reload, which ends the connections. */
export class LogKeeper {
  readonly #tab: string;
  readonly #store: Pick<LogDatabase, 'put' | 'piecesOf' | 'forget'>;
  readonly #box: SealedBox;
  readonly #logs = new Map<string, Kept>();
  readonly #onFull: (connection: string) => void;

  /** `onFull` is called once for a log whose rest is not kept: it is too long, or the disk refuses. */
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

  /** Returns the kept logs. A log ends before a piece that is missing or can't be read. */
  async restore(): Promise<RestoredLog[]> {
    const byConnection = new Map<string, LogPiece[]>();
    for (const piece of await this.#store.piecesOf(this.#tab)) {
      const pieces = byConnection.get(piece.connection);
      if (pieces) pieces.push(piece);
      else byConnection.set(piece.connection, [piece]);
    }
    return Promise.all(
      Array.from(byConnection, async ([connection, pieces]) => {
        const laterRun = pieces[0]?.laterRun;
        return { connection, ...(laterRun && { laterRun }), frames: await this.#read(pieces) };
      }),
    );
  }

  /** Keeps this log from now on. */
  add(connection: string, log: BatchSource, laterRun?: RunInfo): void {
    this.#logs.set(connection, {
      log,
      laterRun,
      next: 1,
      offset: 0,
      pieces: 0,
      bytes: 0,
      writing: undefined,
      over: false,
    });
  }

  /** Writes the new frames of a log. */
  logGrew(connection: string): void {
    const kept = this.#logs.get(connection);
    if (kept && !kept.writing && !kept.over) kept.writing = this.#write(connection, kept);
  }

  async forget(connection: string): Promise<void> {
    const kept = this.#logs.get(connection);
    if (kept) kept.over = true;
    this.#logs.delete(connection);
    // A piece on its way to the disk would arrive after the deletion.
    await kept?.writing;
    await this.#store.forget(this.#tab, connection).catch(() => {});
  }

  /** Writes one piece after the other. Frames that arrive during a write make the next piece, so a flood makes few. */
  async #write(connection: string, kept: Kept): Promise<void> {
    try {
      while (!kept.over) {
        const batch = await cutBatch(connection, kept.log, kept);
        if (!batch) break;
        kept.bytes += batch.length;
        if (kept.bytes > DIRECT_KEPT_BYTES) throw new Error('the log is too long to keep');
        const sealed = await this.#box.seal(batch);
        const { laterRun } = kept;
        const about = { tab: this.#tab, connection, index: kept.pieces++, at: Date.now() };
        await this.#store.put({ ...about, ...(laterRun && { laterRun }), ...sealed });
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
