import { usePaletteCommands, useShortcuts } from '@/components/ui/shortcuts';
import { useClosedReason, useReadOnly } from '@/lib/hooks/connections';
import { navigate } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import type { Era } from '@/lib/wire/lifecycle';

/** A request to the server as a whole, with its key and the eras that have it. */
interface ServerRequest {
  /** The item of the Server panel that sends it. */
  readonly item: 'ping' | 'discover' | 'complete' | 'listen';
  readonly title: string;
  readonly keys: string;
  readonly era?: Era;
}

/** In the order of the Server panel. The keys are `r` for request, and the first letter. */
export const SERVER_REQUESTS: readonly ServerRequest[] = [
  { item: 'ping', title: 'Ping the server', keys: 'r p', era: 'legacy' },
  { item: 'discover', title: 'Discover the server', keys: 'r d', era: 'modern' },
  { item: 'complete', title: 'Complete an argument', keys: 'r c' },
  { item: 'listen', title: 'Listen for changes', keys: 'r l', era: 'modern' },
];

/** Keys and palette commands that open the Server panel at a request. The panel sends it, or focuses its form. */
export function ServerKeys({ log }: { readonly log: Log }) {
  const era = useLogState(log, (state) => state.connection.era);
  const closed = useClosedReason(log);
  const readOnly = useReadOnly(log);
  const can = closed === undefined && !readOnly && era !== undefined;
  const offered = SERVER_REQUESTS.filter((request) => can && (request.era === undefined || request.era === era));
  const actions = offered.map(({ item, title, keys }) => ({
    title,
    keys,
    run: () => navigate({ panel: 'server', item }),
  }));
  useShortcuts(actions);
  usePaletteCommands(() => actions);
  return null;
}
