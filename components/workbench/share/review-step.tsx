import { Button } from '@/components/ui/button';
import { formatCount } from '@/components/ui/format';
import type { Decision } from '@/lib/redact/rules';
import type { ShareReviewed } from '@/lib/sharing/share-job';
import type { Log } from '@/lib/store/log';
import { formatBytes } from '@/lib/wire/format-bytes';
import type { Chosen } from './chosen-frames';
import { FindingTable } from './finding-table';
import { FrameFields } from './frame-fields';
import { MaskPatterns } from './mask-patterns';
import { TellingFacts } from './telling-facts';

/** What would leave: which frames, and what in them looks like a secret. */
export function ReviewStep(props: {
  readonly log: Log;
  readonly chosen: Chosen;
  readonly selected: number | undefined;
  readonly filter: string;
  readonly hasHttp: boolean;
  readonly reviewed: ShareReviewed | undefined;
  readonly decisions: ReadonlyMap<string, Decision>;
  readonly patterns: readonly string[];
  readonly places: ReadonlyMap<string, number>;
  readonly onChosen: (chosen: Chosen) => void;
  readonly onDecide: (id: string, decision: Decision) => void;
  readonly onPatterns: (patterns: readonly string[]) => void;
  readonly onLook: (seq: number) => void;
  readonly onNext: () => void;
}) {
  const { reviewed, decisions } = props;
  return (
    <div className="flex min-h-0 flex-col gap-3">
      <FrameFields {...props} />
      {reviewed && (
        <>
          <p role="status">{summary(reviewed, decisions)}</p>
          <FindingTable
            findings={reviewed.findings}
            decisions={decisions}
            onDecide={props.onDecide}
            onLook={props.onLook}
          />
        </>
      )}
      {reviewed && (
        <TellingFacts facts={reviewed.facts} decisions={decisions} onDecide={props.onDecide} onLook={props.onLook} />
      )}
      <MaskPatterns patterns={props.patterns} places={props.places} onPatterns={props.onPatterns} />
      <div className="flex items-center gap-3 border-t border-line pt-3">
        <p className="flex-1 text-muted">What nobody could tell for a secret is as it was said: look through it.</p>
        <Button variant="primary" onClick={props.onNext} disabled={!reviewed}>
          Continue
        </Button>
      </div>
    </div>
  );
}

function summary({ frames, bytes, findings }: ShareReviewed, decisions: ReadonlyMap<string, Decision>): string {
  const open = findings.list.filter(({ kind }) => kind === 'secret');
  const masked = open.filter(({ id, decision }) => (decisions.get(id) ?? decision) === 'mask').length;
  const before = findings.list.length - open.length;
  const words = [
    `${formatCount(frames)} ${frames === 1 ? 'frame leaves' : 'frames leave'}, ${formatBytes(bytes)}.`,
    open.length === 0
      ? 'Nothing in them looks like a secret.'
      : `Of ${values(open.length)} that ${open.length === 1 ? 'looks' : 'look'} like a secret, ${formatCount(masked)} will be masked.`,
    ...(before > 0 ? [before === 1 ? 'One value was masked before.' : `${values(before)} were masked before.`] : []),
  ];
  return words.join(' ');
}

function values(count: number): string {
  return count === 1 ? 'one value' : `${formatCount(count)} values`;
}
