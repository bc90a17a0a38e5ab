import { useState } from 'react';

/** Gives the focus back to what had it when this was first drawn, if that is still there: call it before what has it now goes. */
export function useOpener(): () => void {
  const [opener] = useState(() => (typeof document === 'undefined' ? null : document.activeElement));
  return () => {
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
  };
}
