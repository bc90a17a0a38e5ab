import { lifecycleEventOf } from './lifecycle-event';

/**
 * The bytes of a lifecycle frame where frames have other numbers: a note is on the frame that `to` gives, and undefined if it is on
 * none. All others are the same object.
 */
export function movedNote(bytes: Uint8Array, to: (on: number) => number | undefined): Uint8Array | undefined {
  const event = lifecycleEventOf(bytes);
  if (event?.event !== 'note') return bytes;
  const on = to(event.on);
  if (on === undefined) return undefined;
  return on === event.on ? bytes : new TextEncoder().encode(JSON.stringify({ ...event, on }));
}
