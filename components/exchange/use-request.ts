import { useCallback, useState } from 'react';
import { type CommandBody, useClient } from '@/lib/hooks/use-client';
import { useClosedReason } from '@/lib/hooks/use-closed-reason';
import { useDraft } from '@/lib/hooks/use-draft';
import { useLogState } from '@/lib/hooks/use-log';
import { useReadOnly } from '@/lib/hooks/use-read-only';
import type { Exchange } from '@/lib/store/exchanges';
import type { Log } from '@/lib/store/log';
import { lastExchange } from '@/lib/store/selectors';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';

/** A request that a panel sends again and again, and how it last went. */
export interface Request {
  readonly log: Log;
  readonly method: string;
  /** What is shown is over: it is looked at, and not sent again. */
  readonly readOnly: boolean;
  /** The newest with this method and name in the log, whoever sent it. */
  readonly exchange: Exchange | undefined;
  /** Why the last command was not carried out. */
  readonly failure: Failure | undefined;
  /** Why the connection takes no requests; undefined while it does. */
  readonly closed: string | undefined;
  readonly timeoutMs: number;
  readonly setTimeoutMs: (ms: number) => void;
  /** `params` is JSON text on one line. */
  readonly send: (params: string) => void;
  readonly cancel: () => void;
}

/** Requests of one method about one name: the tool, prompt or uri. */
export function useRequest(log: Log, method: string, name: string): Request {
  const client = useClient();
  const exchange = useLogState(log, () => lastExchange(log, method, name));
  const closed = useClosedReason(log);
  const readOnly = useReadOnly(log);
  const [timeoutMs, setTimeoutMs] = useDraft<number>('timeout', LIMITS.requestMs);
  const [failed, setFailed] = useState<{ readonly name: string; readonly failure: Failure }>();
  const { connection } = log;

  const carryOut = useCallback(
    async (command: CommandBody) => {
      setFailed(undefined);
      try {
        await client.send(command);
      } catch (failure) {
        setFailed({ name, failure: failure as Failure });
      }
    },
    [client, name],
  );
  const id = exchange?.status === 'pending' ? exchange.id : undefined;
  return {
    log,
    method,
    readOnly,
    exchange,
    failure: failed?.name === name ? failed.failure : undefined,
    closed,
    timeoutMs,
    setTimeoutMs,
    send: (params) => void carryOut({ type: 'request', connection, method, params, timeoutMs }),
    cancel: () => {
      if (id !== undefined && id !== null) void carryOut({ type: 'cancel', connection, id });
    },
  };
}
