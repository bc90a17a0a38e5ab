import { Icon } from '@/components/ui/icon';
import { Menu } from '@/components/ui/menu';
import { visibleText } from '@/components/ui/visible-text';
import { printFilter } from '@/lib/filter/print';
import { rowTerms } from '@/lib/filter/row-terms';
import { withTerm } from '@/lib/filter/terms';
import { navigate, useLocation } from '@/lib/hooks/use-location';
import type { Row } from '@/lib/store/row';

/** Narrows the log to what is like a row, or hides it. */
export function FilterMenu({ row }: { readonly row: Row }) {
  const { filter = '' } = useLocation();
  return (
    <Menu
      label="Filter by this message"
      items={() => {
        const { terms, around } = rowTerms(row);
        const item = (words: string, not: boolean) =>
          terms.map((term, index) => ({
            label: `${words} ${visibleText(printFilter(term))}`,
            apart: not && index === 0,
            run: () => navigate({ filter: withTerm(filter, term, { not }) }),
          }));
        return [
          ...item('Only', false),
          {
            label: 'Only what happened within a second of it',
            run: () => navigate({ filter: withTerm(filter, around, { key: 'time' }) }),
          },
          ...item('Hide', true),
        ];
      }}
    >
      <Icon name="filter" />
    </Menu>
  );
}
