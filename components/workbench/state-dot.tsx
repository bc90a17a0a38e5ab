import { type ShownState, stateDot } from './state-words';

/** The dot of a connection's state. The word has to stand beside it. */
export function StateDot({ connection }: { readonly connection: ShownState }) {
  return <span aria-hidden="true" className={`inline-block size-2 shrink-0 rounded-full ${stateDot(connection)}`} />;
}
