import { later } from '@/components/ui/later';
import type { LogState } from '@/lib/store/state';
import { InboxBadge } from './inbox/inbox-badge';
import type { Panel } from './panel';
import { ProblemsBadge } from './problems/problems-badge';

const count = (list: (state: LogState) => readonly unknown[]) => (state: LogState) => list(state).length || undefined;

const ToolsPanel = later(() => import('./tools/tools-panel').then((file) => file.ToolsPanel));
const ResourcesPanel = later(() => import('./resources/resources-panel').then((file) => file.ResourcesPanel));
const PromptsPanel = later(() => import('./prompts/prompts-panel').then((file) => file.PromptsPanel));
const InboxPanel = later(() => import('./inbox/inbox-panel').then((file) => file.InboxPanel));
const ServerPanel = later(() => import('./server/server-panel').then((file) => file.ServerPanel));
const ProblemsPanel = later(() => import('./problems/problems-panel').then((file) => file.ProblemsPanel));
const RawPanel = later(() => import('./raw/raw-panel').then((file) => file.RawPanel));

/** Every panel, in the order of their tabs. */
export const PANELS: readonly Panel[] = [
  {
    id: 'tools',
    title: 'Tools',
    icon: 'tools',
    key: 't',
    badge: count((state) => state.tools.items),
    Component: ToolsPanel,
  },
  {
    id: 'resources',
    title: 'Resources',
    icon: 'resources',
    key: 'r',
    badge: (state) => state.resources.items.length + state.templates.items.length || undefined,
    Component: ResourcesPanel,
  },
  {
    id: 'prompts',
    title: 'Prompts',
    icon: 'prompts',
    key: 'p',
    badge: count((state) => state.prompts.items),
    Component: PromptsPanel,
  },
  { id: 'inbox', title: 'Inbox', icon: 'inbox', key: 'i', Badge: InboxBadge, Component: InboxPanel },
  { id: 'server', title: 'Server', icon: 'server', key: 's', Component: ServerPanel },
  { id: 'problems', title: 'Problems', icon: 'problems', key: 'b', Badge: ProblemsBadge, Component: ProblemsPanel },
  { id: 'raw', title: 'Raw', icon: 'raw', key: 'w', Component: RawPanel },
];
