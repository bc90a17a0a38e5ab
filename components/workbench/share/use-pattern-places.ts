import { useEffect, useState } from 'react';
import type { ExtraPattern } from '@/lib/redact/finding';
import type { ShareReviewed } from '@/lib/sharing/share-job';
import { patternOf } from './pattern-fault';

/** In how many places each pattern would mask something of what leaves; those that are still counted are absent. */
export function usePatternPlaces(
  patterns: readonly string[],
  reviewed: ShareReviewed | undefined,
  count: (pattern: ExtraPattern) => Promise<number | undefined>,
): ReadonlyMap<string, number> {
  const [places, setPlaces] = useState<ReadonlyMap<string, number>>(new Map());
  useEffect(() => {
    let wanted = true;
    setPlaces(new Map());
    if (!reviewed) return;
    for (const text of patterns) {
      void count(patternOf(text)).then((found) => {
        if (wanted && found !== undefined) setPlaces((before) => new Map(before).set(text, found));
      });
    }
    return () => {
      wanted = false;
    };
  }, [patterns, reviewed, count]);
  return places;
}
