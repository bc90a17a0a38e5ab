import { requestOf } from '@/lib/store/exchange-parts';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/row';

/** What of a frame can be looked at, in the order of the keys 1 to 5. */
export const DETAIL_TABS = [
  { id: 'pretty', title: 'Pretty', fits: (row) => row.http === undefined },
  { id: 'raw', title: 'Raw', fits: () => true },
  { id: 'exchange', title: 'Exchange', fits: (row, log) => requestOf(log, row) !== undefined },
  { id: 'http', title: 'HTTP', fits: (row) => row.http !== undefined || row.exchange !== undefined },
  { id: 'problems', title: 'Problems', fits: () => true },
] as const satisfies readonly {
  readonly id: string;
  readonly title: string;
  readonly fits: (row: Row, log: Log) => boolean;
}[];

export type DetailTab = (typeof DETAIL_TABS)[number]['id'];

/** The tabs that a frame has. */
export function tabsOf(row: Row, log: Log): readonly (typeof DETAIL_TABS)[number][] {
  return DETAIL_TABS.filter(({ fits }) => fits(row, log));
}

/** The tab that was asked for; where a frame has none like it, an http frame's own or the first. */
export function tabOf(row: Row, log: Log, wanted: string | undefined): DetailTab {
  const tabs = tabsOf(row, log);
  return (tabs.find(({ id }) => id === wanted) ?? tabs.find(({ id }) => id === 'http' && row.http) ?? tabs[0]!).id;
}
