import { useEffect, useMemo, useState } from 'react';
import { atOnce, inSlices } from '@/components/ui/in-slices';
import type { JsonOutline } from '@/lib/store/json-outline';
import { type OutlineFault, readOutline } from '@/lib/store/outline-reader';

/** What is read at once, before anything is drawn: some milliseconds. */
const AT_ONCE_BYTES = 128 * 1024;

/** A frame's outline, why there is none, or how many bytes of it were read so far. `failed`: a fault of ours. */
export type OutlineState = JsonOutline | OutlineFault | 'failed' | { readonly read: number };

/** Reads bytes into their outline: a large frame in slices, so that nothing waits for it. The bytes must be the same object. */
export function useOutline(bytes: Uint8Array): OutlineState {
  const small = useMemo(() => (bytes.length <= AT_ONCE_BYTES ? atOnce(readOutline(bytes)) : undefined), [bytes]);
  const [large, setLarge] = useState<{ readonly bytes: Uint8Array; readonly state: OutlineState }>();
  useEffect(() => {
    if (bytes.length <= AT_ONCE_BYTES) return;
    const stop = new AbortController();
    const note = (state: OutlineState) => setLarge({ bytes, state });
    inSlices(readOutline(bytes), stop.signal, (read) => note({ read })).then(
      (state) => state && note(state),
      () => note('failed'),
    );
    return () => stop.abort();
  }, [bytes]);
  return small ?? (large?.bytes === bytes ? large.state : { read: 0 });
}
