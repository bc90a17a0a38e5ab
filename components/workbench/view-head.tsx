import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import type { Panel } from '@/components/panels/panel';
import { PANELS, panelOf } from '@/components/panels/registry';
import { IconButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { moveFocus } from '@/components/ui/page-focus';
import { Tabs } from '@/components/ui/tabs';
import { FEATURE_PAGES } from '@/features/page-features';
import { navigate } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import { useShownLog } from '@/lib/hooks/moment';
import type { LogState } from '@/lib/store/state/state';

interface ViewHeadProps<Id extends string> {
  /** The view's name. With tabs, it names their list. */
  readonly title: string;
  /** Views that belong together. */
  readonly tabs?: readonly { readonly id: Id; readonly title: string }[];
  readonly selected?: Id;
  readonly onSelect?: (id: Id) => void;
  /** Buttons at the right. */
  readonly children?: ReactNode;
}

/** The head of a view that is not Browse: its name or its tabs, and what it can do. */
export function ViewHead<Id extends string>({ title, tabs, selected, onSelect, children }: ViewHeadProps<Id>) {
  const select = (id: Id) => {
    flushSync(() => onSelect?.(id));
    // Another view may bring tabs of its own.
    moveFocus(document.getElementById(`panel-tab-${id}`));
  };
  return (
    <div className="flex h-8 shrink-0 items-center justify-between gap-2 border-b border-line bg-surface pr-1 pl-3">
      {tabs ? (
        <Tabs id="panel" label={title} selected={selected} onSelect={select} items={tabs} />
      ) : (
        <h2 className="font-medium">{title}</h2>
      )}
      {children}
    </div>
  );
}

/** The head of a panel that the rail has no entry for: its name, or the tabs of the server's view, and a way back. */
export function PanelHead({
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
  const isServer = panel.place === 'server';
  return (
    <ViewHead
      title={isServer ? 'About the server' : panel.title}
      {...(isServer && { tabs: PANELS.filter(({ id }) => shown.split(' ').includes(id)) })}
      selected={panel.id}
      onSelect={onOpen}
    >
      <IconButton label="Back to Browse" onClick={onClose}>
        <Icon name="close" />
      </IconButton>
    </ViewHead>
  );
}

/** The tabs of a panel and of the pages of features beside it. Stands above each. Without such pages there are none. */
export function PageTabs({ panel, selected }: { readonly panel: string; readonly selected: string }) {
  const pages = FEATURE_PAGES.filter(({ tabOf }) => tabOf === panel);
  if (pages.length === 0) return null;
  const tabs = [panelOf(panel), ...pages];
  return (
    <ViewHead
      title={tabs.map(({ title }, at) => (at === 0 ? title : title.toLowerCase())).join(' and ')}
      tabs={tabs}
      selected={selected}
      onSelect={(id) => navigate(id === panel ? { panel, item: undefined } : { page: id })}
    />
  );
}
