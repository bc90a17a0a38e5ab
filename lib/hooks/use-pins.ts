import type { Log } from '@/lib/store/log';
import { useDraft } from './use-draft';
import { useLogSize } from './use-log';

const NONE: readonly number[] = [];

/** Frames of a log that are kept in view, in the order pinned; kept over reloads of the tab. */
export interface Pins {
  /** Those that are here. */
  readonly pins: readonly number[];
  readonly pin: (seq: number) => void;
  readonly unpin: (seq: number) => void;
}

/** The pinned frames of a log, and how to change them. */
export function usePins(log: Log): Pins {
  const size = useLogSize(log);
  const [seqs, setSeqs] = useDraft<readonly number[]>(`pins ${log.connection}`, NONE);
  const without = (seq: number) => (current: readonly number[]) => current.filter((other) => other !== seq);
  return {
    pins: seqs.some((seq) => seq > size) ? seqs.filter((seq) => seq <= size) : seqs,
    pin: (seq) => setSeqs((current) => [...without(seq)(current), seq]),
    unpin: (seq) => setSeqs(without(seq)),
  };
}
