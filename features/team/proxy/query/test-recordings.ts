import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { legacy } from '@/lib/problems/test-sessions';
import { encodeFrame, encodeHeaderOrEnd } from '@/lib/recording/encode-lines';
import { TEST_HEADER } from '@/lib/recording/test-header';
import { answered, asked, type FrameSeed, framesOf, got } from '@/lib/store/test-frames';
import type { ReadRecording } from '@/proxy/commands/shared/recording-file';

/** A session with a call that works, one that fails, one without an answer, and problems. */
export const SESSION: readonly FrameSeed[] = [
  ...legacy({ server: { tools: {} } }),
  asked(1, 'tools/list'),
  answered(1, { tools: [{ name: 'add', inputSchema: { type: 'object' } }] }),
  asked(2, 'tools/call', { name: 'add', arguments: { a: 1, b: 2 } }),
  answered(2, { content: [{ type: 'text', text: '3' }] }),
  asked(3, 'tools/call', { name: 'add', arguments: { b: 2 } }),
  answered(3, { content: [{ type: 'text', text: 'a is missing' }], isError: true }),
  asked(4, 'tools/call', { name: 'add', arguments: { a: 1, b: 2 } }),
  answered(4, { content: 'no list' }),
  asked(5, 'tools/call', { name: 'slow' }),
  got({ jsonrpc: '2.0', id: 99, result: {} }),
];

/** Writes a whole recording, without the frames of these numbers, and returns its path. */
export function recorded(
  folder: string,
  name: string,
  {
    seeds = SESSION,
    id = name,
    without = [],
    as,
  }: { seeds?: readonly FrameSeed[]; id?: string; without?: number[]; as?: string } = {},
): string {
  const file = join(folder, `${name}.mcpr.jsonl`);
  const frames = framesOf(seeds);
  const lines = Buffer.concat([
    encodeHeaderOrEnd({ ...TEST_HEADER, id, ...(as !== undefined && { as }) }),
    ...frames.filter(({ seq }) => !without.includes(seq)).map((frame) => encodeFrame(frame.seq, frame)),
  ]);
  const end = {
    k: 'end',
    t: frames.at(-1)!.time,
    frames: frames.length,
    sha256: createHash('sha256').update(lines).digest('hex'),
  } as const;
  writeFileSync(file, Buffer.concat([lines, encodeHeaderOrEnd(end)]));
  return file;
}

export const fileOf = (path: string, isNamed = true): ReadRecording => ({ path, shown: path, isNamed });

/** Takes progress and notes. */
export const TOLD = { status: { show: () => {}, end: () => {} }, printNote: () => {} };
