import { Icon } from '@/components/ui/icon';
import { Menu } from '@/components/ui/menu';
import { useLocation } from '@/lib/hooks/use-location';
import type { Row } from '@/lib/store/row';
import { filterItems } from './filter-items';

/** Narrows the log to what is like a row, or hides it. */
export function FilterMenu({ row }: { readonly row: Row }) {
  const { filter = '' } = useLocation();
  return (
    <Menu label="Filter by this message" items={() => filterItems(row, filter)}>
      <Icon name="filter" />
    </Menu>
  );
}
