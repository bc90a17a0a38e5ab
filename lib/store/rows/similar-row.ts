import type { Log } from '../log';
import type { Row } from './row';

/** Frames searched backwards. */
const MOST_FRAMES = 20_000;

/** Returns the newest earlier frame of the same kind, method and name; undefined if there is none nearby. */
export function similarBefore(log: Log, row: Row): number | undefined {
  for (let seq = row.seq - 1; seq >= Math.max(1, row.seq - MOST_FRAMES); seq--) {
    const { channel, kind, direction, method, name } = log.row(seq - 1);
    if (channel !== row.channel || direction !== row.direction || method !== row.method || name !== row.name) continue;
    if (kind === row.kind || (isAnswer(kind) && isAnswer(row.kind))) return seq;
  }
  return undefined;
}

/** Returns a function with the same result that searches the log only once. */
export function similarFinder(log: Log, row: Row): () => number | undefined {
  let found: { readonly seq: number | undefined } | undefined;
  return () => {
    found ??= { seq: similarBefore(log, row) };
    return found.seq;
  };
}

function isAnswer(kind: Row['kind']): boolean {
  return kind === 'response' || kind === 'error';
}
