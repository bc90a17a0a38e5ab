import type { Frame } from '@/lib/wire/frame';
import { type LifecycleEvent, validLifecycleEvent } from '@/lib/wire/lifecycle';
import type { RecordingEnd } from './format';

/** What the bytes of a lifecycle frame say; undefined for what says nothing that can be read. */
export function lifecycleEventOf(bytes: Uint8Array): LifecycleEvent | undefined {
  try {
    return validLifecycleEvent(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}

/** True for a frame that somebody added: a note on another, or one about the whole. Nothing happened in it. */
export function isNote({ channel, bytes }: Pick<Frame, 'channel' | 'bytes'>): boolean {
  const event = channel === 'lifecycle' ? lifecycleEventOf(bytes)?.event : undefined;
  return event === 'note' || event === 'about';
}

/** True for a frame in the place of a missing one. */
export function isMissingFrame({ channel, bytes }: Pick<Frame, 'channel' | 'bytes'>): boolean {
  return channel === 'lifecycle' && lifecycleEventOf(bytes)?.event === 'missing';
}

/** What a frame about the whole says; undefined for any other. */
export function recordingAbout({ channel, bytes }: Pick<Frame, 'channel' | 'bytes'>): RecordingEnd['about'] {
  const event = channel === 'lifecycle' ? lifecycleEventOf(bytes) : undefined;
  return event?.event === 'about' ? { name: event.name, text: event.text } : undefined;
}

/** An event as the bytes of its frame. */
export function encodeEvent(event: LifecycleEvent): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(event));
}
