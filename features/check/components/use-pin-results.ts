import { useSyncExternalStore } from 'react';
import { type PinResults, PinResultsReader } from '@/features/check/lib/pins/pin-results';
import type { Log } from '@/lib/store/log';

/** How far each log is read. */
const READERS = new WeakMap<Log, { readonly reader: PinResultsReader; seq: number }>();

/** Returns what a log says about pinned calls. */
export function usePinResults(log: Log): PinResults {
  const snapshot = () => readResults(log);
  return useSyncExternalStore(log.subscribe, snapshot, snapshot);
}

/** Reads the frames that are new. */
function readResults(log: Log): PinResults {
  const known = READERS.get(log) ?? { reader: new PinResultsReader(), seq: 0 };
  READERS.set(log, known);
  for (; known.seq < log.size; known.seq++) {
    if (log.columns.kind(known.seq) === 'lifecycle') known.reader.readEvent(log.text(known.seq));
  }
  return known.reader.results;
}
