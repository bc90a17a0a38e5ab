import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';

/** Runs `work` as it is when its time comes: at once if asked so or if the last time is `ms` ago, else as soon as that. */
export function useLater(work: () => void, ms: number): (atOnce: boolean) => void {
  const latest = useRef(work);
  const last = useRef(Number.NEGATIVE_INFINITY);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLayoutEffect(() => {
    latest.current = work;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    (atOnce) => {
      const run = () => {
        clearTimeout(timer.current);
        timer.current = undefined;
        last.current = performance.now();
        latest.current();
      };
      const left = atOnce ? 0 : last.current + ms - performance.now();
      if (left <= 0) run();
      else timer.current ??= setTimeout(run, left);
    },
    [ms],
  );
}
