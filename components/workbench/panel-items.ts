import { useEffect } from 'react';
import { PANELS } from '@/components/panels/registry';
import { useLocation } from '@/lib/hooks/location';

/** The item that each panel of each connection showed last, in this tab. */
const shownItems = new Map<string, string>();

/**
 * Returns a function that opens a panel of the connection with the item that it showed last. Opening the panel that is
 * shown leaves its item.
 */
export function useOpenPanel(connection: string | undefined): (panel: string) => void {
  const { panel: shown = PANELS[0]!.id, item, navigate } = useLocation();
  const keyOf = (panel: string) => `${connection} ${panel}`;
  const key = keyOf(shown);
  const keeps = keepsItem(shown);
  useEffect(() => {
    if (keeps && item !== undefined) shownItems.set(key, item);
  }, [key, keeps, item]);
  return (panel) => navigate({ panel, item: panel === shown ? undefined : shownItems.get(keyOf(panel)) });
}

function keepsItem(panel: string): boolean {
  return PANELS.some(({ id, keepsItem }) => id === panel && keepsItem);
}
