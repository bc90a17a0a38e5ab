import { Icon } from '@/components/ui/icon';
import { Menu } from '@/components/ui/menu';
import type { MenuItem } from '@/components/ui/menu-list';
import { SERVER_LOGS, SPANS, STDERR } from '@/lib/filter/saved-filters';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import type { LogState } from '@/lib/store/state/state';
import { formatCount } from '@/lib/wire/format';

/** A filter with a name. */
interface SavedView {
  readonly title: string;
  readonly filter: string;
  /** A count beside the title; 0 for none. */
  readonly count?: (state: LogState) => number;
}

/** The views of every log, the whole one first. */
const SAVED_VIEWS: readonly SavedView[] = [
  { title: 'All', filter: '' },
  { title: 'Calls', filter: '(method:tools/call or method:resources/read or method:prompts/get)' },
  {
    title: 'Server logs',
    filter: SERVER_LOGS,
    count: ({ logMessages }) => logMessages,
  },
  { title: 'Spans', filter: SPANS, count: ({ telemetry }) => telemetry },
  { title: 'Problems', filter: 'has:problem' },
  { title: 'stderr', filter: STDERR, count: ({ stderr }) => stderr.count },
];

/** Returns the view that a filter shows, or a part of. */
export function savedView(filter: string): SavedView | undefined {
  const text = filter.trim();
  return SAVED_VIEWS.find(({ filter: own }) => text === own || (own !== '' && text.startsWith(`${own} `)));
}

/** Says how many lines are on stderr; nothing for none. */
export function StderrCount({ log }: { readonly log: Log }) {
  const count = useLogState(log, ({ stderr }) => stderr.count);
  return count > 0 && <span className="tabular text-muted medium:hidden">{formatCount(count)} on stderr</span>;
}

/** Chooses what the log shows: all of it, or a saved view. `more`: further entries of the menu. */
export function SavedViews({
  log,
  filter,
  onFilter,
  more,
}: {
  readonly log: Log;
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
  readonly more: readonly MenuItem[];
}) {
  // A text, so that it stays the same for the same counts.
  const counts = useLogState(log, (state) => SAVED_VIEWS.map(({ count }) => count?.(state) ?? 0).join(' ')).split(' ');
  const shown = savedView(filter);
  return (
    <Menu
      label={`View of the log: ${shown?.title ?? 'your filter'}`}
      items={() => [
        ...SAVED_VIEWS.map(({ title, filter }, at) => ({
          label: counts[at] === '0' ? title : `${title} (${formatCount(Number(counts[at]))})`,
          run: () => onFilter(filter),
        })),
        ...more.map((item, at) => ({ ...item, separatorBefore: at === 0 })),
      ]}
      className="inline-flex h-6 shrink-0 items-center gap-1 rounded px-1.5 hover:bg-text/8 aria-expanded:bg-text/10"
    >
      {shown?.title ?? 'Filtered'} <Icon name="down" />
    </Menu>
  );
}
