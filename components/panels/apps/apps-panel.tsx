import { useMemo } from 'react';
import { EmptyState } from '@/components/ui/notices';
import { type ListedApp, toolApp } from '@/lib/apps/app-meta';
import { useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import type { LogState } from '@/lib/store/state/state';
import { Catalogue } from '../shared/catalogue';
import { AppDetail } from './app-detail';

/** Returns the tools that name an app. */
function listedApps({ tools }: LogState): readonly ListedApp[] {
  return tools.items.flatMap(({ name, raw }) => {
    const { uri, visibility } = toolApp(raw) ?? {};
    return uri === undefined ? [] : [{ tool: name, app: { uri, visibility: visibility! } }];
  });
}

/** The server's apps: pages that show the results of tools. */
export function AppsPanel({ log }: { readonly log: Log }) {
  const tools = useLogState(log, (state) => state.tools);
  const apps = useMemo(() => listedApps({ tools } as LogState), [tools]);
  const { item } = useLocation();
  const items = useMemo(
    () => apps.map(({ tool, app }) => ({ key: tool, name: tool, detail: app.uri, searchText: app.uri })),
    [apps],
  );
  const selected = apps.find(({ tool }) => tool === item) ?? (item === undefined ? apps[0] : undefined);
  if (apps.length === 0) {
    return (
      <EmptyState title="This server has no apps">
        A tool has one if its _meta.ui names a ui:// resource (MCP Apps)
      </EmptyState>
    );
  }
  return (
    <Catalogue log={log} what="apps" items={items} selected={selected?.tool}>
      {selected ? (
        <AppDetail key={selected.tool} log={log} listed={selected} />
      ) : (
        <EmptyState title="This server doesn’t list that app">Choose one from the list</EmptyState>
      )}
    </Catalogue>
  );
}
