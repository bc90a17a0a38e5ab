import { connectionLabels } from '@/components/exchange/connection-labels';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { useInterceptions } from '@/lib/hooks/interceptions';
import { navigate } from '@/lib/hooks/location';
import { useLog } from '@/lib/hooks/log';
import { useHoldingEverything, useIntercepting, usePageRules } from '@/lib/hooks/page-rules';
import type { ConnectionSummary } from '@/lib/wire/command';
import { countOf } from '@/lib/wire/format';

/** The panel that shows held messages. */
const PANEL = 'intercept';

/** Says that messages are held, where the panel that shows them is not in view. */
export function HoldBanner({
  connections,
  selected,
  panel,
}: {
  readonly connections: readonly ConnectionSummary[];
  readonly selected: ConnectionSummary | undefined;
  /** The panel in view; undefined while a page takes its place. */
  readonly panel: string | undefined;
}) {
  const holding = useHoldingEverything();
  const shown = connections.filter(({ id }) => (id === selected?.id ? panel !== PANEL : holding.includes(id)));
  return shown.map(({ id }) => (
    <HoldLine key={id} connection={id} label={connectionLabels(connections).get(id) ?? id} />
  ));
}

function HoldLine({ connection, label }: { readonly connection: string; readonly label: string }) {
  const log = useLog(connection);
  const { past, closed } = useIntercepting(log);
  const { waiting } = useInterceptions(log);
  const { everything, holdEverything } = usePageRules(log);
  const held = waiting.filter(({ ms }) => ms === undefined).length;
  if (past || closed !== undefined || (held === 0 && !everything)) return null;
  return (
    <section
      aria-label="Held messages"
      className="flex min-h-8 shrink-0 items-center gap-x-2 border-b border-line bg-warn/8 px-3 py-1"
    >
      <Icon name="hand" />
      <p role="status" className="min-w-0 truncate">
        <bdi className="font-medium">{label}</bdi>
        {everything && ': everything is held'}
        {(held > 0 || !everything) && `${everything ? ', ' : ': '}${countOf(held, 'message')} waiting for you`}
      </p>
      <Button size="small" onClick={() => navigate({ connection, panel: PANEL, item: undefined })}>
        Show
      </Button>
      {everything && (
        <Button size="small" onClick={() => holdEverything(false)}>
          Stop holding
        </Button>
      )}
    </section>
  );
}
