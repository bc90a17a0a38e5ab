import type { RecordedSession } from '@/lib/session/recorded-session';
import { SessionReader } from '@/lib/session/session-reader';
import type { Log } from '@/lib/store/log';
import { inSlices } from '@/lib/wire/in-slices';
import { LIMITS } from '@/lib/wire/limits';

/** A log's frames, as far as there are any now, as a session. Undefined once aborted, or if frames are not to be had any more. */
export async function logSession(log: Log, signal: AbortSignal): Promise<RecordedSession | undefined> {
  const reader = new SessionReader();
  const size = log.size;
  for (let from = 0; from < size; from += LIMITS.againFrames) {
    const to = Math.min(size, from + LIMITS.againFrames);
    if (!(await bytesHere(log, from, to, signal))) return undefined;
    await inSlices(take(log, reader, from, to), signal);
    if (signal.aborted) return undefined;
  }
  return reader.end();
}

function* take(log: Log, reader: SessionReader, from: number, to: number): Generator<void, void> {
  for (let index = from; index < to; index++) {
    if (log.columns.kind(index) === 'stderr') continue;
    reader.push(log.frame(index));
    yield;
  }
}

/** False if some of them are gone for good, or nobody waits any more. */
async function bytesHere(log: Log, from: number, to: number, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    const away: number[] = [];
    for (let seq = from + 1; seq <= to; seq++) if (!log.isHere(seq)) away.push(seq);
    if (away.length === 0) return true;
    if (signal.aborted || away.some((seq) => log.wanted.isGone(seq))) return false;
    const changed = nextChange(log, signal);
    for (const seq of away) log.wanted.want(seq);
    await changed;
  }
}

function nextChange(log: Log, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      leave();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const leave = log.subscribe(done);
    signal.addEventListener('abort', done);
  });
}
