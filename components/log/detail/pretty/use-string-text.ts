import { useEffect, useMemo, useState } from 'react';
import type { JsonOutline } from '@/lib/store/json-outline';
import { stringText } from '@/lib/store/string-bytes';
import { inSlices } from '@/lib/wire/in-slices';

/** What is decoded at once, before anything is drawn: a millisecond or two. */
const AT_ONCE_BYTES = 128 * 1024;

/** All of a string, escapes read: a large one in slices, undefined until then. */
export function useStringText(outline: JsonOutline, node: number): string | undefined {
  const small = useMemo(
    () => (outline.end(node) - outline.start(node) <= AT_ONCE_BYTES ? outline.string(node) : undefined),
    [outline, node],
  );
  const [large, setLarge] = useState<string>();
  useEffect(() => {
    if (small !== undefined) return;
    const stop = new AbortController();
    void inSlices(stringText(outline, node), stop.signal).then((text) => text !== undefined && setLarge(text));
    return () => stop.abort();
  }, [small, outline, node]);
  return small ?? large;
}
