import type { WatchPiecesProps } from '@/features/page-feature';
import { navigate } from '@/lib/hooks/location';
import { countOf, formatCount } from '@/lib/wire/format';
import { PIN_VERDICTS, type PinVerdict } from '@/lib/wire/pins';
import { usePinResults } from './use-pin-results';

const COLOURS: { readonly [Verdict in PinVerdict]?: string } = {
  changed: 'text-warn',
  broken: 'text-error',
  skipped: 'text-warn',
};

/** The verdicts of the pinned calls in a few words, which lead to the first that differs. Empty if none was played. */
export function PinPieces({ log }: WatchPiecesProps) {
  const { outcomes } = usePinResults(log);
  const all = [...outcomes.values()];
  const counts = PIN_VERDICTS.map((verdict) => [verdict, all.filter((one) => one.verdict === verdict).length] as const);
  if (all.length === 0) return null;
  const differing = all.find(({ verdict }) => verdict === 'changed' || verdict === 'broken');
  return (
    <button
      type="button"
      title="Show the pinned calls"
      onClick={() => navigate({ panel: 'pins', item: differing?.key })}
      className="tabular hover:underline"
    >
      {countOf(all.length, 'pin')}:{' '}
      {counts
        .filter(([, count]) => count > 0)
        .map(([verdict, count], at) => (
          <span key={verdict}>
            {at > 0 && ', '}
            <span className={COLOURS[verdict]}>
              {formatCount(count)} {verdict}
            </span>
          </span>
        ))}
    </button>
  );
}
