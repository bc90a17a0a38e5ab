import { formatPath } from '@/lib/json/outline-path';
import { isObject, own } from '@/lib/json/value';
import type { FaultPath } from '@/lib/protocol/checks';
import { readFrame } from '@/lib/store/classify';
import type { Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import type { TimeLimit } from '@/lib/wire/time-limit';
import { NEEDS_EVERY_FRAME, type Problem } from './problem';
import { withSkipped } from './problem-feed';
import { ProblemFinder } from './problem-finder';
import type { SkippedChecks } from './protocol-state';

/** Frames that are judged within one time limit, unless they take longer than a slice. */
const PORTION = 512;
/** Milliseconds after which no other frame is begun, so that Ctrl-C and timers have their turn. */
const SLICE_MS = 20;
/** Hangs outside of schema checks, after which judging is given up. */
const UNEXPLAINED_HANGS = 2;

/** Why a session was not judged: the rules hang, and not in a check of a schema. */
export class RulesTooSlow extends Error {}

/** Problems of a session, and what the report needs to know about its frames. */
export interface Judged {
  readonly findings: readonly JudgedFinding[];
  readonly frames: number;
  /** Rules that failed, which is a bug in the rule. */
  readonly failedRules: readonly string[];
}

/** A problem, with the names of entries in its path. */
export interface JudgedFinding extends Pick<Problem, 'rule' | 'severity' | 'title' | 'message' | 'advice'> {
  readonly path: string | undefined;
  /** Numbers of the frames with the problem, oldest first, at most 50. */
  readonly frames: readonly number[];
  /** Address of the section of the specification. */
  readonly spec: string;
  /** True if a frame from the server has the problem. */
  readonly fromServer: boolean;
  /** True for a rule that compares messages, which is wrong if frames are missing. */
  readonly needsEveryFrame: boolean;
}

/**
 * Judges all frames of a session with every rule. `read` is called again after a check of a server’s schema has hung,
 * which that pass skips. Rejects with RulesTooSlow if the rules hang for another reason, and as `read` does.
 */
export async function judgeFrames(
  read: () => AsyncIterable<readonly Frame[]> | Iterable<readonly Frame[]>,
  within: TimeLimit,
): Promise<Judged> {
  let skipped: SkippedChecks | undefined;
  for (let unexplained = 0; unexplained < UNEXPLAINED_HANGS; ) {
    const judge = new FrameJudge(skipped);
    if (await judgeAll(judge, read(), within)) return judge.result();
    if (judge.checking === undefined) unexplained++;
    else skipped = withSkipped(skipped, judge.checking);
  }
  throw new RulesTooSlow('The rules take too long for this session.');
}

/** Returns false if a portion was stopped. */
async function judgeAll(
  judge: FrameJudge,
  portions: AsyncIterable<readonly Frame[]> | Iterable<readonly Frame[]>,
  within: TimeLimit,
): Promise<boolean> {
  for await (const portion of portions) {
    let at = 0;
    const judgeSlice = (): void => {
      const [end, until] = [Math.min(at + PORTION, portion.length), performance.now() + SLICE_MS];
      do judge.addFrame(portion[at++]!);
      while (at < end && performance.now() < until);
    };
    while (at < portion.length) {
      if (!within(LIMITS.rulesMs, judgeSlice)) return false;
      await new Promise<void>((resolve) => setTimeout(resolve));
    }
  }
  return true;
}

class FrameJudge {
  /** seq of the result whose check against a schema began last. */
  checking: number | undefined;
  readonly #finder = new ProblemFinder((seq) => {
    this.checking = seq;
  });
  readonly #paths = new Map<number, string>();
  readonly #fromServer = new Set<number>();
  #frames = 0;

  constructor(skipped: SkippedChecks | undefined) {
    if (skipped) this.#finder.skipChecks(skipped);
  }

  addFrame(frame: Frame): void {
    this.checking = undefined;
    this.#finder.addFrame(frame);
    this.#frames++;
    const changed = this.#finder.takeChanged();
    this.#finder.takeMarks();
    if (changed.length > 0) this.#note(frame, changed);
  }

  #note(frame: Frame, changed: readonly Problem[]): void {
    let value: unknown;
    for (const { id, path } of changed) {
      if (frame.direction === 'to-client') this.#fromServer.add(id);
      if (path === undefined || this.#paths.has(id)) continue;
      value ??= readFrame(frame).value;
      this.#paths.set(id, namedPath(path, value));
    }
  }

  result(): Judged {
    return {
      findings: this.#finder.problems.map((problem) => ({
        rule: problem.rule,
        severity: problem.severity,
        title: problem.title,
        message: problem.message,
        path: this.#paths.get(problem.id),
        frames: problem.seqs,
        advice: problem.advice,
        spec: problem.url,
        fromServer: this.#fromServer.has(problem.id),
        needsEveryFrame: NEEDS_EVERY_FRAME.has(problem.rule),
      })),
      frames: this.#frames,
      failedRules: [...this.#finder.failed],
    };
  }
}

/** Keys by which entries of lists are known. */
const NAMES = ['name', 'uri', 'uriTemplate'];

/** Formats a path with the names of entries instead of their places, which other entries can change. */
export function namedPath(path: FaultPath, root: unknown): string {
  let at = root;
  const keys = path.map((key) => {
    at = isObject(at) || Array.isArray(at) ? (at as Record<string | number, unknown>)[key] : undefined;
    if (typeof key !== 'number' || !isObject(at)) return key;
    const entry = at;
    const name = NAMES.map((member) => own(entry, member)).find((known) => typeof known === 'string');
    return typeof name === 'string' ? { name } : key;
  });
  let text = '';
  for (const key of keys) {
    if (typeof key === 'object') text += `[${JSON.stringify(key.name)}]`;
    else text = joined(text, formatPath([key]));
  }
  return text;
}

function joined(before: string, key: string): string {
  return before === '' || key.startsWith('[') ? before + key : `${before}.${key}`;
}
