import { lifecycleEventOf } from '@/lib/recording/lifecycle-event';
import type { Frame } from '@/lib/wire/frame';

/** What leaves with a recording besides what was said: no secret, but the author's own. */
export interface TellingFact {
  /** For the middle of a sentence: “the working folder”. */
  readonly what: string;
  /** As it stands in the recording, for a person to read; hostile text. */
  readonly value: string;
  /** Frame that it is in. */
  readonly seq: number;
}

/** Of a frame that leaves; most have none. */
export function tellingFacts({
  seq,
  channel,
  bytes,
}: Pick<Frame, 'seq' | 'channel' | 'bytes'>): readonly TellingFact[] {
  const event = channel === 'lifecycle' ? lifecycleEventOf(bytes) : undefined;
  if (event?.event === 'about') {
    return [
      { what: 'the name given to the recording', value: event.name, seq },
      { what: 'the note on the recording', value: event.text, seq },
    ].filter(({ value }) => isText(value));
  }
  if (event?.event === 'note') return [{ what: 'a note', value: event.text, seq }].filter(({ value }) => isText(value));
  if (event?.event !== 'start' || !('cwd' in event)) return [];
  const names = namesIn(event.environment);
  return [
    { what: 'the working folder', value: event.cwd, seq },
    { what: `the names of ${names.length} environment variables`, value: names.join(', '), seq },
  ].filter(({ value }) => isText(value));
}

/** Whoever made the recording may have written anything. */
function namesIn(environment: unknown): readonly string[] {
  const { inherited, added } = (environment ?? {}) as { readonly inherited?: unknown; readonly added?: unknown };
  return [inherited, added].flatMap((list) => (Array.isArray(list) ? list.filter(isText) : []));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
