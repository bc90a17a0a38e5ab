// The library: `import { check, diff, inspect … } from 'mcp-inspect'`. Its code is loaded by the first call.
import type {
  CheckOptions,
  CheckReport,
  DiffOptions,
  DiffReport,
  InspectOptions,
  ReplayOptions,
  ReplayServer,
  Session,
  Target,
  TestOptions,
  TestReport,
} from './api';
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

/**
 * Checks a server, or recordings, and reports every problem. A server that can't be reached is a problem, too. Rejects
 * with an {@link InspectError} for invalid options.
 */
export async function check(
  what: Target | { readonly recordings: readonly string[] },
  options: CheckOptions = {},
): Promise<CheckReport> {
  return traced('check', check, async () => (await import('./check-target')).checkTarget(what, options, OWN));
}

/**
 * Plays pinned calls and recorded clients on a server, and compares the answers. Rejects with an {@link InspectError}
 * if the server can’t be reached, or a file or option is invalid.
 */
export async function test(target: Target, options: TestOptions = {}): Promise<TestReport> {
  return traced('test', test, async () => (await import('./run-tests')).testTarget(target, options, OWN));
}

/**
 * Compares two recordings, a recording and a server, or two servers. Rejects with an {@link InspectError} if a side
 * can’t be read or reached.
 */
export async function diff(
  one: string | Target,
  other: string | Target,
  options: DiffOptions = {},
): Promise<DiffReport> {
  return traced('diff', diff, async () => (await import('./diff-sides')).diffSides(one, other, options, OWN));
}

/** Serves a recording on a port of 127.0.0.1. Rejects with an {@link InspectError}. */
export async function replay(recording: string, options: ReplayOptions = {}): Promise<ReplayServer> {
  return traced('replay', replay, async () =>
    (await import('./replay-recording')).startReplay(recording, options, OWN),
  );
}
