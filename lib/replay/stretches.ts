import type { Cut, NumberedStream } from '@/lib/session/numbered-streams';
import type { RecordedCall, ServerEvent } from '@/lib/session/recorded-session';

/** What a server said in one go, and where its stream was cut after it; undefined at the end. */
interface Stretch {
  readonly events: readonly ServerEvent[];
  readonly cut: Cut | undefined;
}

/** What came during a call, piece by piece, as its stream was cut before the answer came. One piece for a call that got none. */
export function stretchesOf({ during, answer }: RecordedCall, stream: NumberedStream | undefined): readonly Stretch[] {
  const cuts = stream?.cuts.filter(({ seq }) => answer !== undefined && seq < answer.seq) ?? [];
  return [...cuts, undefined].map((cut, at) => {
    const [from, to] = [cuts[at - 1]?.seq ?? 0, cut?.seq ?? Number.POSITIVE_INFINITY];
    return { events: during.filter(({ seq }) => seq > from && seq <= to), cut };
  });
}
