import { navigate } from '@/lib/hooks/use-location';
import type { Side } from './side';

/** Goes to a frame of one side, the comparison staying open. */
function SideFrame({ side, other, seq }: { readonly side: Side; readonly other: Side; readonly seq: number }) {
  return (
    <button
      type="button"
      className="tabular text-accent underline"
      title={`Show it in ${side.title}`}
      aria-label={`Frame #${seq} ${side.label}, of ${side.title}`}
      onClick={() => navigate({ connection: side.id, compare: other.id, item: undefined, frame: seq })}
    >
      #{seq}
    </button>
  );
}

/** The frames of both sides, as far as there are any: #4 → #7. */
export function BothFrames({
  sides: [before, after],
  seqs: [beforeSeq, afterSeq],
}: {
  readonly sides: readonly [before: Side, after: Side];
  readonly seqs: readonly [number | undefined, number | undefined];
}) {
  return (
    <span className="inline-flex shrink-0 gap-1 text-small">
      {beforeSeq !== undefined && <SideFrame side={before} other={after} seq={beforeSeq} />}
      {beforeSeq !== undefined && afterSeq !== undefined && <span aria-hidden="true">→</span>}
      {afterSeq !== undefined && <SideFrame side={after} other={before} seq={afterSeq} />}
    </span>
  );
}
