import { useEffect, useState } from 'react';
import { Button } from './button';
import { Spinner } from './notices';

/** How long work may take before its progress is shown, in ms. Shorter work would only make the page flicker. */
const SHOWN_AFTER_MS = 300;

/** Returns true once `working` has been true for 300 ms, until it is false. */
export function useIsSlow(working: boolean): boolean {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    if (!working) return;
    const timer = setTimeout(() => setIsSlow(true), SHOWN_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setIsSlow(false);
    };
  }, [working]);
  return working && isSlow;
}

/** A bar for `done` of `of`. `figures`: the same in words, for screen readers. */
export function ProgressBar({
  label,
  done,
  of,
  figures,
}: {
  readonly label: string;
  readonly done: number;
  readonly of: number;
  readonly figures?: string | undefined;
}) {
  const percent = percentOf(done, of);
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={figures}
      className="block h-1 min-w-16 flex-1 rounded bg-line"
    >
      <span className="block h-full rounded bg-accent" style={{ width: `${percent}%` }} />
    </span>
  );
}

/** Returns whole percents. 100 only for all. */
export function percentOf(done: number, of: number): number {
  return of > 0 ? Math.floor((Math.min(Math.max(done, 0), of) / of) * 100) : 0;
}

/**
 * Long work: what it does, how far it is, and a button that cancels it. Render it while the work runs: it shows
 * nothing in the first 300 ms.
 */
export function WorkProgress({
  what,
  done,
  of,
  figures,
  onCancel,
}: {
  /** Without an ellipsis: `Importing a.har`. */
  readonly what: string;
  readonly done?: number | undefined;
  /** Absent or 0 while unknown. */
  readonly of?: number | undefined;
  /** How far it is, in units: `12 MB of 80 MB`. */
  readonly figures?: string | undefined;
  /** Absent if there is nothing to go back to. */
  readonly onCancel?: (() => void) | undefined;
}) {
  const isSlow = useIsSlow(true);
  if (!isSlow) return null;
  const isKnown = done !== undefined && of !== undefined && of > 0;
  return (
    <div className="flex min-h-6 min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
      <span role="status" className="flex min-w-0 items-center gap-2">
        {!isKnown && <Spinner />}
        <span className="min-w-0 truncate">{what}…</span>
      </span>
      {figures !== undefined && <span className="tabular shrink-0 text-muted">{figures}</span>}
      {isKnown ? <ProgressBar label={what} done={done} of={of} figures={figures} /> : <span className="flex-1" />}
      {onCancel && (
        <Button size="small" onClick={onCancel}>
          Cancel
        </Button>
      )}
    </div>
  );
}
