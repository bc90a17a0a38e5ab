import {
  type FoundFailure,
  failureText,
  type SessionFailure,
  SessionFailureReader,
} from '@/features/check/lib/minimise/session-failure';
import { PROTOCOL_RULES } from '@/lib/problems/rules/registry';
import type { OpenedTraffic } from '@/lib/replay/traffic/open-traffic';
import type { RecordedTraffic } from '@/lib/replay/traffic/recorded-traffic';
import { docsUrl } from '@/lib/wire/docs-url';
import type { Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { closest } from '@/proxy/cli/closest';
import { usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, lastValue, type ParsedOptions } from '@/proxy/cli/grammar';
import { readSeconds } from '@/proxy/cli/seconds';
import { openTrafficIn } from '@/proxy/commands/shared/open-traffic';
import type { LocalFile } from '@/proxy/commands/shared/recording-files';
import { runWithin } from '@/proxy/commands/shared/time-limit';
import { damageSentences } from '@/proxy/recorder/read-traffic';

interface FailingSession extends Pick<OpenedTraffic, 'traffic' | 'close'> {
  /** Failures in the recording, the worst first. */
  readonly failures: readonly FoundFailure[];
}

/** Reads a recording and its failures. Throws an ExitError if it can't be opened. */
export async function openFailingSession(
  file: LocalFile,
  { status, printNote }: CommandContext,
): Promise<FailingSession> {
  const finder = new FailureFinder();
  const through = (frame: Frame) => {
    finder.addFrame(frame);
    return frame;
  };
  const opened = await openTrafficIn(file, 'after `test`', { status, through });
  const failures = finder.finish();
  for (const sentence of damageSentences(opened)) printNote(`mcp-inspect: ${sentence}`);
  if (finder.isStopped) printNote('mcp-inspect: Later frames were not checked: a pattern in a schema takes too long.');
  return { traffic: opened.traffic, close: opened.close, failures };
}

/** Bytes of frames that the rules check within one time limit. */
const PORTION_BYTES = 4 * 1024 * 1024;

/** Finds the failures of a recording, a portion of frames at a time. */
class FailureFinder {
  readonly #reader = new SessionFailureReader();
  #portion: Frame[] = [];
  #bytes = 0;
  /** True if a check took too long, after which nothing is checked. */
  isStopped = false;

  addFrame(frame: Frame): void {
    if (this.isStopped) return;
    this.#portion.push(frame);
    this.#bytes += frame.bytes.length;
    if (this.#bytes >= PORTION_BYTES) this.#check();
  }

  finish(): readonly FoundFailure[] {
    this.#check();
    return this.#reader.failures();
  }

  #check(): void {
    const frames = this.#portion;
    [this.#portion, this.#bytes] = [[], 0];
    if (this.isStopped) return;
    this.isStopped = !runWithin(LIMITS.rulesMs, () => {
      for (const frame of frames) this.#reader.addFrame(frame);
    });
  }
}

/** Returns the failure that the options name, or the first of the recording. Throws an ExitError. */
export function chooseFailure(
  given: ParsedOptions,
  failures: readonly FoundFailure[],
  traffic: RecordedTraffic,
  printNote: (line: string) => void,
): SessionFailure {
  const named = namedFailures(given);
  if (named.length > 1) throw usageError('`--fail-on` is given twice: name one failure. Others are not kept.');
  if (named[0]) return named[0];
  const [first, ...others] = failures;
  if (!first)
    throw usageError(
      'The recording has no error, crash, timeout or problem. Name the failure with `--fail-on`: rule=ID, text=TEXT, exit or silence=SECONDS.',
    );
  if (others.length > 0)
    printNote(`mcp-inspect: The recording also has ${others.slice(0, MOST_OTHERS).map(otherText).join('; ')}.`);
  return first.failure.kind === 'timeout' ? { kind: 'timeout', ms: patienceFor(traffic) } : first.failure;
}

/** Most other failures that are named. */
const MOST_OTHERS = 3;

function otherText({ failure, seq }: FoundFailure): string {
  return failure.kind === 'timeout' ? `a timeout (#${seq})` : `${failureText(failure)} (#${seq})`;
}

function namedFailures(given: ParsedOptions): readonly SessionFailure[] {
  const [rule, text, silence] = ['rule', 'text', 'silence'].map((key) => lastValue(given, `fail-on.${key}`));
  if (rule !== undefined && !PROTOCOL_RULES.some(({ id }) => id === rule)) {
    const near = closest(
      rule,
      PROTOCOL_RULES.map(({ id }) => id),
    );
    throw usageError(
      `There is no rule \`${rule.slice(0, 60)}\`: ${near ? `did you mean \`${near}\`?` : `see ${docsUrl('rules')}.`}`,
    );
  }
  return [
    ...(rule === undefined ? [] : [{ kind: 'rule', rule } as const]),
    ...(text === undefined ? [] : [{ kind: 'text', text } as const]),
    ...(given.has('fail-on.exit') ? [{ kind: 'exit' } as const] : []),
    ...(silence === undefined ? [] : [{ kind: 'timeout', ms: readSeconds('fail-on silence', silence) } as const]),
  ];
}

/** Least and most milliseconds without a response that count as a timeout. */
const LEAST_MS = 1500;
const MOST_MS = 30_000;

/** Returns how long a response may take: much longer than any in the recording. */
function patienceFor({ sent }: RecordedTraffic): number {
  let slowest = 0;
  for (const call of sent) {
    if (call.kind === 'call' && call.answer) slowest = Math.max(slowest, (call.answer.time - call.time) / 1000);
  }
  return Math.round(Math.min(Math.max(5 * slowest, LEAST_MS), MOST_MS));
}
