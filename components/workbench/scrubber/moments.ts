import type { Log } from '@/lib/store/log';

/** The newest frame that is no note: where time ends. `size` of its frames, `notes` of which are notes, are looked at. */
export function lastMoment(log: Log, size: number, notes: number): number {
  let last = size;
  while (notes > 0 && last > 0 && log.isNote(last - 1)) last--;
  return last;
}

/** The request after `seq`, or before it, whoever asks; where there is none, the end that lies there. */
export function nextRequest(log: Log, seq: number, last: number, step: 1 | -1): number {
  let at = seq + step;
  while (at > 1 && at < last && log.columns.kind(at - 1) !== 'request') at += step;
  return Math.max(1, Math.min(last, at));
}

/** `seq`, or the next frame in this direction that is no note: with a note nothing else changes. */
export function withoutNotes(log: Log, seq: number, step: 1 | -1): number {
  let at = Math.max(1, Math.min(log.size, seq));
  while (at > 1 && at < log.size && log.isNote(at - 1)) at += step;
  return at;
}
