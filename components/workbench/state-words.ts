import type { ConnectionSummary } from '@/lib/wire/command';
import type { ConnectionState } from '@/lib/wire/lifecycle';

/** A connection's state as a dot and a word. */
export const STATE_WORDS: Readonly<Record<ConnectionState, { readonly words: string; readonly dot: string }>> = {
  starting: { words: 'starting', dot: 'border-2 border-accent' },
  open: { words: 'open', dot: 'bg-ok' },
  closing: { words: 'closing', dot: 'border-2 border-warn' },
  closed: { words: 'closed', dot: 'border-2 border-control' },
  failed: { words: 'failed', dot: 'bg-error' },
};

/** A connection's state as a word; a recording has none of its own. */
export function stateWords({ state, recording }: Pick<ConnectionSummary, 'state' | 'recording'>): string {
  return recording ? 'recording' : STATE_WORDS[state].words;
}

/** True while there is a server to disconnect from. */
export function isLive(state: ConnectionState): boolean {
  return state === 'starting' || state === 'open' || state === 'closing';
}
