import { Log } from '@/lib/store/log';
import type { Frame } from '@/lib/wire/frame';

/** The start and the end of a long connection: enough to explain its failure. */
export interface FrameParts {
  readonly first: readonly Frame[];
  readonly newest: readonly Frame[];
  /** Number of frames between the two that are missing. */
  readonly missing: number;
}

/** Returns a log of the parts, with frames numbered from 1. An event stands for the missing ones. */
export function logOfParts({ first, newest, missing }: FrameParts): Log {
  const gap: Frame = {
    seq: 0,
    time: first.at(-1)?.time ?? 0,
    channel: 'lifecycle',
    direction: 'to-client',
    flags: 0,
    bytes: new TextEncoder().encode(JSON.stringify({ event: 'missing', frames: missing })),
  };
  const log = new Log('failure');
  const frames = [...first, ...(missing === 0 ? [] : [gap]), ...newest];
  log.append(frames.map((frame, index) => ({ ...frame, seq: index + 1 })));
  return log;
}
