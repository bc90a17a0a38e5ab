import { useState } from 'react';
import { Icon, type IconName } from '@/components/ui/icon';
import { useLocation } from '@/lib/hooks/location';
import { usePanel } from './panel-tabs';
import type { WorkbenchState } from './use-workbench';

/** A part of the workbench. A narrow window shows one at a time. */
export type Pane = 'servers' | 'panel' | 'log';

/**
 * Returns the pane to show in a narrow window, and a function to change it. It follows links to a panel or a frame.
 * `hasLog`: there is a log to show.
 */
export function usePane(hasLog: boolean): readonly [Pane, (pane: Pane) => void] {
  const { connection, page, panel, item, compare, frame } = useLocation();
  const place = JSON.stringify([page, panel, item, compare]);
  const [seen, setSeen] = useState({ connection, place, frame });
  const [pane, setPane] = useState<Pane>(frame === undefined ? 'panel' : 'log');
  if (seen.place !== place || seen.frame !== frame || seen.connection !== connection) {
    setSeen({ connection, place, frame });
    if (seen.place !== place) setPane('panel');
    else if (seen.frame !== frame && frame !== undefined) setPane('log');
    // A new connection was made in the list of servers.
    else if (seen.connection !== connection && pane === 'servers') setPane('panel');
  }
  return [pane === 'log' && !hasLog ? 'panel' : pane, setPane];
}

/** Switches between the panes in a narrow window. */
export function PaneSwitcher({
  workbench: { selected, compared, recordingsShown, evalsShown },
  pane,
  hasLog,
  onPane,
}: {
  readonly workbench: WorkbenchState;
  readonly pane: Pane;
  readonly hasLog: boolean;
  readonly onPane: (pane: Pane) => void;
}) {
  const panel = usePanel();
  const title = recordingsShown
    ? 'Recordings'
    : evalsShown
      ? 'Evals'
      : compared
        ? 'Comparison'
        : selected
          ? panel.title
          : 'Start';
  const icon: IconName = recordingsShown ? 'recordings' : evalsShown ? 'evals' : selected ? panel.icon : 'plus';
  const panes: readonly (readonly [Pane, string, IconName])[] = [
    ['servers', 'Servers', 'server'],
    ['panel', title, icon],
    ...(hasLog ? ([['log', 'Log', 'log']] as const) : []),
  ];
  return (
    <nav aria-label="Panes" className="hidden shrink-0 border-t border-line bg-surface narrow:flex">
      {panes.map(([id, label, name]) => (
        <button
          key={id}
          type="button"
          aria-current={id === pane}
          onClick={() => onPane(id)}
          className="flex h-12 min-w-0 flex-1 flex-col items-center justify-center text-small text-muted aria-[current=true]:font-medium aria-[current=true]:text-accent"
        >
          <Icon name={name} />
          <span className="max-w-full truncate px-1">{label}</span>
        </button>
      ))}
    </nav>
  );
}
