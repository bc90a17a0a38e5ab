import type { Connection } from '@/lib/hub/connection';
import { framesFrom } from '@/lib/hub/frame-log';
import { classify } from '@/lib/store/classify';
import { crashLine } from '@/lib/store/rows/error-line';
import { withoutAnsi } from '@/lib/wire/control-characters';
import type { Frame } from '@/lib/wire/frame';
import type { Failure, LifecycleEvent } from '@/lib/wire/lifecycle';
import type { Launch } from './launch';

/** How many of the newest frames are searched for the failure. */
const SEARCHED_FRAMES = 100;
/** Characters quoted from a line of stderr. */
const QUOTED_CHARS = 300;

/** Why a connection failed, and what its server printed about it. */
export interface ExplainedFailure {
  readonly failure: Failure;
  /** The line of stderr that best explains it; '' without one. */
  readonly line: string;
  /** The newest lines of the newest process's stderr, without colours. */
  readonly stderr: readonly string[];
}

/** Returns the newest failure in a connection's log; undefined if there is none. */
export async function explainFailure({ log }: Connection<Launch>): Promise<ExplainedFailure | undefined> {
  const segment = await log.segmentOf(log.last);
  const frames = framesFrom(segment, Math.max(segment.first, log.last - SEARCHED_FRAMES));
  const events = frames
    .filter(({ channel }) => channel === 'lifecycle')
    .map(({ bytes }) => JSON.parse(textOf(bytes)) as LifecycleEvent);
  const failure = events.findLast(({ event }) => event === 'failed' || event === 'handshake-failed') as
    | Failure
    | undefined;
  if (!failure) return undefined;
  const since = frames.findLastIndex(({ channel, bytes }) => channel === 'lifecycle' && isSpawn(textOf(bytes)));
  const settled = frames.findLastIndex(
    ({ channel, direction, bytes }) =>
      channel === 'protocol' && direction === 'to-client' && RESPONSES.has(classify(bytes).kind),
  );
  const linesAfter = (from: number): readonly string[] =>
    frames
      .slice(from + 1)
      .filter(({ channel }) => channel === 'stderr')
      .map(lineOf);
  const stderr = linesAfter(since);
  // Lines after the last response come first.
  const line = crashLine(linesAfter(Math.max(since, settled)), (text) => text) || crashLine(stderr, (text) => text);
  return { failure, line: line.slice(0, QUOTED_CHARS), stderr };
}

const RESPONSES: ReadonlySet<string> = new Set(['response', 'error']);

function isSpawn(text: string): boolean {
  return text.startsWith('{"event":"spawned"');
}

function lineOf({ bytes }: Frame): string {
  return withoutAnsi(textOf(bytes));
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}
