import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { Exchange } from '@/lib/store/exchanges';

/** How far a request has come, as the server reports it: a share of the total, or only a number. */
export function ProgressBar({ progress }: { readonly progress: NonNullable<Exchange['progress']> }) {
  const { total } = progress;
  const share = total !== undefined && total > 0 ? Math.min(1, Math.max(0, progress.progress / total)) : undefined;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div
        role="progressbar"
        aria-label="Progress"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={share === undefined ? undefined : progress.progress}
        className="h-1 w-full bg-line"
      >
        {share !== undefined && <div className="h-full bg-accent" style={{ width: `${share * 100}%` }} />}
      </div>
      <p className="tabular text-small text-muted">
        {progress.progress}
        {total !== undefined && ` of ${total}`}
        {progress.message !== undefined && (
          <>
            {' · '}
            <UntrustedText text={progress.message} limit={300} />
          </>
        )}
      </p>
    </div>
  );
}
