import { visibleText } from '@/components/ui/visible-text';
import type { TellingFact } from '@/lib/sharing/telling-facts';

/** What leaves besides what was said, and is no secret: kept, unless it is masked by what it says. */
export function TellingFacts({
  facts,
  onLook,
}: {
  readonly facts: readonly TellingFact[];
  readonly onLook: (seq: number) => void;
}) {
  if (facts.length === 0) return null;
  return (
    <section aria-label="What leaves besides">
      <p className="text-muted">These leave as well; mask below what should not:</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keys */}
      <ul aria-label="Kept" tabIndex={0} className="max-h-24 overflow-auto">
        {facts.map(({ what, value, seq }) => (
          <li key={`${seq} ${what}`} className="flex gap-2">
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
