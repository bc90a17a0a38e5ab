import { Badge } from '@/components/ui/badge';
import type { ConnectionSummary } from '@/lib/wire/command';
import { formatClock } from '@/lib/wire/format';
import { type ConnectionState, canSend } from '@/lib/wire/lifecycle';

/** Parts of a connection's summary that decide how its state is shown. */
export type ShownState = Pick<ConnectionSummary, 'state' | 'unreachable' | 'recording'>;

/** A connection's state as a dot and a word. */
const STATES: Readonly<Record<ConnectionState, { readonly words: string; readonly dot: string }>> = {
  starting: { words: 'starting', dot: 'border-2 border-accent' },
  open: { words: 'open', dot: 'bg-ok' },
  'handshake-failed': { words: 'handshake failed', dot: 'border-2 border-error' },
  closing: { words: 'closing', dot: 'border-2 border-warn' },
  closed: { words: 'closed', dot: 'border-2 border-control' },
  failed: { words: 'failed', dot: 'bg-error' },
};

/** A connection's state in words; a recording has none of its own. */
export function stateLabel({ state, unreachable, recording }: ShownState): string {
  if (recording) return 'recording';
  return unreachable ? `unreachable since ${formatClock(unreachable.since)}` : STATES[state].words;
}

/** Classes of the dot of a connection's state. */
function stateDotClass({ state, unreachable }: ShownState): string {
  return unreachable ? 'bg-warn' : STATES[state].dot;
}

/** True while there is a server to disconnect from. */
export function isLive(state: ConnectionState): boolean {
  return state === 'starting' || state === 'closing' || canSend(state);
}

/** The dot of a connection's state. The word has to stand beside it. */
export function StateDot({ connection }: { readonly connection: ShownState }) {
  return (
    <span aria-hidden="true" className={`inline-block size-2 shrink-0 rounded-full ${stateDotClass(connection)}`} />
  );
}

const WORDS = 'certificate not verified';
const TITLE = 'The certificate of this server is not verified: whoever answers is believed.';

/** Stands beside a connection for as long as whoever answers is believed. `short`: where there is no room for words. */
export function InsecureBadge({ short = false }: { readonly short?: boolean }) {
  if (short) {
    return (
      <span title={TITLE} className="shrink-0 text-error">
        <span aria-hidden="true">⚠</span>
        <span className="sr-only">{WORDS}</span>
      </span>
    );
  }
  return (
    <Badge tone="error" title={TITLE}>
      <span aria-hidden="true">⚠</span>
      <span className="pl-1">{WORDS}</span>
    </Badge>
  );
}
