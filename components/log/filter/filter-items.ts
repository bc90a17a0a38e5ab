import type { MenuItem } from '@/components/ui/menu-list';
import { visibleText } from '@/components/ui/visible-text';
import { printFilter } from '@/lib/filter/print';
import { rowTerms } from '@/lib/filter/row-terms';
import { withTerm } from '@/lib/filter/terms';
import { navigate } from '@/lib/hooks/use-location';
import type { Row } from '@/lib/store/row';

/** What narrows the log to what is like a row, or hides it, beside what `filter` says already. */
export function filterItems(row: Row, filter: string): readonly MenuItem[] {
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
}
