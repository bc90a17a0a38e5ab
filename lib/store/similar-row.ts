import type { Log } from './log';
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

function isAnswer(kind: Row['kind']): boolean {
  return kind === 'response' || kind === 'error';
}
