import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { soundEvent } from '@/lib/wire/sound-event';

/** What the bytes of a lifecycle frame say; undefined for what says nothing that can be read. */
export function lifecycleEventOf(bytes: Uint8Array): LifecycleEvent | undefined {
  try {
    return soundEvent(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}
