import { CHANNELS, DIRECTIONS, type Frame } from '@/lib/wire/frame';

/** Numbers of a frame: number, time, channel, direction, flags, length. */
const FIELDS = 6;
const OTHER_CHANNEL = CHANNELS.indexOf('app');

/** Frames as two pieces of memory, which another thread can take over. */
export interface PackedFrames {
  readonly table: Float64Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Copies frames. Channels that this version does not know become one that nobody reads. */
export function packFrames(frames: readonly Frame[]): PackedFrames {
  const table = new Float64Array(frames.length * FIELDS);
  const bytes = new Uint8Array(frames.reduce((sum, frame) => sum + frame.bytes.length, 0));
  let end = 0;
  for (const [index, frame] of frames.entries()) {
    const channel = (CHANNELS as readonly string[]).indexOf(frame.channel);
    const numbers = [channel < 0 ? OTHER_CHANNEL : channel, DIRECTIONS.indexOf(frame.direction), frame.flags];
    table.set([frame.seq, frame.time, ...numbers, frame.bytes.length], index * FIELDS);
    bytes.set(frame.bytes, end);
    end += frame.bytes.length;
  }
  return { table, bytes };
}

/** Returns the frames, as views of the memory. */
export function unpackFrames({ table, bytes }: PackedFrames): readonly Frame[] {
  const frames: Frame[] = [];
  let start = 0;
  for (let at = 0; at < table.length; at += FIELDS) {
    const [seq, time, channel, direction, flags, length] = table.subarray(at, at + FIELDS) as unknown as number[];
    frames.push({
      seq: seq!,
      time: time!,
      channel: CHANNELS[channel!]!,
      direction: DIRECTIONS[direction!]!,
      flags: flags!,
      bytes: bytes.subarray(start, start + length!),
    });
    start += length!;
  }
  return frames;
}
