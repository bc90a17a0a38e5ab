import type { Panel } from '@/components/panels/panel';
import { PANELS, panelOf } from '@/components/panels/registry';
import { IconButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Tabs } from '@/components/ui/tabs';
import { FEATURE_PAGES } from '@/features/page-features';
import { navigate } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import { useShownLog } from '@/lib/hooks/moment';
import type { LogState } from '@/lib/store/state/state';

/** The head of a view that the rail has no entry for: its name, or the tabs of the server's view, and a way back. */
export function ViewHead({
  connection,
  panel,
  onOpen,
  onClose,
}: {
  readonly connection: string;
  readonly panel: Panel;
  readonly onOpen: (panel: string) => void;
  /** Goes back to Browse. */
  readonly onClose: () => void;
}) {
  const isShown = ({ id, fits }: Panel, state: LogState) => fits === undefined || id === panel.id || fits(state);
  // A text, so that it stays the same for the same tabs.
  const shown = useLogState(useShownLog(connection), (state) =>
    PANELS.filter((one) => one.place === panel.place && isShown(one, state))
      .map(({ id }) => id)
      .join(' '),
  );
  return (
    <div className="flex h-8 shrink-0 items-center justify-between border-b border-line bg-surface pr-1 pl-3">
      {panel.place === 'server' ? (
        <Tabs
          id="panel"
          label="About the server"
          selected={panel.id}
          onSelect={onOpen}
          items={PANELS.filter(({ id }) => shown.split(' ').includes(id)).map(({ id, title }) => ({ id, title }))}
        />
      ) : (
        <h2 className="font-medium">{panel.title}</h2>
      )}
      <IconButton label="Back to Browse" onClick={onClose}>
        <Icon name="close" />
      </IconButton>
    </div>
  );
}

/** The tabs of a panel and of the pages of features beside it. Stands above each. Without such pages there are none. */
export function PageTabs({ panel, selected }: { readonly panel: string; readonly selected: string }) {
  const pages = FEATURE_PAGES.filter(({ tabOf }) => tabOf === panel);
  if (pages.length === 0) return null;
  const items = [panelOf(panel), ...pages].map(({ id, title }) => ({ id, title }));
  return (
    <div className="flex h-8 shrink-0 items-center border-b border-line bg-surface px-3">
      <Tabs
        id="panel"
        label={items.map(({ title }) => title).join(' and ')}
        selected={selected}
        onSelect={(id) => navigate(id === panel ? { panel, item: undefined } : { page: id })}
        items={items}
      />
    </div>
  );
}
