import { useCallback, useMemo, useState } from 'react';
import { type CommandBody, useClient } from '@/lib/hooks/client';
import { useRequestTimeout } from '@/lib/hooks/client-profile';
import { useClosedReason, useReadOnly } from '@/lib/hooks/connections';
import { useDraft } from '@/lib/hooks/drafts';
import { type BytesState, useExchange, useFrameBytes, useLogState } from '@/lib/hooks/log';
import { compactJson, prettyJson } from '@/lib/json/exact';
import { type JsonObject, own } from '@/lib/json/value';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import { type Log, lastExchange } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { TaskWish } from '@/lib/wire/task';
import { useChosenCall } from './chosen-call';

/** A request that a panel can send repeatedly, and one exchange. */
export interface Request {
  readonly log: Log;
  readonly method: string;
  /** Tool, prompt or URI. */
  readonly name: string;
  /** True if the log has ended, so that nothing can be sent. */
  readonly readOnly: boolean;
  /** The exchange that is shown: the one chosen in the log, otherwise the newest. */
  readonly exchange: Exchange | undefined;
  /** The newest exchange with this method and name in the log, no matter who sent it. */
  readonly newest: Exchange | undefined;
  readonly showNewest: () => void;
  /** Why the last command failed. */
  readonly failure: Failure | undefined;
  /** Why the connection takes no requests now. */
  readonly closed: string | undefined;
  /** This form's own timeout, or else that of the connection or of the settings. */
  readonly timeoutMs: number;
  /** undefined: the usual one. */
  readonly setTimeoutMs: (ms: number | undefined) => void;
  /** `params` is JSON text without line breaks. `task`: runs the call as a task. */
  readonly send: (params: string, task?: TaskWish) => void;
  readonly cancel: () => void;
}

/** Sends requests of one method for one name: a tool, prompt or URI. */
export function useRequest(log: Log, method: string, name: string): Request {
  const client = useClient();
  const newest = useLogState(log, () => lastExchange(log, method, name));
  const chosen = useChosenCall(log, method, name);
  const exchange = useExchange(log, chosen.request) ?? newest;
  const closed = useClosedReason(log);
  const readOnly = useReadOnly(log);
  const usualTimeoutMs = useRequestTimeout(log);
  const server = useLogState(log, (state) => state.connection.start?.name ?? '');
  const [ownTimeoutMs, setTimeoutMs] = useDraft<number | undefined>(`timeout:${server} ${method} ${name}`, undefined);
  const timeoutMs = ownTimeoutMs ?? usualTimeoutMs;
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
  const id = newest?.status === 'pending' ? newest.id : undefined;
  return {
    log,
    method,
    name,
    readOnly,
    exchange,
    newest,
    showNewest: chosen.forget,
    failure: failed?.name === name ? failed.failure : undefined,
    closed,
    timeoutMs,
    setTimeoutMs,
    send: (params, task) => {
      chosen.forget();
      void carryOut({ type: 'request', connection, method, params, timeoutMs, ...(task && { task }) });
    },
    cancel: () => {
      if (id !== undefined && id !== null) void carryOut({ type: 'cancel', connection, id });
    },
  };
}

/**
 * Returns the params of `tools/call` or `prompts/get` as JSON text: the name exactly as listed, whatever its type, and
 * the arguments and `_meta` as written. Blank text leaves them out.
 */
export function namedParams(entry: JsonObject, argumentsText: string, metaText = ''): string {
  const name = JSON.stringify(own(entry, 'name'));
  const [text, meta] = [compactJson(argumentsText), compactJson(metaText)];
  const members = [
    ...(name === undefined ? [] : [`"name":${name}`]),
    ...(text === '' ? [] : [`"arguments":${text}`]),
    ...(meta === '' ? [] : [`"_meta":${meta}`]),
  ];
  return `{${members.join(',')}}`;
}

const NONE: readonly number[] = [];

export interface SentArguments {
  /** Indented arguments; '' if there were none, '{}' without a request or while its bytes are not loaded. */
  readonly text: string;
  /** Whether the bytes of the request are loaded. */
  readonly bytes: BytesState;
}

/** Returns the arguments of a request as sent. Fetches them if the page dropped them. */
export function useSentArguments(log: Log, exchange: Exchange | undefined): SentArguments {
  const { requestSeq, id } = exchange ?? {};
  const bytes = useFrameBytes(log, requestSeq === undefined ? NONE : [requestSeq]);
  return useMemo(() => {
    if (requestSeq === undefined || bytes !== 'here') return { text: '{}', bytes };
    const text = messageSource(log, requestSeq, id)?.member('params')?.member('arguments')?.text ?? '';
    return { text: text.length <= LIMITS.formattedBytes ? prettyJson(text) : text, bytes };
  }, [log, requestSeq, id, bytes]);
}
