import type { Frame } from '@/lib/wire/frame';
import { type Classified, classifyFrame } from './classify';
import type { Log } from './log';

/** Adds frames. Those with long strings count as evicted, since their strings may be a thousand times the file. */
export function appendWithoutLongStrings(log: Log, frames: readonly Frame[]): void {
  const known = new Map<number, Classified>();
  const short = frames.map((frame) => {
    const { seq, time, direction, channel, flags, cut } = frame;
    if (!cut || channel !== 'protocol') return frame;
    known.set(seq, classifyFrame(frame));
    return { seq, time, direction, channel, flags, bytes: cut.text, skimOf: cut.length };
  });
  log.append(short, known);
}
