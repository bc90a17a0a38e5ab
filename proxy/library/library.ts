// The library: `import { check, diff, inspect … } from 'mcp-inspect'`. Its code is loaded by the first call.
import type { InspectOptions, ReplayOptions, ReplayServer, Session, Target } from './api';
import { OWN } from './own-package';
import { traced } from './traced';

export * from '@/features/library';
export type * from './api';
export { InspectError } from './inspect-error';
export type * from './matchers';
export { matchers } from './matchers';
export type * from './mcp-types';

/** Starts or reaches a server, and shakes hands. Rejects with an {@link InspectError}. */
export async function inspect(target: Target, options: InspectOptions = {}): Promise<Session> {
  return traced('inspect', inspect, async () => (await import('./session')).openSession(target, options, OWN));
}

/** Serves a recording on a port of 127.0.0.1. Rejects with an {@link InspectError}. */
export async function replay(recording: string, options: ReplayOptions = {}): Promise<ReplayServer> {
  return traced('replay', replay, async () =>
    (await import('./replay-recording')).startReplay(recording, options, OWN),
  );
}
