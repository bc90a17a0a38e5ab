import type { LogDatabase, LogPiece, RecordingDatabase, StoredRecording } from './browser-databases';
import { PORTIONS_AT_ONCE } from './browser-databases';

/** The database of log pieces, in memory. */
export class TestLogDatabase implements Pick<LogDatabase, 'put' | 'piecesOf' | 'forget'> {
  pieces: LogPiece[] = [];
  /** True if the disk refuses. */
  full = false;

  async put(piece: LogPiece): Promise<void> {
    if (this.full) throw new DOMException('no room', 'QuotaExceededError');
    this.pieces.push(piece);
  }

  async piecesOf(tab: string): Promise<LogPiece[]> {
    return this.pieces.filter((piece) => piece.tab === tab);
  }

  async forget(tab: string, connection: string): Promise<void> {
    this.pieces = this.pieces.filter((piece) => piece.tab !== tab || piece.connection !== connection);
  }
}

/** The database of recordings, in memory. */
export class TestRecordingDatabase implements RecordingDatabase {
  readonly entries = new Map<string, StoredRecording>();
  readonly portions = new Map<string, Uint8Array<ArrayBuffer>[]>();
  /** True if the disk refuses. */
  full = false;

  async all(): Promise<readonly StoredRecording[]> {
    return [...this.entries.values()];
  }

  async put(recording: StoredRecording, lines: Uint8Array<ArrayBuffer> | undefined, isNew = false): Promise<void> {
    if (this.full) throw new DOMException('no room', 'QuotaExceededError');
    if (!isNew && !this.entries.has(recording.id)) throw new Error('the recording was deleted');
    this.entries.set(recording.id, recording);
    if (lines) this.portions.set(recording.id, [...(this.portions.get(recording.id) ?? []), lines]);
  }

  async read(id: string, from: number): Promise<readonly Uint8Array<ArrayBuffer>[]> {
    return (this.portions.get(id) ?? []).slice(from, from + PORTIONS_AT_ONCE);
  }

  async remove(id: string): Promise<void> {
    this.entries.delete(id);
    this.portions.delete(id);
  }
}
