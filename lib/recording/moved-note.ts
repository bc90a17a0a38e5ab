import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { soundEvent } from '@/lib/wire/sound-event';

/**
 * The bytes of a lifecycle frame where frames have other numbers: a note is on the frame that `to` gives, and undefined if it is on
 * none. All others are the same object.
 */
export function movedNote(bytes: Uint8Array, to: (on: number) => number | undefined): Uint8Array | undefined {
  const event = eventOf(bytes);
  if (event?.event !== 'note') return bytes;
  const on = to(event.on);
  if (on === undefined) return undefined;
  return on === event.on ? bytes : new TextEncoder().encode(JSON.stringify({ ...event, on }));
}

function eventOf(bytes: Uint8Array): LifecycleEvent | undefined {
  try {
    return soundEvent(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}
