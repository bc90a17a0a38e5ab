import type { RecordingAbout, RecordingsReply } from './api';
import type { Command, Event, RecordingProgress } from './command';
import type { ReadingProgress } from './recording-facts';

/** Identity of a tab, and the key that encrypts the direct connections that it keeps over a reload. */
export interface TabKey {
  /** Name under which the tab's data is stored. */
  readonly tab: string;
  /** 32 bytes, base64. */
  readonly key: string;
}

/** A request about the recordings that the browser keeps. */
export type KeptRecordingsRequest =
  | { readonly want: 'list' }
  | { readonly want: 'file'; readonly id: string }
  | { readonly want: 'open'; readonly id: string }
  | { readonly want: 'delete'; readonly id: string }
  | { readonly want: 'describe'; readonly id: string; readonly about: RecordingAbout };

export type WorkerReply = Blob | RecordingsReply;

/** Page → the worker with its direct connections. */
export type PageToWorker =
  /** The first message. Without a tab, nothing is kept over a reload. */
  | { readonly type: 'begin'; readonly tab: TabKey | undefined }
  | { readonly type: 'command'; readonly command: Command }
  /** Opens a file as a recording. Answered like a command. `opening` reports the progress. */
  | { readonly type: 'open'; readonly ref: string; readonly name: string; readonly file: Blob }
  /** Opens the file at a URL, in the same way. */
  | { readonly type: 'open-url'; readonly ref: string; readonly url: string }
  /** Stops opening a file. `open` is then answered with the error `cancelled`, unless the file is open already. */
  | { readonly type: 'cancel-open'; readonly ref: string }
  /** Asks for the first frames of a log, redacted for sharing. Answered by `given`, then like a command. */
  | { readonly type: 'read-log'; readonly ref: string; readonly connection: string; readonly frames: number }
  /**
   * Asks for the redacted frames that are not recorded yet, to record them. `recorded` confirms each batch. Each batch
   * carries the newest `turn`.
   */
  | {
      readonly type: 'record';
      readonly connection: string;
      readonly recorded: RecordingProgress;
      readonly turn: number;
    }
  | { readonly type: 'recorded' }
  /**
   * Stops asking for frames, for now (`again`) or for good. `failure` is a sentence for the log that says why.
   */
  | { readonly type: 'record-stop'; readonly connection: string; readonly failure?: string; readonly again?: true }
  /** Frames for the worker itself to keep if nothing else records them. Answered by the event `recorded`. */
  | { readonly type: 'keep'; readonly batch: ArrayBuffer }
  /** A request about the browser's recordings. Answered by `given` if there is data, then like a command. */
  | ({ readonly type: 'kept'; readonly ref: string } & KeptRecordingsRequest)
  /** Confirms that the page has processed the oldest unconfirmed batch. */
  | { readonly type: 'taken' };

/** The worker → its page. Frames come as batches (batch.ts), each in its own ArrayBuffer. */
export type WorkerToPage =
  | { readonly type: 'event'; readonly event: Event }
  | { readonly type: 'batch'; readonly batch: ArrayBuffer }
  /** How far the file that `open` named is read. */
  | { readonly type: 'opening'; readonly ref: string; readonly progress: ReadingProgress }
  /** Data that `read-log` (a redacted recording) or `kept` asked for. */
  | { readonly type: 'given'; readonly ref: string; readonly given: WorkerReply }
  /** Frames to record, one batch at a time. */
  | { readonly type: 'to-record'; readonly batch: ArrayBuffer; readonly turn: number }
  /** A connection has ended, and all its frames are recorded. */
  | { readonly type: 'all-recorded'; readonly connection: string }
  /** Whether the log survives a reload from now on. */
  | { readonly type: 'keeping'; readonly keeps: boolean };
