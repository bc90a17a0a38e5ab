import { connectionLabels } from '@/components/exchange/connection-labels';
import { heldTitle } from '@/components/exchange/held-words';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import type { BannerProps } from '@/features/page-feature';
import { useInterceptions } from '@/lib/hooks/interceptions';
import { navigate } from '@/lib/hooks/location';
import { useLog } from '@/lib/hooks/log';
import { countOf } from '@/lib/wire/format';
import { useHoldingEverything, useIntercepting, usePageRules } from './page-rules';

/** The panel that shows held messages. */
const PANEL = 'intercept';

/** Says that messages are held, where the panel that shows them is not in view. */
export function HoldBanner({ connections, selected, panel }: BannerProps) {
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
  const held = waiting.filter(({ ms }) => ms === undefined);
  const [first] = held;
  if (past || closed !== undefined || (!first && !everything)) return null;
  const words = [
    everything && 'everything is held',
    first && `${countOf(held.length, 'message')} waiting for you: ${heldTitle(first)}${held.length > 1 ? ', …' : ''}`,
  ];
  return (
    <section
      aria-label="Held messages"
      className="flex min-h-8 shrink-0 items-center gap-x-2 border-b border-line bg-warn/8 px-3 py-1"
    >
      <Icon name="hand" />
      <p role="status" className="min-w-0 truncate narrow:whitespace-normal">
        <bdi className="font-medium">{label}</bdi>: {words.filter(Boolean).join(', ')}
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
