import { type ComponentType, Suspense } from 'react';
import type { IconName } from '@/components/ui/icon';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { useLogState } from '@/lib/hooks/log';
import { useProblems } from '@/lib/hooks/problems';
import { isObject } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import type { LogState } from '@/lib/store/state/state';
import { formatCount } from '@/lib/wire/format';

/** One tab of the workbench. A panel reads the log, and holds no protocol state of its own. */
export interface Panel {
  /** The panel's name in the page's address. */
  readonly id: string;
  readonly title: string;
  /** Replaces the title in a narrow window. */
  readonly icon: IconName;
  /** The key that opens the panel after `g`. */
  readonly key: string;
  /** It wants more room than the log. */
  readonly isTall?: true;
  /** Coming back to the panel shows the item that it showed last. */
  readonly keepsItem?: true;
  /** It has a tab only for these logs. Its key and the palette open it for all. */
  readonly fits?: (state: LogState) => boolean;
  /** A count beside the title; undefined for none. */
  readonly badge?: (state: LogState) => number | undefined;
  /** Draws a count that needs more than the log's state. */
  readonly Badge?: ComponentType<{ readonly log: Log }>;
  readonly Component: ComponentType<{ readonly log: Log }>;
}

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

function PinsBadge({ log }: { readonly log: Log }) {
  return (
    <Suspense>
      <FailingPins log={log} />
    </Suspense>
  );
}

function HeldBadge({ log }: { readonly log: Log }) {
  return (
    <Suspense>
      <InterceptBadge log={log} />
    </Suspense>
  );
}

const count = (list: (state: LogState) => readonly unknown[]) => (state: LogState) => list(state).length || undefined;

const ToolsPanel = lazyWhenIdle(() => import('./tools/tools-panel').then((file) => file.ToolsPanel));
const ResourcesPanel = lazyWhenIdle(() => import('./resources/resources-panel').then((file) => file.ResourcesPanel));
const PromptsPanel = lazyWhenIdle(() => import('./prompts/prompts-panel').then((file) => file.PromptsPanel));
const SkillsPanel = lazyWhenIdle(() => import('./skills/skills-panel').then((file) => file.SkillsPanel));
const AppsPanel = lazyWhenIdle(() => import('./apps/apps-panel').then((file) => file.AppsPanel));
const ChatPanel = lazyWhenIdle(() => import('./chat/chat-panel').then((file) => file.ChatPanel));
const PinsPanel = lazyWhenIdle(() => import('./pins/pins-panel').then((file) => file.PinsPanel));
const FailingPins = lazyWhenIdle(() => import('./pins/pins-badge').then((file) => file.PinsBadge));
const TasksPanel = lazyWhenIdle(() => import('./tasks/tasks-panel').then((file) => file.TasksPanel));
const InboxPanel = lazyWhenIdle(() => import('./inbox/inbox-panel').then((file) => file.InboxPanel));
const InterceptPanel = lazyWhenIdle(() => import('./intercept/intercept-panel').then((file) => file.InterceptPanel));
const InterceptBadge = lazyWhenIdle(() => import('./intercept/intercept-badge').then((file) => file.InterceptBadge));
const ServerPanel = lazyWhenIdle(() => import('./server/server-panel').then((file) => file.ServerPanel));
const AuthorizationPanel = lazyWhenIdle(() =>
  import('./authorization/authorization-panel').then((file) => file.AuthorizationPanel),
);
const HostPanel = lazyWhenIdle(() => import('./host/host-panel').then((file) => file.HostPanel));
const ProblemsPanel = lazyWhenIdle(() => import('./problems/problems-panel').then((file) => file.ProblemsPanel));
const LogsPanel = lazyWhenIdle(() => import('./logs/logs-panel').then((file) => file.LogsPanel));
const TelemetryPanel = lazyWhenIdle(() => import('./telemetry/telemetry-panel').then((file) => file.TelemetryPanel));
const RawPanel = lazyWhenIdle(() => import('./raw/raw-panel').then((file) => file.RawPanel));

/** True for a session between another client and the server. */
const isTapped = ({ connection: { start } }: LogState) => start !== undefined && 'tap' in start;

const WITH_APPS = new WeakMap<object, boolean>();

/** True if a tool has an app. Looks through each list once. */
function hasApps({ tools: { items } }: LogState): boolean {
  const known =
    WITH_APPS.get(items) ??
    items.some(({ raw: { _meta } }) => isObject(_meta) && ('ui' in _meta || 'ui/resourceUri' in _meta));
  WITH_APPS.set(items, known);
  return known;
}

/** True once a server has asked for authorization. */
const hasAuthorization = ({ connection }: LogState) => connection.authorization !== undefined;

/** True if the server declares the extension for skills. */
function hasSkills({ server: { capabilities } }: LogState): boolean {
  const extensions = capabilities?.extensions;
  return isObject(extensions) && 'io.modelcontextprotocol/skills' in extensions;
}

/** Every panel, in the order of their tabs. */
export const PANELS: readonly Panel[] = [
  {
    id: 'tools',
    title: 'Tools',
    icon: 'tools',
    key: 't',
    keepsItem: true,
    badge: count((state) => state.tools.items),
    Component: ToolsPanel,
  },
  {
    id: 'resources',
    title: 'Resources',
    icon: 'resources',
    key: 'r',
    keepsItem: true,
    badge: (state) => state.resources.items.length + state.templates.items.length || undefined,
    Component: ResourcesPanel,
  },
  {
    id: 'prompts',
    title: 'Prompts',
    icon: 'prompts',
    key: 'p',
    keepsItem: true,
    badge: count((state) => state.prompts.items),
    Component: PromptsPanel,
  },
  {
    id: 'skills',
    title: 'Skills',
    icon: 'bookmark',
    key: 'f',
    isTall: true,
    keepsItem: true,
    fits: hasSkills,
    Component: SkillsPanel,
  },
  {
    id: 'apps',
    title: 'Apps',
    icon: 'apps',
    key: 'a',
    isTall: true,
    keepsItem: true,
    fits: hasApps,
    Component: AppsPanel,
  },
  { id: 'chat', title: 'Chat', icon: 'chat', key: 'c', isTall: true, keepsItem: true, Component: ChatPanel },
  {
    id: 'pins',
    title: 'Pins',
    icon: 'pin',
    key: 'n',
    keepsItem: true,
    Badge: PinsBadge,
    Component: PinsPanel,
  },
  {
    id: 'tasks',
    title: 'Tasks',
    icon: 'tasks',
    key: 'k',
    badge: (state) => state.tasks.running || undefined,
    Component: TasksPanel,
  },
  { id: 'inbox', title: 'Inbox', icon: 'inbox', key: 'i', Badge: InboxBadge, Component: InboxPanel },
  { id: 'intercept', title: 'Intercept', icon: 'hold', key: 'h', Badge: HeldBadge, Component: InterceptPanel },
  { id: 'server', title: 'Server', icon: 'server', key: 's', Component: ServerPanel },
  {
    id: 'authorization',
    title: 'Authorization',
    icon: 'key',
    key: 'u',
    isTall: true,
    fits: hasAuthorization,
    Component: AuthorizationPanel,
  },
  { id: 'host', title: 'Host', icon: 'eye', key: 'o', isTall: true, fits: isTapped, Component: HostPanel },
  { id: 'problems', title: 'Problems', icon: 'problems', key: 'b', Badge: ProblemsBadge, Component: ProblemsPanel },
  {
    id: 'logs',
    title: 'Logs',
    icon: 'logs',
    key: 'm',
    badge: (state) => state.logMessages || undefined,
    Component: LogsPanel,
  },
  {
    id: 'telemetry',
    title: 'Telemetry',
    icon: 'spans',
    key: 'v',
    isTall: true,
    keepsItem: true,
    fits: ({ telemetry }) => telemetry > 0,
    Component: TelemetryPanel,
  },
  { id: 'raw', title: 'Raw', icon: 'raw', key: 'w', Component: RawPanel },
];
