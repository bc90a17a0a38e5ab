import { usePaletteCommands } from '@/components/ui/shortcuts';
import { useClosedReason, useReadOnly } from '@/lib/hooks/connections';
import { navigate } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import type { Era } from '@/lib/wire/lifecycle';

/** A request to the server as a whole, and the era that has it. */
interface ServerRequest {
  /** The item of the server’s view that sends it. */
  readonly item: 'ping' | 'discover' | 'complete' | 'listen';
  readonly title: string;
  readonly era?: Era;
}

/** In the order of the server’s view. */
export const SERVER_REQUESTS: readonly ServerRequest[] = [
  { item: 'ping', title: 'Ping the server', era: 'legacy' },
  { item: 'discover', title: 'Discover the server', era: 'modern' },
  { item: 'complete', title: 'Complete an argument' },
  { item: 'listen', title: 'Listen for changes', era: 'modern' },
];

/** Palette commands that open the server’s view at a request. The view sends it, or focuses its form. */
export function ServerCommands({ log }: { readonly log: Log }) {
  const era = useLogState(log, (state) => state.connection.era);
  const closed = useClosedReason(log);
  const readOnly = useReadOnly(log);
  const can = closed === undefined && !readOnly && era !== undefined;
  const offered = SERVER_REQUESTS.filter((request) => can && (request.era === undefined || request.era === era));
  usePaletteCommands(() =>
    offered.map(({ item, title }) => ({ title, run: () => navigate({ panel: 'server', item }) })),
  );
  return null;
}
