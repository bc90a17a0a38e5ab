import { DifferenceList } from '@/components/compare/difference-list';
import { Badge } from '@/components/ui/badge';
import { Sentence } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { navigate } from '@/lib/hooks/location';
import { usePinResults } from '@/lib/hooks/pins';
import type { Log } from '@/lib/store/log';
import { countOf, formatCount } from '@/lib/wire/format';
import { PIN_VERDICTS, type PinVerdict } from '@/lib/wire/pins';

const TONES: Readonly<Record<PinVerdict, 'ok' | 'warn' | 'error' | 'muted'>> = {
  same: 'ok',
  changed: 'warn',
  broken: 'error',
  new: 'muted',
  skipped: 'warn',
};
const COLOURS = { ok: '', warn: 'text-warn', error: 'text-error', muted: '' } as const;

/** The verdicts of the pinned calls in a few words, which lead to their panel. Empty if none was played. */
export function PinPieces({ log }: { readonly log: Log }) {
  const { outcomes } = usePinResults(log);
  const all = [...outcomes.values()];
  const counts = PIN_VERDICTS.map((verdict) => [verdict, all.filter((one) => one.verdict === verdict).length] as const);
  if (all.length === 0) return null;
  return (
    <button
      type="button"
      title="Show the pinned calls"
      onClick={() => navigate({ panel: 'pins', item: undefined })}
      className="tabular hover:underline"
    >
      {countOf(all.length, 'pin')}:{' '}
      {counts
        .filter(([, count]) => count > 0)
        .map(([verdict, count], at) => (
          <span key={verdict}>
            {at > 0 && ', '}
            <span className={COLOURS[TONES[verdict]]}>
              {formatCount(count)} {verdict}
            </span>
          </span>
        ))}
    </button>
  );
}

/** Pinned calls shown; the panel has the rest. */
const MOST_SHOWN = 20;

/** The pinned calls whose answers are not as accepted, with what differs. */
export function PinChanges({ log }: { readonly log: Log }) {
  const { outcomes } = usePinResults(log);
  const differing = [...outcomes.values()].filter(({ verdict }) => verdict !== 'same' && verdict !== 'new');
  return (
    <ul>
      {differing.slice(0, MOST_SHOWN).map(({ key, name, verdict, why, ends, differences = [] }) => (
        <li key={key} className="border-b border-line px-3 py-1">
          <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            <span className="text-muted">pin</span>
            <button
              type="button"
              className="min-w-0 text-left font-medium text-link"
              onClick={() => navigate({ panel: 'pins', item: key })}
            >
              <UntrustedText text={name} limit={200} />
            </button>
            <Badge tone={TONES[verdict]}>{verdict}</Badge>
            {why !== undefined && (
              <span className="min-w-0 break-words">
                <Sentence text={why} draw={visibleText} />
              </span>
            )}
          </span>
          <DifferenceList ends={ends} differences={differences} />
        </li>
      ))}
    </ul>
  );
}
