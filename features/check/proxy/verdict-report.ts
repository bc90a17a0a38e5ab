import type { PlayedPin } from '@/features/check/lib/pins/play-pins';
import type { TestCase } from '@/lib/ci/junit-xml';
import { formatDuration } from '@/lib/wire/format';
import type { PinVerdict } from '@/lib/wire/pins';
import type { Line, Tone } from '@/proxy/cli/output';
import { changeLines, changeTexts } from '@/proxy/commands/shared/compare-report';

/** A pinned call with its verdict. It was played on one server, or on two. */
interface JudgedCall extends Pick<PlayedPin, 'pin' | 'verdict' | 'why' | 'ends' | 'differences'> {
  /** Milliseconds on each server. */
  readonly ms: readonly number[];
}

const TONES: Readonly<Record<PinVerdict, Tone>> = {
  same: 'good',
  changed: 'bad',
  broken: 'bad',
  new: 'warn',
  skipped: 'warn',
};

/** Formats a call and what differs. `note` follows the duration. */
export function callLines(call: JudgedCall, note = ''): readonly Line[] {
  const { pin, verdict, why, ms } = call;
  const took = verdict === 'skipped' ? '' : `  ${ms.map((each) => formatDuration(each * 1000)).join(' → ')}`;
  return [
    [{ text: verdict.padEnd(8), tone: TONES[verdict] }, ` ${pin.name}`, { text: took + note, tone: 'muted' }],
    ...(why === undefined ? [] : [[`  ${why}`]]),
    ...changeLines(call),
  ];
}

/** Counts calls by verdict. */
export function countVerdicts<V extends PinVerdict>(
  calls: readonly { readonly verdict: V }[],
  verdicts: readonly V[],
): Readonly<Record<V, number>> {
  const counts = verdicts.map((known) => [known, calls.filter(({ verdict }) => verdict === known).length] as const);
  return Object.fromEntries(counts) as Record<V, number>;
}

/** Returns what programs get of a call, without its durations. */
export function callReport({ pin, verdict, why, ends, differences }: Omit<JudgedCall, 'ms'>): object {
  return {
    name: pin.name,
    method: pin.method,
    verdict,
    ...(why !== undefined && { why }),
    ...(ends && { ends }),
    ...(differences.length > 0 && { differences }),
  };
}

/** Returns a call as a test case, which fails with one of the verdicts. */
export function callCase(call: JudgedCall, failing: readonly PinVerdict[]): TestCase {
  const { pin, verdict, why, ms } = call;
  return {
    className: pin.method,
    name: pin.name,
    failures: failing.includes(verdict) ? [...(why === undefined ? [] : [why]), ...changeTexts(call)] : [],
    ...(verdict === 'skipped' && { skipped: why ?? '' }),
    ms: ms.at(-1)!,
  };
}
