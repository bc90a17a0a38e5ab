import { countOf, formatBytes, formatDuration } from '@/lib/wire/format';
import type { CheckFacts, MemoryFact } from '../report';

/** Says what was checked: "legacy 2025-11-25 over stdio, 13 tools, ~4,100 tokens". Has server text. */
export function factsText(facts: CheckFacts): string {
  const { era, version, transport, server, frames, tokens, memory, p95Ms, largestResult } = facts;
  const session = [era, version, transport && `over ${transport}`].filter(Boolean).join(' ');
  const counts = (['tools', 'resources', 'templates', 'prompts'] as const).flatMap((kind) => {
    const count = facts[kind];
    return count === undefined ? [] : [countOf(count, kind.slice(0, -1))];
  });
  return [
    ...(server === undefined ? [] : [server]),
    ...(session === '' ? [] : [session]),
    ...counts,
    ...(tokens === undefined ? [] : [`~${countOf(tokens, 'token')}`]),
    ...(frames === undefined ? [] : [countOf(frames, 'frame')]),
    ...(p95Ms === undefined ? [] : [`p95 ${formatDuration(p95Ms * 1000)}`]),
    ...(largestResult === undefined ? [] : [`largest result ${formatBytes(largestResult)}`]),
    ...(memory === undefined ? [] : [memoryText(memory)]),
  ].join(', ');
}

function memoryText({ before, after, requests }: MemoryFact): string {
  return `${formatBytes(before)} of memory and ${formatBytes(after)} after ${countOf(requests, 'request')}`;
}

/** Most frames that are named in a line. */
const NAMED_FRAMES = 5;

/** Names the frames of a finding; [] if it has none. */
export function framesText(frames: readonly number[]): readonly string[] {
  if (frames.length === 0) return [];
  const named = frames.slice(0, NAMED_FRAMES).map((seq) => `#${seq}`);
  const more = frames.length > NAMED_FRAMES ? ` and ${frames.length - NAMED_FRAMES} more` : '';
  return [`${frames.length === 1 ? 'frame' : 'frames'} ${named.join(', ')}${more}`];
}
