import { CallIndex } from '@/lib/replay/server/call-index';
import { TrafficReader } from '@/lib/replay/traffic/traffic-reader';
import { type FrameSeed, framesOf } from '@/lib/store/test-frames';
import { systemClock } from '@/lib/wire/clock';
import { type ReplayServer, serveHttp } from './http-server';

/** Replays these frames over HTTP at a port of its own. */
export function serveFrames(seeds: readonly FrameSeed[]): Promise<ReplayServer> {
  const reader = new TrafficReader();
  for (const frame of framesOf(seeds)) reader.addFrame(frame);
  const traffic = reader.traffic();
  const replay = { traffic, calls: new CallIndex(traffic), pace: 0, onMiss: 'error' } as const;
  return serveHttp(replay, { clock: systemClock, printNote: () => {} }, 0);
}
