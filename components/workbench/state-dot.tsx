import type { ConnectionState } from '@/lib/wire/lifecycle';
import { STATE_WORDS } from './state-words';

/** The dot of a connection's state. The word has to stand beside it. */
export function StateDot({ state }: { readonly state: ConnectionState }) {
  return <span aria-hidden="true" className={`inline-block size-2 shrink-0 rounded-full ${STATE_WORDS[state].dot}`} />;
}
