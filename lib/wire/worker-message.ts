import type { RecordingAbout, RecordingsReply } from './api';
import type { Command, Event, RecordingProgress } from './command';

/** Which tab a page is, and the key that only this tab has: what it keeps of its direct connections is read with it. */
export interface TabKey {
  /** Names what is kept. */
  readonly tab: string;
  /** 32 bytes, base64. */
  readonly key: string;
}

/** What is wanted of the recordings that the browser keeps: the list, a file, to have one opened, named or deleted. */
export type KeptRecordingsRequest =
  | { readonly want: 'list' }
  | { readonly want: 'file'; readonly id: string }
  | { readonly want: 'open'; readonly id: string }
  | { readonly want: 'delete'; readonly id: string }
  | { readonly want: 'describe'; readonly id: string; readonly about: RecordingAbout };

export type WorkerReply = Blob | RecordingsReply;

/** Page → the worker that holds its direct connections. */
export type PageToWorker =
  /** First. Without a tab nothing is kept over a reload. */
  | { readonly type: 'begin'; readonly tab: TabKey | undefined }
  | { readonly type: 'command'; readonly command: Command }
  /** A file to be opened as a recording. Answered as a command is. */
  | { readonly type: 'open'; readonly ref: string; readonly name: string; readonly file: Blob }
  /** The first frames of a connection's log are wanted as they may leave. Answered as a command is, after a `log`. */
  | { readonly type: 'read-log'; readonly ref: string; readonly connection: string; readonly frames: number }
  /**
   * Its frames behind what is recorded are wanted as they may leave, to be recorded. A `recorded` answers each batch, which says the
   * newest turn that it was asked in.
   */
  | {
      readonly type: 'record';
      readonly connection: string;
      readonly recorded: RecordingProgress;
      readonly turn: number;
    }
  | { readonly type: 'recorded' }
  /**
   * Nothing more of it is wanted, until it is asked for again (`again`), or ever; `failure` is written into its log: a sentence that
   * says why.
   */
  | { readonly type: 'record-stop'; readonly connection: string; readonly failure?: string; readonly again?: true }
  /** Frames to be kept by the worker itself, where nobody else records. Answered by the event `recorded`. */
  | { readonly type: 'keep'; readonly batch: ArrayBuffer }
  /** About the recordings that the browser keeps. Answered as a command is, after what is `given`, if it is something. */
  | ({ readonly type: 'kept'; readonly ref: string } & KeptRecordingsRequest)
  /** The page has taken in the oldest batch that it had not told of yet. */
  | { readonly type: 'taken' };

/** The worker → its page. Frames are the batches of batch.ts, each an ArrayBuffer of its own. */
export type WorkerToPage =
  | { readonly type: 'event'; readonly event: Event }
  | { readonly type: 'batch'; readonly batch: ArrayBuffer }
  /** What `read-log` (a recording, from which secrets were taken out) and `kept` ask for. */
  | { readonly type: 'given'; readonly ref: string; readonly given: WorkerReply }
  /** Frames to be recorded; one batch at a time. */
  | { readonly type: 'to-record'; readonly batch: ArrayBuffer; readonly turn: number }
  /** A connection has ended, and all its frames were recorded. */
  | { readonly type: 'all-recorded'; readonly connection: string }
  /** Whether what happens from now on will be there after a reload. */
  | { readonly type: 'keeping'; readonly keeps: boolean };
