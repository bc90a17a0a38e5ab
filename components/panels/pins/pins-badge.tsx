import { usePinResults, usePins } from '@/lib/hooks/pins';
import { statusOf } from '@/lib/pins/pin-results';
import type { Log } from '@/lib/store/log';
import { formatCount } from '@/lib/wire/format';

/** The number of pinned calls that changed or broke. */
export function PinsBadge({ log }: { readonly log: Log }) {
  const { outcomes } = usePinResults(log);
  return outcomes.size === 0 ? null : <Failing log={log} />;
}

function Failing({ log }: { readonly log: Log }) {
  const { outcomes } = usePinResults(log);
  const { file } = usePins(false);
  const statuses = file?.pins.map((pin) => statusOf(pin, outcomes.get(pin.key))) ?? [];
  const count = statuses.filter((status) => status === 'changed' || status === 'broken').length;
  return count > 0 && <span className="text-error">{formatCount(count)}</span>;
}
