import { useClient } from './client';
import { useDraft } from './drafts';

/** A request to a part of the proxy, which opens a recording and answers with its `connection`. */
interface OpenRequest {
  /** Name of the part, as `api.ask` takes it. */
  readonly of: string;
  readonly request: Readonly<Record<string, unknown>>;
}

const NONE: Readonly<Record<string, OpenRequest>> = {};

/** Opens recordings by the ids of their connections: those for which this tab has remembered a request. */
export function useKnownRecordings() {
  const { api } = useClient();
  const [known, setKnown] = useDraft('known-recordings', NONE);
  return {
    remember: (recordings: Readonly<Record<string, OpenRequest>>) => setKnown((now) => ({ ...now, ...recordings })),
    /** Returns a function that opens it, and resolves to its connection; undefined if it is not known. */
    openerOf(connection: string): (() => Promise<string>) | undefined {
      const found = Object.hasOwn(known, connection) ? known[connection] : undefined;
      if (!found || !api) return undefined;
      return async () => (await api.ask<{ readonly connection: string }>(found.of, found.request)).connection;
    },
  };
}
