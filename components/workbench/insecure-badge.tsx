import { Badge } from '@/components/ui/badge';

const WORDS = 'certificate not verified';
const TITLE = 'The certificate of this server is not verified: whoever answers is believed.';

/** Stands beside a connection for as long as whoever answers is believed. `short`: where there is no room for words. */
export function InsecureBadge({ short = false }: { readonly short?: boolean }) {
  if (short) {
    return (
      <span title={TITLE} className="shrink-0 text-error">
        <span aria-hidden="true">⚠</span>
        <span className="sr-only">{WORDS}</span>
      </span>
    );
  }
  return (
    <Badge tone="error" title={TITLE}>
      <span aria-hidden="true">⚠</span>
      <span className="pl-1">{WORDS}</span>
    </Badge>
  );
}
