import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { ProgressReport } from '@/lib/store/exchanges/exchanges';
import { progressRate } from '@/lib/store/exchanges/progress-rate';
import type { Log } from '@/lib/store/log';
import { formatElapsed } from '@/lib/wire/format';

/** Progress as the server reports it, with its rate. The bar is drawn only for a share of a known total. */
export function ProgressView({ log, progress }: { readonly log: Log; readonly progress: ProgressReport }) {
  const { progress: done, total, message, count } = progress;
  const share = shareOf(done, total);
  const rate = progressRate(progress, (seq) => log.columns.time(seq - 1));
  const facts = [
    total === undefined ? formatUnits(done) : `${formatUnits(done)} of ${formatUnits(total)}`,
    rate && `${formatUnits(rate.perSecond)} per second`,
    rate?.leftUs !== undefined && `about ${formatElapsed(rate.leftUs) || 'a second'} left`,
    total === undefined && `update ${count}, total not given`,
    total !== undefined && share === undefined && (done > total ? 'more than the total' : 'not a share'),
  ].filter(Boolean);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {share !== undefined && (
        <div
          role="progressbar"
          aria-label="Progress"
          aria-valuemin={0}
          aria-valuemax={total}
          aria-valuenow={done}
          className="h-1 w-full bg-line"
        >
          <div className="h-full bg-accent" style={{ width: `${share * 100}%` }} />
        </div>
      )}
      <p className="tabular text-small text-muted">{facts.join(' · ')}</p>
      {message !== undefined && (
        <p className="min-w-0 break-words">
          <UntrustedText text={message} limit={300} />
        </p>
      )}
    </div>
  );
}

/** Returns which share of the total is done; undefined if the numbers do not say. */
function shareOf(done: number, total: number | undefined): number | undefined {
  return total !== undefined && total > 0 && done >= 0 && done <= total ? done / total : undefined;
}

/** Formats a number of units, which may be anything: "1,204", "0.35", "12.5". */
function formatUnits(value: number): string {
  const digits = Math.abs(value) >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 };
  return new Intl.NumberFormat('en-US', digits).format(value);
}
