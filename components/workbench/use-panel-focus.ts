import { useEffect, useRef } from 'react';
import { tabPanelId } from '@/components/ui/tabs';

/** Gives the panel of a connection the focus once it is what is `shown`: after the form that made it has closed. */
export function usePanelFocus(shown: string | undefined): (connection: string) => void {
  const wanted = useRef<string>(undefined);
  useEffect(() => {
    if (wanted.current === undefined || wanted.current !== shown) return;
    wanted.current = undefined;
    document.getElementById(tabPanelId('panel'))?.focus();
  });
  return (connection) => {
    wanted.current = connection;
  };
}
