import type { RecordingHeader } from '@/lib/recording/format';
import type { RecordingAbout } from '@/lib/wire/api';

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
export interface RecordingShelf {
  /** Oldest first. */
  all(): Promise<readonly StoredRecording[]>;
  /** Puts it in the place of the one with its id, with its newest portion. With `isNew`, there need not be one. */
  put(recording: StoredRecording, lines: Uint8Array<ArrayBuffer> | undefined, isNew?: boolean): Promise<void>;
  /** Its portions from one on, as many as are read at a time. */
  read(id: string, from: number): Promise<readonly Uint8Array<ArrayBuffer>[]>;
  remove(id: string): Promise<void>;
}
