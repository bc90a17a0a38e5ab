import { useSyncExternalStore } from 'react';
import type { Log } from '@/lib/store/log';
import { InterceptionReader, type InterceptionState } from '@/lib/store/state/interception-state';

/** How far each log is read. */
const READERS = new WeakMap<Log, { readonly reader: InterceptionReader; seq: number }>();

/** Returns what a log says about interception: rules in force, messages that wait, and what was done. */
export function useInterceptions(log: Log): InterceptionState {
  const snapshot = () => interceptionsOf(log);
  return useSyncExternalStore(log.subscribe, snapshot, snapshot);
}

/** Reads the frames that are new. The same object until there is another event. */
function interceptionsOf(log: Log): InterceptionState {
  const known = READERS.get(log) ?? { reader: new InterceptionReader(), seq: 0 };
  READERS.set(log, known);
  for (; known.seq < log.size; known.seq++) {
    const { columns } = log;
    if (columns.kind(known.seq) === 'lifecycle')
      known.reader.readEvent(known.seq + 1, columns.time(known.seq), log.text(known.seq));
  }
  return known.reader.state;
}
