import { useState } from 'react';

const KEY = 'mcp-inspect.timeline';

/**
 * Whether the timeline is shown; kept in this browser. Until somebody says so it is in a maximised log alone: beside a panel rows are
 * scarce.
 */
export function useTimelineShown(maximised: boolean): readonly [shown: boolean, toggle: () => void] {
  const [chosen, setChosen] = useState(read);
  const shown = chosen ?? maximised;
  const toggle = () => {
    setChosen(!shown);
    try {
      localStorage.setItem(KEY, JSON.stringify(!shown));
    } catch {
      // Where storage is forbidden it lasts until the reload.
    }
  };
  return [shown, toggle];
}

function read(): boolean | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return typeof kept === 'boolean' ? kept : undefined;
  } catch {
    return undefined;
  }
}
