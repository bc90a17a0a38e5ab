import { useEffect, useReducer } from 'react';
import { formatElapsed } from '@/lib/wire/format';

/** Time between two updates, in ms. */
const TICK_MS = 1000;

/** The time since `since` in whole seconds. It counts by itself, so that the table does not render again. */
export function Elapsed({ since, now }: { readonly since: number; readonly now: () => number }) {
  useTicks();
  return <span className="text-accent">{formatElapsed(now() - since)}</span>;
}

/** The time until `until`, counted down in whole seconds. */
export function Remaining({ until, now }: { readonly until: number; readonly now: () => number }) {
  useTicks();
  const left = until - now();
  return left > 0 ? <>, {formatElapsed(left) || 'less than 1 s'} left</> : <span className="text-warn">, expired</span>;
}

/** Renders its component again each second. */
function useTicks(): void {
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, []);
}
