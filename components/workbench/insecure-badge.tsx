import { Badge } from '@/components/ui/badge';

const TITLE = 'The certificate of this server is not verified: whoever answers is believed.';

/** Stands beside a connection for as long as whoever answers is believed. `short`: where there is no room for words. */
export function InsecureBadge({ short = false }: { readonly short?: boolean }) {
  return (
    <Badge tone="error" title={TITLE}>
      <span aria-hidden="true">⚠</span>
      <span className={short ? 'sr-only' : 'pl-1'}>certificate not verified</span>
    </Badge>
  );
}
