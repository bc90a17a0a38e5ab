import { visibleText } from '@/components/ui/visible-text';
import type { Decision } from '@/lib/redact/rules';
import type { TellingFact } from '@/lib/sharing/telling-facts';

/** What leaves besides what was said, and is no secret: kept, unless a person masks it. */
export function TellingFacts({
  facts,
  decisions,
  onDecide,
  onLook,
}: {
  readonly facts: readonly TellingFact[];
  readonly decisions: ReadonlyMap<string, Decision>;
  readonly onDecide: (id: string, decision: Decision) => void;
  readonly onLook: (seq: number) => void;
}) {
  if (facts.length === 0) return null;
  return (
    <section aria-label="What leaves besides" className="shrink-0">
      <p className="text-muted">These leave as well; mask what should not:</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keys */}
      <ul aria-label="Facts" tabIndex={0} className="max-h-32 overflow-auto border border-line">
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
