import { formatCount } from '@/components/ui/format';
import { visibleText } from '@/components/ui/visible-text';
import type { Finding, Findings } from '@/lib/redact/finding';
import type { Decision } from '@/lib/redact/rules';
import { LIMITS } from '@/lib/wire/limits';

/** Places of a finding that are links. */
const PLACES_SHOWN = 3;

/** Everything that was found, what matters most first, each to be masked or kept. */
export function FindingTable({
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
      aria-label="What was found"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keys
      tabIndex={0}
      className="max-h-[38vh] min-h-24 overflow-auto border border-line"
    >
      <table className="w-full border-collapse text-left">
        <thead className="sticky top-0 bg-surface text-small text-muted">
          <tr>
            {['Mask', 'What', 'How sure', 'Value', 'Times', 'Where'].map((heading) => (
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
          {formatCount(unlisted)} more are masked or kept as their rules say. Only the newest{' '}
          {formatCount(LIMITS.redactedValues)} of them are masked where they are repeated, too.
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
          <span className="text-muted">before</span>
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
