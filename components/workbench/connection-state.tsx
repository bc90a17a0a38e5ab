import { Badge } from '@/components/ui/badge';
import type { ConnectionSummary } from '@/lib/wire/command';
import { formatClock } from '@/lib/wire/format';
import { type ConnectionState, canSend } from '@/lib/wire/lifecycle';

/** The parts of a connection's summary that decide how its state is shown. */
export type ShownState = Pick<ConnectionSummary, 'state' | 'unreachable' | 'recording'>;

const STATES: Readonly<Record<ConnectionState, { readonly words: string; readonly dot: string }>> = {
  starting: { words: 'starting', dot: 'border-2 border-accent' },
  open: { words: 'open', dot: 'bg-ok' },
  'handshake-failed': { words: 'handshake failed', dot: 'border-2 border-error' },
  closing: { words: 'closing', dot: 'border-2 border-warn' },
  closed: { words: 'closed', dot: 'border-2 border-control' },
  failed: { words: 'failed', dot: 'bg-error' },
};

/** Returns a connection's state in words. A recording has no state of its own, unless a tap writes it. */
export function stateLabel({ state, unreachable, recording }: ShownState): string {
  if (recording && !recording.tap) return 'recording';
  return unreachable ? `unreachable since ${formatClock(unreachable.since)}` : STATES[state].words;
}

function stateDotClass({ state, unreachable }: ShownState): string {
  return unreachable ? 'bg-warn' : STATES[state].dot;
}

/** True while the connection can still be disconnected. */
export function isLive(state: ConnectionState): boolean {
  return state === 'starting' || state === 'closing' || canSend(state);
}

/** A connection's state as a coloured dot. Show `stateLabel` beside it, for people who can't see the colour. */
export function StateDot({ connection }: { readonly connection: ShownState }) {
  return (
    <span aria-hidden="true" className={`inline-block size-2 shrink-0 rounded-full ${stateDotClass(connection)}`} />
  );
}

/** True for a connection that just works, so that its dot says enough. */
export function isPlainlyOpen({ state, unreachable, recording }: ShownState): boolean {
  return state === 'open' && !unreachable && !recording;
}

const WORDS = 'certificate not verified';
const TITLE = 'The server’s certificate is not verified, so an attacker could impersonate it.';

/** Warns that a connection skips certificate verification. `short`: the sign alone. */
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

/** States that need attention, worst first. */
const WORST: readonly ConnectionState[] = ['failed', 'handshake-failed'];

/** Returns the connection whose state a person should see first; undefined for none at all. */
export function worstState<One extends ShownState>(connections: readonly One[]): One | undefined {
  return (
    connections.find(({ state }) => WORST.includes(state)) ??
    connections.find(({ unreachable }) => unreachable !== undefined) ??
    connections.find(({ state }) => state === 'starting') ??
    connections.find(({ state }) => state === 'open') ??
    connections[0]
  );
}
