import { PANELS } from '@/components/panels/registry';
import { Icon } from '@/components/ui/icon';
import { Tabs } from '@/components/ui/tabs';
import { useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import { useShownLog } from '@/lib/hooks/moment';
import type { LogState } from '@/lib/store/state/state';

/** Returns the panel named in the address, or the first one. */
export function usePanel(): (typeof PANELS)[number] {
  const { panel } = useLocation();
  return PANELS.find(({ id }) => id === panel) ?? PANELS[0]!;
}

/** The tabs of all panels, with their counts. */
export function PanelTabs({
  connection,
  replaced,
  onOpen,
}: {
  readonly connection: string;
  /** True while a comparison or a page is shown in place of the panel. */
  readonly replaced: boolean;
  /** Opens the panel that the user has chosen, which may be the one that is shown. */
  readonly onOpen: (panel: string) => void;
}) {
  const selected = usePanel();
  const isShown = ({ id, fits }: (typeof PANELS)[number], state: LogState) =>
    fits === undefined || id === selected.id || fits(state);
  // A text, so that it stays the same for the same tabs.
  const shown = useLogState(useShownLog(connection), (state) =>
    PANELS.filter((panel) => isShown(panel, state))
      .map(({ id }) => id)
      .join(' '),
  );
  return (
    <Tabs
      id="panel"
      label="Panels"
      orientation="vertical"
      shrinks
      className="min-h-0 shrink overflow-y-auto border-t border-line px-1 py-0.5"
      selected={replaced ? undefined : selected.id}
      onSelect={onOpen}
      items={PANELS.filter(({ id }) => shown.split(' ').includes(id)).map(({ id, title, icon, badge, Badge }) => ({
        id,
        title,
        icon: <Icon name={icon} />,
        badge: badge ? (
          <PanelBadge connection={connection} badge={badge} />
        ) : (
          Badge && <OwnBadge connection={connection} Badge={Badge} />
        ),
      }))}
    />
  );
}

function PanelBadge({
  connection,
  badge,
}: {
  readonly connection: string;
  readonly badge: (state: LogState) => number | undefined;
}) {
  return useLogState(useShownLog(connection), badge);
}

function OwnBadge({
  connection,
  Badge,
}: {
  readonly connection: string;
  readonly Badge: NonNullable<(typeof PANELS)[number]['Badge']>;
}) {
  return <Badge log={useShownLog(connection)} />;
}
