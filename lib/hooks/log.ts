import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import type { Log } from '@/lib/store/log';
import type { Note } from '@/lib/store/state/notes';
import type { LogState } from '@/lib/store/state/state';
import type { Failure } from '@/lib/wire/lifecycle';
import { useClient } from './client';
import { useDraft } from './drafts';

/** Returns a connection's log and keeps it up to date. */
export function useLog(connection: string): Log {
  const client = useClient();
  useEffect(() => {
    client.attach(connection);
  }, [client, connection]);
  return client.log(connection);
}

/**
 * Returns a part of the log's state. For the same state, `select` must return the same object, so it must not create
 * one.
 */
export function useLogState<T>(log: Log, select: (state: LogState) => T): T {
  const snapshot = () => select(log.state);
  return useSyncExternalStore(log.subscribe, snapshot, snapshot);
}

/** Returns the number of frames in the log. Changes at most once an animation frame. */
export function useLogSize(log: Log): number {
  const snapshot = () => log.size;
  return useSyncExternalStore(log.subscribe, snapshot, snapshot);
}

/** Returns how many frames of the log are still to arrive, as far as is known. */
export function useLogBehind(log: Log): number {
  const snapshot = () => log.last - log.size;
  return useSyncExternalStore(log.subscribe, snapshot, snapshot);
}

/** Returns the exchange of a request, and renders again when it progresses. undefined for no request. */
export function useExchange(log: Log, requestSeq: number | undefined): Exchange | undefined {
  const snapshot = () => (requestSeq === undefined ? undefined : log.exchange(requestSeq));
  return useSyncExternalStore(log.subscribe, snapshot, snapshot);
}

/** The state of frames' bytes: in the page, on their way to it, or lost. */
export type BytesState = 'here' | 'coming' | 'gone';

/** Keeps the bytes of these frames in the page while they are shown. Renders again when they arrive. */
export function useFrameBytes(log: Log, seqs: readonly number[]): BytesState {
  const key = seqs.join();
  const snapshot = () => stateOf(log, seqs);
  const state = useSyncExternalStore(log.subscribe, snapshot, snapshot);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same frames are the same key
  useEffect(() => {
    if (state === 'coming') for (const seq of seqs) if (!log.hasBytes(seq)) log.wanted.want(seq);
  }, [log, key, state]);
  return state;
}

/** Returns where the frames' bytes are. Also reads them, since the page drops the least recently read bytes first. */
function stateOf(log: Log, seqs: readonly number[]): BytesState {
  for (const seq of seqs) log.bytes(seq - 1);
  const away = seqs.filter((seq) => !log.hasBytes(seq));
  if (away.length === 0) return 'here';
  return away.some((seq) => log.wanted.isUnavailable(seq)) ? 'gone' : 'coming';
}

const NO_NOTE: Note = { text: '', bookmark: false };

/** A frame's note, and how to change it. */
export interface NoteOfFrame {
  /** Without text and bookmark if there is no note. */
  readonly note: Note;
  /** Changes the note. Resolves to true once the log has it, to false if that failed. */
  readonly set: (changes: Partial<Note>) => Promise<boolean>;
  /** Why the last change failed. */
  readonly failure: Failure | undefined;
  /** True while a person writes the note. */
  readonly editing: boolean;
  readonly edit: (editing: boolean) => void;
}

/** Returns a frame's note and how to change it. Notes are part of the log and of its recording. */
export function useNote(log: Log, seq: number): NoteOfFrame {
  const client = useClient();
  const note = useLogState(log, ({ notes }) => notes.notes.get(seq)) ?? NO_NOTE;
  // Each state names its frame, since another frame may be selected meanwhile.
  const [failure, setFailure] = useState<{ readonly seq: number; readonly failure: Failure }>();
  const asked = useRef<{ readonly seq: number; readonly instead: Note; readonly note: Note }>(undefined);
  const [edited, setEdited] = useState<number>();
  return {
    note,
    failure: failure?.seq === seq ? failure.failure : undefined,
    editing: edited === seq,
    edit: (editing) => setEdited(editing ? seq : undefined),
    set: async (changes) => {
      setFailure(undefined);
      // Start from the last requested note, which the log may not have yet.
      const before = asked.current?.seq === seq && asked.current.instead === note ? asked.current.note : note;
      const { text, bookmark } = { ...before, ...changes };
      asked.current = { seq, instead: note, note: { text, bookmark } };
      try {
        await client.send({ type: 'note', connection: log.connection, on: seq, text, bookmark });
        return true;
      } catch (error) {
        asked.current = undefined;
        setFailure({ seq, failure: error as Failure });
        return false;
      }
    },
  };
}

const NONE_KEPT: readonly number[] = [];

/** The frames of a log that are kept in view, in the order chosen. They survive a reload of the tab. */
interface KeptInView {
  /** Those that are in the page. */
  readonly kept: readonly number[];
  readonly keep: (seq: number) => void;
  readonly drop: (seq: number) => void;
}

/**
 * Returns the key of a connection's kept frames. A restarted proxy counts its connections from c1 again, so the id
 * alone would find another connection's frames. `startedAt` is ISO 8601, undefined while unknown.
 */
export function keptKey(connection: string, startedAt: string | undefined): string {
  return `kept ${connection} ${startedAt ?? ''}`;
}

/** Returns the frames of a log that are kept in view, and how to change them. */
export function useKeptInView(log: Log): KeptInView {
  const size = useLogSize(log);
  const startedAt = useLogState(log, (state) => state.connection.start?.at);
  const [seqs, setSeqs] = useDraft<readonly number[]>(keptKey(log.connection, startedAt), NONE_KEPT);
  const without = (seq: number) => (current: readonly number[]) => current.filter((other) => other !== seq);
  return {
    kept: seqs.some((seq) => seq > size) ? seqs.filter((seq) => seq <= size) : seqs,
    keep: (seq) => setSeqs((current) => [...without(seq)(current), seq]),
    drop: (seq) => setSeqs(without(seq)),
  };
}

/** A small value for each log that distant components share while the page lives. */
interface SharedByLog<T> {
  readonly use: (log: Log) => T;
  readonly get: (log: Log) => T;
  readonly set: (log: Log, value: T) => void;
}

/** Makes a shared value, `initial` for every log. */
export function sharedByLog<T>(initial: T): SharedByLog<T> {
  const values = new WeakMap<Log, { readonly value: T }>();
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const get = (log: Log) => {
    const known = values.get(log);
    return known ? known.value : initial;
  };
  return {
    use: (log) =>
      useSyncExternalStore(
        subscribe,
        () => get(log),
        () => initial,
      ),
    get,
    set: (log, value) => {
      values.set(log, { value });
      for (const listener of [...listeners]) listener();
    },
  };
}
