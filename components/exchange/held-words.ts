import { visibleText } from '@/components/ui/visible-text';
import type { Held } from '@/lib/store/state/interception-state';
import { formatBytes, formatElapsed } from '@/lib/wire/format';
import type { Interception } from '@/lib/wire/intercept';

/** Characters of a method that are shown. */
const NAME_CHARS = 200;

/** Returns the name of a message: `tools/call`, `response to tools/call`. */
export function heldName({ kind, method }: Pick<Interception, 'kind' | 'method'>): string {
  if (kind === 'response' || kind === 'error') {
    const word = kind === 'error' ? 'error response' : 'response';
    return method === undefined ? word : `${word} to ${method}`;
  }
  if (kind === 'batch') return 'batch';
  return kind === 'junk' ? 'not a message' : (method ?? 'message');
}

/** Returns the name of a message with what it is about, fit to be shown: `tools/call echo`. */
export function heldTitle(message: Pick<Interception, 'kind' | 'method' | 'name'>): string {
  return visibleText([heldName(message).slice(0, NAME_CHARS), message.name].filter(Boolean).join(' '));
}

/** Returns direction, id and size of a message: "cancelled · → to server · id 5 · 212 B". */
export function heldFacts({ direction, id, bytes, givenUp }: Held): string {
  return [
    givenUp && 'cancelled',
    direction === 'to-server' ? '→ to server' : '← to client',
    id !== undefined && `id ${JSON.stringify(id)}`,
    formatBytes(bytes),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Says who cancelled a request that is held, or whose response is, and when. */
export function givenUpWords(
  { kind, direction, givenUp }: Pick<Held, 'kind' | 'direction' | 'givenUp'>,
  now: number,
): string {
  if (!givenUp) return '';
  const isAnswer = kind === 'response' || kind === 'error';
  const who = (direction === 'to-server') !== isAnswer ? 'client' : 'server';
  const ago = formatElapsed(Math.max(0, now - givenUp.since)) || '0 s';
  const why = givenUp.reason === undefined ? '' : `: ${givenUp.reason}`;
  return `The ${who} cancelled this request ${ago} ago${why}`;
}

/** Returns how long a message has waited, or how long it still waits if that is known. */
export function waitWords({ since, ms }: Pick<Held, 'since' | 'ms'>, now: number): string {
  if (ms !== undefined) return `${formatElapsed(Math.max(0, since + ms * 1000 - now)) || '0 s'} left`;
  return formatElapsed(Math.max(0, now - since)) || '0 s';
}
