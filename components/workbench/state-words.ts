import { formatClock } from '@/components/ui/format';
import type { ConnectionSummary } from '@/lib/wire/command';
import { type ConnectionState, canSend } from '@/lib/wire/lifecycle';

/** Parts of a connection's summary that decide how its state is shown. */
export type ShownState = Pick<ConnectionSummary, 'state' | 'unreachable' | 'recording'>;

/** A connection's state as a dot and a word. */
const STATE_WORDS: Readonly<Record<ConnectionState, { readonly words: string; readonly dot: string }>> = {
  starting: { words: 'starting', dot: 'border-2 border-accent' },
  open: { words: 'open', dot: 'bg-ok' },
  'handshake-failed': { words: 'handshake failed', dot: 'border-2 border-error' },
  closing: { words: 'closing', dot: 'border-2 border-warn' },
  closed: { words: 'closed', dot: 'border-2 border-control' },
  failed: { words: 'failed', dot: 'bg-error' },
};

/** A connection's state in words; a recording has none of its own. */
export function stateWords({ state, unreachable, recording }: ShownState): string {
  if (recording) return 'recording';
  return unreachable ? `unreachable since ${formatClock(unreachable.since)}` : STATE_WORDS[state].words;
}

/** Classes of the dot of a connection's state. */
export function stateDot({ state, unreachable }: ShownState): string {
  return unreachable ? 'bg-warn' : STATE_WORDS[state].dot;
}

/** True while there is a server to disconnect from. */
export function isLive(state: ConnectionState): boolean {
  return state === 'starting' || state === 'closing' || canSend(state);
}
