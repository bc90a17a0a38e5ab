import { useEffect, useSyncExternalStore } from 'react';
import type { Log } from '@/lib/store/log';
import type { SpanIndex } from '@/lib/store/telemetry/span-index';
import { useLogState } from './log';

type Code = typeof import('@/lib/store/telemetry/span-index');

let code: Code | undefined;
let isLoading = false;
const listeners = new Set<() => void>();
const indexes = new WeakMap<Log, SpanIndex>();

/** Loads the index of spans, which servers without telemetry never need. Tries again after a failure. */
function loadCode(): void {
  if (isLoading) return;
  isLoading = true;
  import('@/lib/store/telemetry/span-index').then(
    (loaded) => {
      code = loaded;
      for (const listener of [...listeners]) listener();
    },
    () => {
      isLoading = false;
    },
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the spans of a log, up to its newest frame. undefined without telemetry, and until the code is loaded. */
export function useSpanIndex(log: Log): SpanIndex | undefined {
  const some = useLogState(log, ({ telemetry }) => telemetry > 0);
  const loaded = useSyncExternalStore(
    subscribe,
    () => code,
    () => code,
  );
  useEffect(() => {
    if (some) loadCode();
  }, [some]);
  if (!some || !loaded) return undefined;
  let index = indexes.get(log);
  if (!index) {
    index = new loaded.SpanIndex(log);
    indexes.set(log, index);
  }
  return index.update();
}
