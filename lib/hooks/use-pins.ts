import type { Log } from '@/lib/store/log';
import { useDraft } from './use-draft';
import { useLogSize, useLogState } from './use-log';

const NONE: readonly number[] = [];

/** Frames of a log that are kept in view, in the order pinned; kept over reloads of the tab. */
export interface Pins {
  /** Those that are here. */
  readonly pins: readonly number[];
  readonly pin: (seq: number) => void;
  readonly unpin: (seq: number) => void;
}

/**
 * Where pins are kept: a proxy that was started anew counts its connections from c1 again, so a connection's id alone would find
 * those of another. `startedAt` is ISO 8601; undefined while it isn't known.
 */
export function pinsKey(connection: string, startedAt: string | undefined): string {
  return `pins ${connection} ${startedAt ?? ''}`;
}

/** The pinned frames of a log, and how to change them. */
export function usePins(log: Log): Pins {
  const size = useLogSize(log);
  const startedAt = useLogState(log, (state) => state.connection.start?.at);
  const [seqs, setSeqs] = useDraft<readonly number[]>(pinsKey(log.connection, startedAt), NONE);
  const without = (seq: number) => (current: readonly number[]) => current.filter((other) => other !== seq);
  return {
    pins: seqs.some((seq) => seq > size) ? seqs.filter((seq) => seq <= size) : seqs,
    pin: (seq) => setSeqs((current) => [...without(seq)(current), seq]),
    unpin: (seq) => setSeqs(without(seq)),
  };
}
