import { Sentence } from '@/components/ui/notices';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { AppNotice } from '@/features/apps/lib/app-notices';
import { countOf } from '@/lib/wire/format';

interface AppNoticesProps {
  readonly notices: readonly AppNotice[];
  /** Says what to change so that a request is not blocked. */
  readonly advice: (notice: AppNotice) => string | undefined;
}

/** Lists what was blocked in a running app, with what to change, and errors of its scripts. Equal ones once. */
export function AppNotices({ notices, advice }: AppNoticesProps) {
  if (notices.length === 0) return null;
  const counts = new Map<string, { readonly notice: AppNotice; count: number }>();
  for (const notice of notices) {
    const key = JSON.stringify(notice);
    const known = counts.get(key);
    if (known) known.count++;
    else counts.set(key, { notice, count: 1 });
  }
  return (
    <section aria-label="What failed in the app" role="status" className="max-h-48 overflow-auto text-error">
      <ul className="flex flex-col gap-1">
        {Array.from(counts, ([key, { notice, count }]) => (
          <li key={key} className="min-w-0 break-words">
            {notice.kind === 'blocked' ? (
              <>
                Blocked by {notice.directive}: <UntrustedText text={notice.url} limit={300} className="font-mono" />
              </>
            ) : (
              <>
                Error of its script: <UntrustedText text={notice.text} limit={300} className="font-mono" />
              </>
            )}
            {count > 1 && ` (${countOf(count, 'time')})`}
            <Advice text={advice(notice)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Advice({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p className="text-text">
      <Sentence text={text.slice(0, 1000)} />
    </p>
  );
}
