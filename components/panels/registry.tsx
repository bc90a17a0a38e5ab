import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { BROWSE_VIEWS, FEATURE_PANELS } from '@/features/page-features';
import { SERVER_LOGS, SPANS } from '@/lib/filter/saved-filters';
import { useLogState } from '@/lib/hooks/log';
import { useProblems } from '@/lib/hooks/problems';
import type { Log } from '@/lib/store/log';
import type { ListEntry, Listing, LogState } from '@/lib/store/state/state';
import { formatCount } from '@/lib/wire/format';
import type { Panel } from './panel';
import { hasTasks } from './tasks/task-terms';

/** The number of waiting questions. */
function InboxBadge({ log }: { readonly log: Log }) {
  const count = useLogState(log, (state) => state.inbox.waiting.length);
  if (count === 0) return null;
  // At a past moment the questions can't be answered.
  return <span className={log === log.whole ? 'font-medium text-accent' : undefined}>{count}</span>;
}

/** The number of problems, without hints. */
function ProblemsBadge({ log }: { readonly log: Log }) {
  const list = useProblems(log);
  const { count } = list;
  if (count === 0) return null;
  const hasErrors = list.all.some(({ severity }) => severity === 'error');
  return <span className={hasErrors ? 'text-error' : 'text-warn'}>{formatCount(count)}</span>;
}

const BrowsePanel = lazyWhenIdle(() => import('./browse/browse-panel').then((file) => file.BrowsePanel));
const TasksPanel = lazyWhenIdle(() => import('./tasks/tasks-panel').then((file) => file.TasksPanel));
const InboxPanel = lazyWhenIdle(() => import('./inbox/inbox-panel').then((file) => file.InboxPanel));
const ServerPanel = lazyWhenIdle(() => import('./server/server-panel').then((file) => file.ServerPanel));
const ClientSettingsPanel = lazyWhenIdle(() =>
  import('./server/client-settings-panel').then((file) => file.ClientSettingsPanel),
);
const AuthorizationPanel = lazyWhenIdle(() =>
  import('./authorization/authorization-panel').then((file) => file.AuthorizationPanel),
);
const ProblemsPanel = lazyWhenIdle(() => import('./problems/problems-panel').then((file) => file.ProblemsPanel));
const LogsBeside = lazyWhenIdle(() => import('./logs/logs-beside').then((file) => file.LogsBeside));
const RawPanel = lazyWhenIdle(() => import('./raw/raw-panel').then((file) => file.RawPanel));

/** True unless the server has no such entries. */
function mayList(...lists: readonly Listing<ListEntry>[]): boolean {
  return lists.some(({ items, status, supported }) => items.length > 0 || (supported !== false && status !== 'listed'));
}

/** True once a server has asked for authorization. */
const hasAuthorization = ({ connection }: LogState) => connection.authorization !== undefined;

/** Every panel. */
export const PANELS: readonly Panel[] = [
  {
    id: 'tools',
    place: 'browse',
    title: 'Tools',
    icon: 'tools',
    key: 't',
    keepsItem: true,
    fits: ({ tools }) => mayList(tools),
    Component: BrowsePanel,
  },
  {
    id: 'resources',
    place: 'browse',
    title: 'Resources',
    icon: 'resources',
    key: 'r',
    keepsItem: true,
    fits: ({ resources, templates }) => mayList(resources, templates),
    Component: BrowsePanel,
  },
  {
    id: 'prompts',
    place: 'browse',
    title: 'Prompts',
    icon: 'prompts',
    key: 'p',
    keepsItem: true,
    fits: ({ prompts }) => mayList(prompts),
    Component: BrowsePanel,
  },
  ...BROWSE_VIEWS.map((view): Panel => ({ ...view, place: 'browse', Component: BrowsePanel })),
  ...FEATURE_PANELS.filter(({ place }) => place === 'own' || place === 'runs'),
  {
    id: 'tasks',
    place: 'aside',
    title: 'Tasks',
    icon: 'tasks',
    key: 'k',
    fits: hasTasks,
    Component: TasksPanel,
  },
  { id: 'inbox', place: 'inbox', title: 'Inbox', icon: 'inbox', key: 'i', Badge: InboxBadge, Component: InboxPanel },
  { id: 'server', place: 'server', title: 'Server', icon: 'server', key: 's', Component: ServerPanel },
  {
    id: 'client-settings',
    place: 'server',
    title: 'Client settings',
    icon: 'settings',
    Component: ClientSettingsPanel,
  },
  {
    id: 'authorization',
    place: 'server',
    title: 'Authorization',
    icon: 'key',
    key: 'u',
    fits: hasAuthorization,
    Component: AuthorizationPanel,
  },
  ...FEATURE_PANELS.filter(({ place }) => place !== 'own' && place !== 'runs'),
  {
    id: 'problems',
    place: 'problems',
    title: 'Problems',
    icon: 'problems',
    key: 'b',
    Badge: ProblemsBadge,
    Component: ProblemsPanel,
  },
  {
    id: 'logs-beside',
    place: 'aside',
    title: 'Server logs beside all messages',
    icon: 'logs',
    Component: LogsBeside,
  },
  { id: 'raw', place: 'aside', title: 'New message', icon: 'raw', key: 'w', Component: RawPanel },
];

/** The panels beside which two runs are compared. */
export const RUNS_PANELS = PANELS.filter(({ place }) => place === 'runs');

/** Views of the log that were panels, with their names in addresses and their keys. */
export const LOG_VIEWS = [
  { id: 'logs', title: 'Server logs', icon: 'logs', key: 'm', filter: SERVER_LOGS },
  { id: 'telemetry', title: 'Spans', icon: 'timeline', key: 'v', filter: SPANS },
] as const;

/** Returns the panel with this name, or the first one. */
export function panelOf(id: string | undefined): Panel {
  return PANELS.find((panel) => panel.id === id) ?? PANELS[0]!;
}
