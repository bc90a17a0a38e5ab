import type { Attempt } from '@/lib/evals/attempt';
import { useDraft } from './drafts';
import { useAskEvals } from './evals';

/** An attempt of an eval, whose recordings lie in the eval’s folder. */
interface AttemptOfEval {
  readonly id: string;
  readonly attempt: number;
}

const NONE: Readonly<Record<string, AttemptOfEval>> = {};

/** Opens recordings of servers in evals by their ids. It knows those of attempts whose chats this tab has opened. */
export function useEvalRecordings() {
  const ask = useAskEvals();
  const [known, setKnown] = useDraft('eval-servers', NONE);
  return {
    remember: (id: string, { number, servers = [] }: Attempt) =>
      setKnown((now) => ({
        ...now,
        ...Object.fromEntries(servers.map(({ connection }) => [connection, { id, attempt: number }])),
      })),
    /** Returns a function that opens it, and resolves to its connection; undefined if it is not known. */
    openerOf(connection: string): (() => Promise<string>) | undefined {
      const of = Object.hasOwn(known, connection) ? known[connection] : undefined;
      return of && (async () => (await ask({ kind: 'open', ...of, connection })).connection);
    },
  };
}
