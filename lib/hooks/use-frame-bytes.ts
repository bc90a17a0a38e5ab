import { useEffect, useSyncExternalStore } from 'react';
import type { Log } from '@/lib/store/log';

/** Where the bytes of frames are: in the page, on their way back to it, or nowhere any more. */
export type BytesState = 'here' | 'coming' | 'gone';

/** Sees to it that the bytes of these frames are in the page while they are looked at. Renders again when they are. */
export function useFrameBytes(log: Log, seqs: readonly number[]): BytesState {
  const key = seqs.join();
  const snapshot = () => stateOf(log, seqs);
  const state = useSyncExternalStore(log.subscribe, snapshot, snapshot);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same frames are the same key
  useEffect(() => {
    if (state === 'coming') for (const seq of seqs) if (!log.isHere(seq)) log.wanted.want(seq);
  }, [log, key, state]);
  return state;
}

/** Asking for the bytes is what keeps them: those looked at last stay. */
function stateOf(log: Log, seqs: readonly number[]): BytesState {
  for (const seq of seqs) log.bytes(seq - 1);
  const away = seqs.filter((seq) => !log.isHere(seq));
  if (away.length === 0) return 'here';
  return away.some((seq) => log.wanted.isGone(seq)) ? 'gone' : 'coming';
}
