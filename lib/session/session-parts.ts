import type { RecordedCall, RecordedNotice, ServerEvent, ServerQuestion } from './recorded-session';

type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly ServerEvent[] ? ServerEvent[] : T[K] };

/** The parts of a session while it is read. */
export type OpenCall = Writable<RecordedCall>;
export type OpenNotice = Writable<RecordedNotice>;
export type OpenQuestion = Writable<ServerQuestion>;
