import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { formatCount } from '@/components/ui/format';

/** Fields shown at first and with each press. */
const PAGE = 200;

/** How many of `count` fields to render, and the button that shows more, if there are more. */
export function useShownCount(count: number): [shown: number, more: ReactNode] {
  const [shown, setShown] = useState(PAGE);
  // One more than was there is one the user just added: it is shown.
  const limit = count === shown + 1 ? count : shown;
  if (count <= limit) return [count, null];
  return [
    limit,
    <Button key="more" size="small" variant="ghost" onClick={() => setShown(limit + PAGE)}>
      Show {formatCount(Math.min(PAGE, count - limit))} more of {formatCount(count - limit)}
    </Button>,
  ];
}
