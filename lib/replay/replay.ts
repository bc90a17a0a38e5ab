import type { RecordedSession } from '@/lib/session/recorded-session';
import type { Clock } from '@/lib/wire/clock';
import type { CallBook } from './call-book';
import type { Forwarding } from './forwarding';
import type { OnMiss } from './miss';
import type { Outlet } from './outlet';
import type { Pace } from './pace';

/** What is replayed, and how. */
export interface Replay {
  readonly session: RecordedSession;
  readonly book: CallBook;
  readonly pace: Pace;
  readonly onMiss: OnMiss;
}

/** What a live server answers; `text` is JSON. */
export interface Forwarded {
  readonly kind: 'result' | 'error';
  readonly text: string;
}

/** Where a client is told what belongs to none of its requests. */
export interface Side extends Pick<Outlet, 'tell'> {
  /** False while nobody listens there: what is told waits, or is lost. */
  readonly isHeard: boolean;
}

/** What a replay to one client needs. */
export interface ReplayHost {
  readonly clock: Clock;
  /** For what belongs to no request of the client's. */
  readonly side: Side;
  /** Tells the person something: one sentence. */
  note(sentence: string): void;
  /** Makes an object that fits a schema, a value, as JSON text; undefined if it finds none. Never rejects. */
  sampleOf?(schema: unknown): Promise<string | undefined>;
  /** Asks a live server. Never rejects. */
  forward?(request: Forwarding): Promise<Forwarded>;
}
