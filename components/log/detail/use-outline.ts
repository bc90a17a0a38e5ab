import { useEffect, useMemo, useState } from 'react';
import { isLarge } from '@/lib/store/classify';
import type { JsonOutline } from '@/lib/store/json-outline';
import { type OutlineFault, readOutline } from '@/lib/store/outline-reader';
import { atOnce, inSlices } from '@/lib/wire/in-slices';

/** A frame's outline, why there is none, or how many bytes of it were read so far. `failed`: a fault of ours. */
export type OutlineState = JsonOutline | OutlineFault | 'failed' | { readonly read: number };

/** Reads bytes into their outline: a large frame in slices, so that nothing waits for it. The bytes must be the same object. */
export function useOutline(bytes: Uint8Array): OutlineState {
  const small = useMemo(() => (isLarge(bytes) ? undefined : atOnce(readOutline(bytes))), [bytes]);
  const [large, setLarge] = useState<{ readonly bytes: Uint8Array; readonly state: OutlineState }>();
  useEffect(() => {
    if (!isLarge(bytes)) return;
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
