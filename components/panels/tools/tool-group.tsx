import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { RESULT_VIEWS } from '@/features/result-views';
import type { JsonObject } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import type { BrowseGroup } from '../shared/browse-group';
import { useNamedGroup } from '../shared/named-group';
import { useHostView } from './overlay/host-view';
import { toolTitle } from './tool-title';

const ToolDetail = lazyWhenIdle(() => import('./tool-detail').then((file) => file.ToolDetail));

const viewOf = (tool: JsonObject) => RESULT_VIEWS.find(({ marks }) => marks(tool));

/** Returns the server's tools, as its client sees them. */
export function useToolGroup(log: Log, item: string | undefined): BrowseGroup {
  const { note, markOf, keyOf, serverName, itemOf, dialogs } = useHostView(log);
  return useNamedGroup({
    log,
    item,
    what: 'tools',
    title: 'Tools',
    one: 'tool',
    titleOf: toolTitle,
    markOf,
    viewOf,
    keyOf,
    above: note,
    draw: (tool) => (
      <>
        <ToolDetail key={tool.key} log={log} tool={tool} calledAs={serverName(tool.name)} forHost={itemOf(tool.name)} />
        {dialogs}
      </>
    ),
  });
}
