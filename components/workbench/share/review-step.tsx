import { Button } from '@/components/ui/button';
import { visibleText } from '@/components/ui/visible-text';
import type { Finding, Findings } from '@/lib/redact/findings';
import type { Decision } from '@/lib/redact/rules';
import type { PersonalDetail } from '@/lib/sharing/personal-details';
import type { ReviewResult } from '@/lib/sharing/share-job';
import type { Log } from '@/lib/store/log';
import { countOf, formatBytes, formatCount } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';
import { type ChosenFrames, FrameFields } from './chosen-frames';
import { MaskPatterns } from './mask-patterns';

/** First step of sharing: choose the frames, and review what looks like a secret. */
export function ReviewStep(props: {
  readonly log: Log;
  readonly chosen: ChosenFrames;
  readonly selected: number | undefined;
  readonly filter: string;
  readonly hasHttp: boolean;
  readonly reviewed: ReviewResult | undefined;
  readonly decisions: ReadonlyMap<string, Decision>;
  readonly patterns: readonly string[];
  readonly places: ReadonlyMap<string, number>;
  readonly onChosen: (chosen: ChosenFrames) => void;
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
          <p role="status">{summaryText(reviewed, decisions)}</p>
          <FindingTable
            findings={reviewed.findings}
            decisions={decisions}
            onDecide={props.onDecide}
            onLook={props.onLook}
          />
        </>
      )}
      {reviewed && (
        <IdentifyingFacts
          facts={reviewed.facts}
          decisions={decisions}
          onDecide={props.onDecide}
          onLook={props.onLook}
        />
      )}
      <MaskPatterns patterns={props.patterns} places={props.places} onPatterns={props.onPatterns} />
      <div className="flex items-center gap-3 border-t border-line pt-3">
        <p className="flex-1 text-muted">We can’t detect every secret. Review before sharing.</p>
        <Button variant="primary" onClick={props.onNext} disabled={!reviewed}>
          Continue
        </Button>
      </div>
    </div>
  );
}

function summaryText({ frames, bytes, findings }: ReviewResult, decisions: ReadonlyMap<string, Decision>): string {
  const open = findings.list.filter(({ kind }) => kind === 'secret');
  const masked = open.filter(({ id, decision }) => (decisions.get(id) ?? decision) === 'mask').length;
  const before = findings.list.length - open.length;
  const words = [
    `Sharing ${countOf(frames, 'frame')} (${formatBytes(bytes)}).`,
    open.length === 0
      ? 'Nothing looks like a secret.'
      : `${countOf(open.length, 'value')} may be secret, ${formatCount(masked)} will be masked.`,
    ...(before > 0 ? [`${countOf(before, 'value')} masked while recording.`] : []),
  ];
  return words.join(' ');
}

/** Places of a finding that are listed. */
const PLACES_SHOWN = 3;

/** The findings, most important first. The user masks or keeps each. */
function FindingTable({
  findings: { list, unlisted },
  decisions,
  onDecide,
  onLook,
}: {
  readonly findings: Findings;
  readonly decisions: ReadonlyMap<string, Decision>;
  readonly onDecide: (id: string, decision: Decision) => void;
  readonly onLook: (seq: number) => void;
}) {
  if (list.length === 0) return null;
  return (
    <section
      aria-label="Possible secrets"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      className="max-h-[38vh] min-h-24 overflow-auto border border-line"
    >
      <table className="w-full border-collapse text-left">
        <thead className="sticky top-0 bg-surface text-small text-muted">
          <tr>
            {['Mask', 'Kind', 'Confidence', 'Value', 'Count', 'Where'].map((heading) => (
              <th key={heading} scope="col" className="px-2 py-1 font-normal">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {list.map((finding) => (
            <FindingRow
              key={finding.id}
              finding={finding}
              decision={decisions.get(finding.id) ?? finding.decision}
              onDecide={(decision) => onDecide(finding.id, decision)}
              onLook={onLook}
            />
          ))}
        </tbody>
      </table>
      {unlisted > 0 && (
        <p className="px-2 py-1 text-warn">
          The default rules apply to {countOf(unlisted, 'unlisted value')}. Repeats are masked only for the newest{' '}
          {formatCount(LIMITS.redactedValues)} values.
        </p>
      )}
    </section>
  );
}

function FindingRow({
  finding: { kind, label, rank, sample, length, count, places },
  decision,
  onDecide,
  onLook,
}: {
  readonly finding: Finding;
  readonly decision: Decision;
  readonly onDecide: (decision: Decision) => void;
  readonly onLook: (seq: number) => void;
}) {
  const value = visibleText(sample);
  return (
    <tr className="border-t border-line align-top">
      <td className="px-2 py-1">
        {kind === 'masked' ? (
          <span className="text-muted">masked</span>
        ) : (
          <input
            type="checkbox"
            aria-label={`Mask ${label} ${value}`}
            checked={decision === 'mask'}
            onChange={({ target }) => onDecide(target.checked ? 'mask' : 'keep')}
            className="mt-0.5 block size-4 accent-accent"
          />
        )}
      </td>
      <td className="px-2 py-1 whitespace-nowrap">{label}</td>
      <td className={`px-2 py-1 ${rank === 'possible' ? 'text-muted' : ''}`}>{kind === 'masked' ? '' : rank}</td>
      <td className="max-w-52 px-2 py-1 font-mono text-wire break-all">
        <bdi>{value}</bdi>
        {length > 0 && <span className="text-muted"> {formatCount(length)} characters</span>}
      </td>
      <td className="tabular px-2 py-1">{formatCount(count)}</td>
      <td className="max-w-72 px-2 py-1">
        {places.slice(0, PLACES_SHOWN).map(({ seq, path }) => (
          <span key={`${seq} ${path}`} className="block truncate" title={visibleText(path)}>
            {seq > 0 && (
              <button type="button" className="tabular text-accent underline" onClick={() => onLook(seq)}>
                #{seq}
              </button>
            )}{' '}
            <bdi className="font-mono text-wire text-muted">{visibleText(path)}</bdi>
          </span>
        ))}
        {places.length > PLACES_SHOWN && <span className="text-muted">and {places.length - PLACES_SHOWN} more</span>}
      </td>
    </tr>
  );
}

/** Personal details in what is shared, such as paths and host names. Kept unless the user masks them. */
function IdentifyingFacts({
  facts,
  decisions,
  onDecide,
  onLook,
}: {
  readonly facts: readonly PersonalDetail[];
  readonly decisions: ReadonlyMap<string, Decision>;
  readonly onDecide: (id: string, decision: Decision) => void;
  readonly onLook: (seq: number) => void;
}) {
  if (facts.length === 0) return null;
  return (
    <section aria-label="Personal details" className="shrink-0">
      <p className="text-muted">Also shared. Select what to mask:</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <ul aria-label="Details" tabIndex={0} className="max-h-32 overflow-auto border border-line">
        {facts.map(({ id, what, value, seq }) => (
          <li key={id} className="flex items-center gap-2 px-2 py-0.5">
            <input
              type="checkbox"
              aria-label={`Mask ${what} ${visibleText(value)}`}
              checked={decisions.get(id) === 'mask'}
              onChange={({ target }) => onDecide(id, target.checked ? 'mask' : 'keep')}
              className="size-4 shrink-0 accent-accent"
            />
            <button type="button" className="tabular text-accent underline" onClick={() => onLook(seq)}>
              #{seq}
            </button>
            <span className="shrink-0">{what}</span>
            <bdi className="min-w-0 flex-1 truncate font-mono text-wire text-muted" title={visibleText(value)}>
              {visibleText(value)}
            </bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}
