import { useCallback, useRef, useState } from 'react';
import { type CommandBody, useClient } from '@/lib/hooks/use-client';
import { useLocation } from '@/lib/hooks/use-location';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import type { Question } from '@/lib/store/state';
import type { QuestionAnswer } from '@/lib/wire/command';
import type { Failure } from '@/lib/wire/lifecycle';

/** The ways to answer a question, and why the last one failed. */
export interface Answering {
  /** True while an answer is of use. */
  readonly waits: boolean;
  readonly answer: (answer: QuestionAnswer) => void;
  /** Of input for a call (2026-07-28): gives that call up. undefined for a request of the server's. */
  readonly giveUp: (() => void) | undefined;
  /** True from an answer until it is told why it failed. */
  readonly busy: boolean;
  readonly failure: Failure | undefined;
}

/** Answers a question of this log's connection. The page stays with it, to show what became of it. */
export function useAnswer(log: Log, { id, input, key, status }: Question): Answering {
  const client = useClient();
  const { navigate } = useLocation();
  // Without a handshake the person writes answers as raw messages too.
  const open = useLogState(
    log.whole,
    ({ connection }) => connection.state === 'open' && connection.start?.protocol !== 'none',
  );
  const [failure, setFailure] = useState<Failure>();
  const { connection } = log;
  const [busy, setBusy] = useState(false);
  // The second click of two comes before anything is drawn again.
  const underWay = useRef(false);
  const carryOut = useCallback(
    async (command: CommandBody) => {
      if (underWay.current) return;
      underWay.current = true;
      setBusy(true);
      setFailure(undefined);
      navigate({ item: key }, { replace: true });
      try {
        await client.send(command);
      } catch (failure) {
        setFailure(failure as Failure);
        underWay.current = false;
        setBusy(false);
      }
    },
    [client, navigate, key],
  );
  return {
    waits: open && status === 'waiting',
    answer: (answer) =>
      void carryOut({ type: 'answer', connection, id, ...(input !== undefined && { key: input }), answer }),
    giveUp: input === undefined ? undefined : () => void carryOut({ type: 'cancel', connection, id }),
    busy,
    failure,
  };
}
