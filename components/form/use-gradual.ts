import { startTransition, useEffect, useState } from 'react';

/** Fields in the first paint of a group, and how many each later step adds. */
const FIRST = 80;
const STEP = 80;

/** How many of `count` fields to render now: those in sight at once, the others a few at a time while nothing else is to do. */
export function useGradual(count: number): number {
  const [shown, setShown] = useState(FIRST);
  useEffect(() => {
    if (shown >= count) return;
    const timer = setTimeout(() => startTransition(() => setShown(shown + STEP)), 0);
    return () => clearTimeout(timer);
  }, [shown, count]);
  return Math.min(shown, count);
}
