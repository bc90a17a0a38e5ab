import { useState } from 'react';

const KEY = 'mcp-inspect.timeline';

/**
 * Whether the timeline is shown; kept in this browser. Beside a panel and in a maximised log that is not the same: rows are scarce in one
 * of them.
 */
export function useTimelineShown(maximised: boolean): readonly [shown: boolean, toggle: () => void] {
  const [kept, setKept] = useState(read);
  const place = maximised ? 'maximised' : 'beside';
  const toggle = () => {
    const next = { ...kept, [place]: !kept[place] };
    setKept(next);
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // Where storage is forbidden it lasts until the reload.
    }
  };
  return [kept[place], toggle];
}

function read(): { readonly maximised: boolean; readonly beside: boolean } {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    const { maximised = true, beside = false } = kept as { maximised?: unknown; beside?: unknown };
    return { maximised: maximised === true, beside: beside === true };
  } catch {
    return { maximised: true, beside: false };
  }
}
