import { ConnectionError } from '@/lib/transports/transport';
import type { FrameNote, LifecycleEvent } from '@/lib/wire/lifecycle';
import type { FrameLog } from './frame-log';

/** Puts something into a log that is said afterwards: at the time of its newest frame, so that the log gets no longer by it. */
export function appendEvent(log: FrameLog, event: LifecycleEvent): void {
  const bytes = new TextEncoder().encode(JSON.stringify(event));
  log.append('lifecycle', 'to-client', 0, log.lastTime, bytes, 0, bytes.length);
}

/** Puts a note into a log, if there is such a frame: throws ConnectionError `no-frame` otherwise. */
export function appendNote(log: FrameLog, { on, text, bookmark }: FrameNote): void {
  if (on < 1 || on > log.last) {
    throw new ConnectionError({
      code: 'no-frame',
      message: `There is no frame ${on} that the note could be on.`,
      advice: 'Select the row again.',
    });
  }
  appendEvent(log, { event: 'note', on, text, bookmark });
}
