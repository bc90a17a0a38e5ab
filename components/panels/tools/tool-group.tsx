import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import type { ToolChanges } from '@/features/page-feature';
import { RESULT_VIEWS } from '@/features/result-views';
import { USE_TOOL_CHANGES } from '@/features/tool-changes';
import type { JsonObject } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import type { BrowseGroup } from '../shared/browse-group';
import { useNamedGroup } from '../shared/named-group';
import { toolTitle } from './tool-title';

const ToolDetail = lazyWhenIdle(() => import('./tool-detail').then((file) => file.ToolDetail));

const viewOf = (tool: JsonObject) => RESULT_VIEWS.find(({ marks }) => marks(tool));

/** Nothing is changed. */
const AS_LISTED: ToolChanges = {
  note: undefined,
  markOf: () => undefined,
  serverName: (name) => name,
  keyOf: (item) => item,
  itemOf: () => undefined,
  dialogs: undefined,
};
const useToolChanges = USE_TOOL_CHANGES ?? (() => AS_LISTED);

/** Returns the server's tools, as its client sees them. */
export function useToolGroup(log: Log, item: string | undefined): BrowseGroup {
  const { note, markOf, keyOf, serverName, itemOf, dialogs } = useToolChanges(log);
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
