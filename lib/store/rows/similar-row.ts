import type { Log } from '../log';
import type { Row } from './row';

/** Frames gone back through. */
const MOST_FRAMES = 20_000;

/** seq of the newest frame before this one that is of the same kind about the same; undefined for none nearby. */
export function similarBefore(log: Log, row: Row): number | undefined {
  for (let seq = row.seq - 1; seq >= Math.max(1, row.seq - MOST_FRAMES); seq--) {
    const { channel, kind, direction, method, name } = log.row(seq - 1);
    if (channel !== row.channel || direction !== row.direction || method !== row.method || name !== row.name) continue;
    if (kind === row.kind || (isAnswer(kind) && isAnswer(row.kind))) return seq;
  }
  return undefined;
}

/** Asks for the same as often as one likes: the log is gone through at the first time only, as what was before never changes. */
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
