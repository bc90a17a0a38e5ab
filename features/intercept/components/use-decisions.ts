import { useEffect, useState } from 'react';
import { useClient } from '@/lib/hooks/client';
import type { Log } from '@/lib/store/log';
import type { HoldDecision } from '@/lib/wire/intercept';
import type { Failure } from '@/lib/wire/lifecycle';

/** Ends holds, and keeps why the last attempt failed. */
export interface HoldDecisions {
  readonly failure: Failure | undefined;
  /** Resolves to true once it is done. */
  readonly decide: (hold: number, decision: HoldDecision) => Promise<boolean>;
  /** Passes these messages on as they came, in their order. */
  readonly releaseAll: (holds: readonly number[]) => void;
}

/** Another tab, a timer or the connection's end was faster, as the log says. */
const ALREADY_OVER = 'not-held';

export function useDecisions(log: Log): HoldDecisions {
  const client = useClient();
  const { connection } = log;
  const [failure, setFailure] = useState<Failure>();
  const send = (hold: number, decision: HoldDecision) =>
    client.send({ type: 'decide', connection, hold, decision }).then(
      () => true,
      (error: Failure) => {
        if (error.code !== ALREADY_OVER) setFailure(error);
        return false;
      },
    );
  return {
    failure,
    decide: (hold, decision) => {
      setFailure(undefined);
      return send(hold, decision);
    },
    releaseAll: (holds) => {
      setFailure(undefined);
      for (const hold of holds) void send(hold, { do: 'release' });
    },
  };
}

/** The text of a held message. */
export interface HeldText {
  readonly text: string;
  readonly invalidUtf8?: true;
}

/** Asks for the text of a held message. It is never stored, so another message asks again. */
export function useHeldText(log: Log, hold: number, enabled: boolean): HeldText | Failure | undefined {
  const client = useClient();
  const { connection } = log;
  const [read, setRead] = useState<{ readonly hold: number; readonly reply: HeldText | Failure }>();
  useEffect(() => {
    if (!enabled) return;
    let wanted = true;
    client.send({ type: 'read-held', connection, hold }).then(
      (done) => wanted && done.held && setRead({ hold, reply: done.held }),
      (failure: Failure) => wanted && setRead({ hold, reply: failure }),
    );
    return () => {
      wanted = false;
    };
  }, [client, connection, hold, enabled]);
  return read?.hold === hold ? read.reply : undefined;
}
