import type { Held } from '@/lib/store/state/interception-state';
import { formatBytes, formatElapsed } from '@/lib/wire/format';
import type { HeldMessage, Interception } from '@/lib/wire/intercept';

/** Returns the name of a message: `tools/call`, `response to tools/call`. */
export function heldName({ kind, method }: Pick<Interception, 'kind' | 'method'>): string {
  if (kind === 'response' || kind === 'error') {
    const word = kind === 'error' ? 'error response' : 'response';
    return method === undefined ? word : `${word} to ${method}`;
  }
  if (kind === 'batch') return 'batch';
  return kind === 'junk' ? 'not a message' : (method ?? 'message');
}

/** Returns direction, id and size of a message: "→ to server · id 5 · 212 B". */
export function heldFacts({ direction, id, bytes }: HeldMessage): string {
  return [
    direction === 'to-server' ? '→ to server' : '← to client',
    id !== undefined && `id ${JSON.stringify(id)}`,
    formatBytes(bytes),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Returns how long a message has waited, or how long it still waits if that is known. */
export function waitWords({ since, ms }: Pick<Held, 'since' | 'ms'>, now: number): string {
  if (ms !== undefined) return `${formatElapsed(Math.max(0, since + ms * 1000 - now)) || '0 s'} left`;
  return formatElapsed(Math.max(0, now - since)) || '0 s';
}
