import type { ReactNode } from 'react';
import { focusForm } from '@/components/ui/focus-form';
import { Split } from '@/components/ui/split';
import { useLocation } from '@/lib/hooks/use-location';
import { EntryList } from './entry-list';
import type { CatalogueItem } from './search';

interface CatalogueProps {
  /** What the entries are, in the plural: `tools`. */
  readonly what: string;
  readonly items: readonly CatalogueItem[];
  /** The key of the one that is shown. */
  readonly selected: string | undefined;
  /** What is to be said of the list, above it. */
  readonly note: ReactNode;
  /** The selected entry, where the focus goes when one is opened. */
  readonly children: ReactNode;
}

/** What a server has of one kind: the list on the left, which the address keeps the place in, and the selected entry on the right. */
export function Catalogue({ what, items, selected, note, children }: CatalogueProps) {
  const { navigate } = useLocation();
  return (
    <Split
      id={what}
      orientation="horizontal"
      label={`Resize list of ${what}`}
      startSize="240px"
      startMin="140px"
      endMin="320px"
      start={
        <>
          {note}
          <EntryList
            what={what}
            items={items}
            selected={selected}
            onSelect={(key) => navigate({ item: key })}
            onOpen={() => focusForm()}
          />
        </>
      }
      end={children}
    />
  );
}
