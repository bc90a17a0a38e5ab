import { CallBook } from '@/lib/replay/call-book';
import { SessionReader } from '@/lib/session/session-reader';
import { type FrameSeed, framesOf } from '@/lib/store/test-frames';
import { systemClock } from '@/lib/wire/clock';
import { type ReplayServer, serveHttp } from './http-server';

/** A replay of a session of these frames, over HTTP at a port of its own. */
export function serveFrames(seeds: readonly FrameSeed[]): Promise<ReplayServer> {
  const reader = new SessionReader();
  for (const frame of framesOf(seeds)) reader.push(frame);
  const session = reader.end();
  const replay = { session, book: new CallBook(session), pace: 0, onMiss: 'error' } as const;
  return serveHttp(replay, { clock: systemClock, note: () => {} }, 0);
}
