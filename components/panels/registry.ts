import type { LogState } from '@/lib/store/state';
import type { Panel } from './panel';
import { ProblemsBadge } from './problems/problems-badge';
import { ProblemsPanel } from './problems/problems-panel';
import { PromptsPanel } from './prompts/prompts-panel';
import { RawPanel } from './raw/raw-panel';
import { ResourcesPanel } from './resources/resources-panel';
import { ServerPanel } from './server/server-panel';
import { ToolsPanel } from './tools/tools-panel';

const count = (list: (state: LogState) => readonly unknown[]) => (state: LogState) => list(state).length || undefined;

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
  { id: 'server', title: 'Server', icon: 'server', key: 's', Component: ServerPanel },
  { id: 'problems', title: 'Problems', icon: 'problems', key: 'b', Badge: ProblemsBadge, Component: ProblemsPanel },
  { id: 'raw', title: 'Raw', icon: 'raw', key: 'w', Component: RawPanel },
];
