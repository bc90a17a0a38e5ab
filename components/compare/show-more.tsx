import { type ReactNode, useState } from 'react';
import { formatCount } from '@/components/ui/format';

/** Items that are drawn at first, and each time more are asked for: thousands at once would keep the page from everything else. */
const SHOWN = 100;

/** The first items of a list, and a button for more of them. */
export function ShowMore<T>({
  items,
  children,
}: {
  readonly items: readonly T[];
  readonly children: (item: T, at: number) => ReactNode;
}) {
  const [limit, setLimit] = useState(SHOWN);
  const left = items.length - limit;
  return (
    <>
      <ul>{items.slice(0, limit).map(children)}</ul>
      {left > 0 && (
        <button type="button" onClick={() => setLimit(limit + SHOWN)} className="px-3 py-1 text-accent underline">
          Show {formatCount(Math.min(left, SHOWN))} more
        </button>
      )}
    </>
  );
}
