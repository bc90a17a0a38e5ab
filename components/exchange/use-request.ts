import { useCallback, useMemo, useState } from 'react';
import { type CommandBody, useClient } from '@/lib/hooks/client';
import { useClosedReason, useReadOnly } from '@/lib/hooks/connections';
import { useDraft } from '@/lib/hooks/drafts';
import { type BytesState, useFrameBytes, useLogState } from '@/lib/hooks/log';
import { compactJson, prettyJson } from '@/lib/json/exact';
import { type JsonObject, own } from '@/lib/json/value';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import { type Log, lastExchange } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
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

/**
 * The params of `tools/call` or `prompts/get` as JSON text: the name as the server lists it, whatever it is, and the
 * arguments as they are written; blank text is no `arguments` at all.
 */
export function namedParams(entry: JsonObject, argumentsText: string): string {
  const name = JSON.stringify(own(entry, 'name'));
  const text = compactJson(argumentsText);
  const members = [...(name === undefined ? [] : [`"name":${name}`]), ...(text === '' ? [] : [`"arguments":${text}`])];
  return `{${members.join(',')}}`;
}

const NONE: readonly number[] = [];

/** What a request was sent with. */
export interface SentArguments {
  /** Its arguments with line breaks; '' if it had none, '{}' while there is no request, or its bytes are not here. */
  readonly text: string;
  /** Where its bytes are. */
  readonly bytes: BytesState;
}

/** The arguments of a request as they were sent. Those that left the page are fetched. */
export function useSentArguments(log: Log, exchange: Exchange | undefined): SentArguments {
  const { requestSeq, id } = exchange ?? {};
  const bytes = useFrameBytes(log, requestSeq === undefined ? NONE : [requestSeq]);
  return useMemo(() => {
    if (requestSeq === undefined || bytes !== 'here') return { text: '{}', bytes };
    const text = messageSource(log, requestSeq, id)?.member('params')?.member('arguments')?.text ?? '';
    return { text: text.length <= LIMITS.formattedBytes ? prettyJson(text) : text, bytes };
  }, [log, requestSeq, id, bytes]);
}
