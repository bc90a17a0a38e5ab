import type { Frame } from '@/lib/wire/frame';
import { type LifecycleEvent, validLifecycleEvent } from '@/lib/wire/lifecycle';
import type { RecordingEnd } from './format';

/** Returns the event in a lifecycle frame; undefined if it cannot be read. */
export function lifecycleEventOf(bytes: Uint8Array): LifecycleEvent | undefined {
  try {
    return validLifecycleEvent(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}

/** Returns the event in a frame; undefined for other frames, whose bytes are not read: they may be long. */
export function eventIn(frame: Pick<Frame, 'channel' | 'bytes'>): LifecycleEvent | undefined {
  return frame.channel === 'lifecycle' ? lifecycleEventOf(frame.bytes) : undefined;
}

/** Returns true for a frame that a person added: a note on a frame, or a description of the recording. */
export function isNote(frame: Pick<Frame, 'channel' | 'bytes'>): boolean {
  const event = eventIn(frame)?.event;
  return event === 'note' || event === 'about';
}

/** Returns true for a placeholder of a missing frame. */
export function isMissingFrame(frame: Pick<Frame, 'channel' | 'bytes'>): boolean {
  return eventIn(frame)?.event === 'missing';
}

/** Returns the description that a frame gives the recording; undefined for any other frame. */
export function recordingAbout(frame: Pick<Frame, 'channel' | 'bytes'>): RecordingEnd['about'] {
  const event = eventIn(frame);
  return event?.event === 'about' ? { name: event.name, text: event.text } : undefined;
}

/** Returns an event as the bytes of its frame. */
export function encodeEvent(event: LifecycleEvent): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(event));
}
