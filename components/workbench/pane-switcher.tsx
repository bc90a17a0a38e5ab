import { useState } from 'react';
import type { PanelPlace } from '@/components/panels/panel';
import { PANELS, panelOf } from '@/components/panels/registry';
import { Icon, type IconName } from '@/components/ui/icon';
import { Menu } from '@/components/ui/menu';
import { useLocation } from '@/lib/hooks/location';
import type { WorkbenchState } from './use-workbench';

/** A half of the workbench. A narrow window shows one at a time. */
export type Pane = 'view' | 'log';

/**
 * Returns the pane to show in a narrow window, and a function to change it. It follows links to a view or a frame.
 * `hasLog`: there is a log to show.
 */
export function usePane(hasLog: boolean): readonly [Pane, (pane: Pane) => void] {
  const { page, panel, item, compare, frame } = useLocation();
  const place = JSON.stringify([page, panel, item, compare]);
  const [seen, setSeen] = useState({ place, frame });
  const [pane, setPane] = useState<Pane>(frame === undefined ? 'view' : 'log');
  if (seen.place !== place || seen.frame !== frame) {
    setSeen({ place, frame });
    if (seen.place !== place) setPane('view');
    else if (frame !== undefined) setPane('log');
  }
  return [pane === 'log' && !hasLog ? 'view' : pane, setPane];
}

/** The places that the bar has no room for. */
const MORE: readonly PanelPlace[] = ['inbox', 'problems', 'runs', 'server'];

/** The bottom bar of a narrow window, which has no rail. */
export function PaneSwitcher({
  workbench: { selected, recordingsShown, shownPage, comparing, openPanel, openPlace, openRecordings, setDialog },
  pane,
  onPane,
}: {
  readonly workbench: WorkbenchState;
  readonly pane: Pane;
  readonly onPane: (pane: Pane) => void;
}) {
  const { panel } = useLocation();
  const isPage = recordingsShown || shownPage !== undefined;
  const shown = isPage || pane === 'log' || comparing ? undefined : panelOf(panel);
  const open = (to: PanelPlace) => {
    openPlace(to);
    onPane('view');
  };
  const openOwn = (id: string) => {
    openPanel(id);
    onPane('view');
  };
  const placeEntries = (to: PanelPlace) =>
    PANELS.filter(({ place }) => place === to)
      .slice(0, 1)
      .map(({ title }) => ({ label: title, run: () => open(to) }));
  const more = () => [
    ...(selected ? MORE.flatMap(placeEntries) : []),
    ...(openRecordings ? [{ label: 'Recordings', run: openRecordings }] : []),
    { label: 'Settings', run: () => setDialog('settings') },
  ];
  return (
    <nav aria-label="Panes" className="hidden shrink-0 border-t border-line bg-surface narrow:flex">
      {selected && (
        <>
          <BarButton title="Browse" icon="browse" isCurrent={shown?.place === 'browse'} onOpen={() => open('browse')} />
          <BarButton title="Log" icon="log" isCurrent={!isPage && pane === 'log'} onOpen={() => onPane('log')} />
          {PANELS.filter((own) => own.place === 'own').map(({ id, title, icon }) => (
            <BarButton key={id} title={title} icon={icon} isCurrent={shown?.id === id} onOpen={() => openOwn(id)} />
          ))}
        </>
      )}
      <Menu label="More views" items={more} className={BAR_BUTTON}>
        <Icon name="more" />
        <span>More</span>
      </Menu>
    </nav>
  );
}

const BAR_BUTTON =
  'flex h-12 min-w-0 flex-1 flex-col items-center justify-center text-small text-muted aria-[current=true]:font-medium aria-[current=true]:text-accent';

function BarButton({
  title,
  icon,
  isCurrent,
  onOpen,
}: {
  readonly title: string;
  readonly icon: IconName;
  readonly isCurrent: boolean;
  readonly onOpen: () => void;
}) {
  return (
    <button type="button" aria-current={isCurrent} onClick={onOpen} className={BAR_BUTTON}>
      <Icon name={icon} />
      <span className="max-w-full truncate px-1">{title}</span>
    </button>
  );
}
