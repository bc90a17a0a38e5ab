import { useEffect, useReducer } from 'react';
import { formatElapsed } from '@/lib/wire/format';

/** Time between two updates, in ms. */
const TICK_MS = 1000;

/** The time since `since` in whole seconds. It counts by itself, so that the table does not render again. */
export function Elapsed({ since, now }: { readonly since: number; readonly now: () => number }) {
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return <span className="text-accent">{formatElapsed(now() - since)}</span>;
}
