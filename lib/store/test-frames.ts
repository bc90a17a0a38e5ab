import { type Channel, type Direction, type Frame, toChannel } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { Log } from './log';

/** A test frame without a seq. */
export interface FrameSeed {
  readonly channel: Channel;
  readonly direction: Direction;
  readonly bytes: Uint8Array;
  readonly flags: number;
}

const encoder = new TextEncoder();

function seed(channel: Channel, direction: Direction, content: unknown, flags = 0): FrameSeed {
  const bytes =
    content instanceof Uint8Array
      ? content
      : encoder.encode(typeof content === 'string' ? content : JSON.stringify(content));
  return { channel, direction, bytes, flags };
}

/** A frame sent to the server: bytes, exact text, or a value as JSON. */
export const sent = (content: unknown, flags?: number) => seed('protocol', 'to-server', content, flags);
/** A frame from the server. */
export const got = (content: unknown, flags?: number) => seed('protocol', 'to-client', content, flags);
/** A line on stderr. */
export const complained = (text: string) => seed('stderr', 'to-client', text);
/** A frame of a channel that nothing reads. */
export const onChannel = (channel: string, content: unknown) => seed(toChannel(channel)!, 'to-client', content);
/** A lifecycle frame. */
export const happened = (event: LifecycleEvent) => seed('lifecycle', 'to-client', event);

/** A client request. */
export const asked = (id: unknown, method: string, params?: unknown) => sent({ jsonrpc: '2.0', id, method, params });
export const answered = (id: unknown, result: unknown) => got({ jsonrpc: '2.0', id, result });

/** Numbers frames from 1, a millisecond apart. */
export function framesOf(seeds: readonly FrameSeed[]): Frame[] {
  return seeds.map((frame, index) => ({ ...frame, seq: index + 1, time: (index + 1) * 1000 }));
}

/** Builds a log of these frames. */
export function logOf(...seeds: readonly FrameSeed[]): Log {
  const log = new Log('c1');
  log.append(framesOf(seeds));
  return log;
}
