import type { Held } from '@/lib/store/state/interception-state';
import { INTERCEPT_LIMITS } from '@/lib/wire/intercept';
import type { Request } from './use-request';

/** Returns true for a held message that is this request, or the response to it. */
export function holdsRequest(
  { direction, kind, method, name, id }: Pick<Held, 'direction' | 'kind' | 'method' | 'name' | 'id'>,
  { method: asked, name: about, exchange }: Pick<Request, 'method' | 'name' | 'exchange'>,
): boolean {
  if (method !== asked) return false;
  // The event has only the beginning of a long name.
  if (kind === 'request') return direction === 'to-server' && name === about.slice(0, INTERCEPT_LIMITS.nameChars);
  return direction === 'to-client' && exchange?.status === 'pending' && exchange.id === id;
}
