import { useEffect } from 'react';
import type { PanelPlace } from '@/components/panels/panel';
import { LOG_VIEWS, PANELS, panelOf } from '@/components/panels/registry';
import { type PageLocation, useLocation } from '@/lib/hooks/location';

/** The item that each panel of each connection showed last, in this tab. */
const shownItems = new Map<string, string>();
/** The frame and the filter that each connection showed last. */
const shownLogs = new Map<string, Partial<Pick<PageLocation, 'frame' | 'filter'>>>();
/** The panel that each place of each connection showed last. */
const shownPanels = new Map<string, string>();

interface Opening {
  /** Opens a panel with the item that it showed last. Opening the panel that is shown leaves its item. */
  readonly openPanel: (panel: string) => void;
  /** Opens a place with the panel that it showed last. */
  readonly openPlace: (place: PanelPlace) => void;
}

/** Returns functions that open what the upper half shows of a connection. */
export function useOpenPanel(connection: string | undefined): Opening {
  const { panel: named, item, frame, filter, navigate } = useLocation();
  const shown = panelOf(named);
  const keyOf = (of: string) => `${connection} ${of}`;
  const key = keyOf(shown.id);
  const placeKey = keyOf(shown.place);
  const keeps = shown.keepsItem === true;
  useEffect(() => {
    if (keeps && item !== undefined) shownItems.set(key, item);
    if (named !== undefined) shownPanels.set(placeKey, named);
  }, [key, placeKey, keeps, item, named]);
  useEffect(() => {
    if (connection !== undefined) shownLogs.set(connection, { frame, filter });
  }, [connection, frame, filter]);
  const openPanel = (panel: string) => {
    const view = LOG_VIEWS.find(({ id }) => id === panel);
    if (view) navigate({ filter: view.filter });
    else navigate({ panel, item: panel === shown.id ? undefined : shownItems.get(keyOf(panel)) });
  };
  return {
    openPanel,
    openPlace: (place) => {
      const panel = shownPanels.get(keyOf(place));
      if (panel !== undefined) openPanel(panel);
      // Browse without a panel shows the first list that has entries.
      else if (place === 'browse') navigate({ panel: undefined, item: undefined });
      else openPanel(PANELS.find((one) => one.place === place)!.id);
    },
  };
}

/** Returns what another connection shows: what it showed last in this panel. A new one does not show its pins. */
export function placeIn(connection: string, panel: string | undefined): Partial<PageLocation> {
  const log = shownLogs.get(connection);
  return {
    frame: undefined,
    ...log,
    item: shownItems.get(`${connection} ${panelOf(panel).id}`),
    ...(log === undefined && panel === 'pins' && { panel: undefined }),
  };
}

/** Leads the address of a panel that is now a view of the log to that view, with its message or its call. */
export function useMovedPanels(): void {
  const { panel, item, navigate } = useLocation();
  const view = LOG_VIEWS.find(({ id }) => id === panel);
  useEffect(() => {
    if (!view) return;
    const filter = item?.startsWith('call:') ? `${view.filter} ${item}` : view.filter;
    const frame = item !== undefined && /^[1-9]\d{0,14}$/.test(item) ? { frame: Number(item) } : {};
    navigate({ panel: undefined, item: undefined, filter, ...frame }, { replace: true });
  }, [view, item, navigate]);
}
