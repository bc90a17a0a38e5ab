import type { Direction, Frame } from '@/lib/wire/frame';
import type { HttpFrame } from '@/lib/wire/http-frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import type { Classified, Message } from './classify';
import type { RowSeverity } from './rows/severity';

/**
 * Something that is derived from the frames of a log: a row of the list in log.ts. It has the steps that it needs. When
 * a frame comes, each step is done for all rows, in the order of the list.
 */
export interface Derivation {
  /** Adds a message of the newest frame. Those of a batch come one by one. */
  addMessage?(seq: number, direction: Direction, message: Message): void;
  /** Adds an event of the connection; undefined if it is unreadable. `isEnding`: the client is stopping the process. */
  addEvent?(seq: number, event: LifecycleEvent | undefined, isEnding: boolean): void;
  /** Adds an `http` frame. */
  addHttp?(frame: AddedHttpFrame): void;
  /** Adds the newest frame, of any channel, after its messages and events. */
  add?(frame: Frame, classified: Classified): void;
}

/** An `http` frame with its exchange. */
export interface AddedHttpFrame {
  /** 0 if the frame has none. */
  readonly exchange: number;
  readonly severity?: RowSeverity;
  readonly end?: Extract<HttpFrame, { kind: 'end' }>;
}

/** Events after which no request is answered, and nothing more is known about tasks. */
export const ENDS: ReadonlySet<string | undefined> = new Set(['exit', 'failed', 'closed', 'recording-ends']);
