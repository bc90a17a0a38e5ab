import { useMemo } from 'react';
import { useClient } from '@/lib/hooks/client';
import { useLogState } from '@/lib/hooks/log';
import { stringifyJson } from '@/lib/json/exact';
import { isObject, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { declares } from '@/lib/wire/declares';
import { responseOf } from './outcome';

/** Timeout for completing an argument, in ms. Short, because the user keeps typing. */
const COMPLETE_MS = 5000;

/** A server's suggestions for an argument. */
export interface ArgumentCompletion {
  readonly values: readonly string[];
  /** True if the server has more values than it sent. */
  readonly more: boolean;
  /** Number of values that the server has, if it says so. */
  readonly total: number | undefined;
}

/** Asks the server to complete the argument `name` from the typed text. Rejects if the request fails. */
export type CompleteArgument = (name: string, text: string) => Promise<ArgumentCompletion>;

/** The first version with `context` in a completion request. */
const CONTEXT_SINCE = '2025-06-18';

/** Most values to show; the specification allows a hundred. */
const MAX_VALUES = 100;

/**
 * Returns a function that sends `completion/complete` for a prompt or resource template (`ref`, as JSON). undefined if
 * the server declares no completions. `context` returns the current values of the other arguments, which versions
 * before 2025-06-18 can't send.
 */
export function useComplete(log: Log, ref: string, context: () => unknown): CompleteArgument | undefined {
  const client = useClient();
  const offered = useLogState(log, ({ server }) => declares(server.capabilities, ['completions']));
  const sendsContext = useLogState(log, ({ connection: { version } }) => (version ?? '') >= CONTEXT_SINCE);
  return useMemo(() => {
    if (!offered) return undefined;
    return async (name, text) => {
      const others = sendsContext ? stringsOf(context(), name) : {};
      const params = `{"ref":${ref},"argument":${stringifyJson({ name, value: text })}${
        Object.keys(others).length === 0 ? '' : `,"context":{"arguments":${stringifyJson(others)}}`
      }}`;
      const { connection } = log;
      const done = await client.send({
        type: 'request',
        connection,
        method: 'completion/complete',
        params,
        timeoutMs: COMPLETE_MS,
      });
      if (done.seq === undefined) throw new Error('The request was not sent.');
      return completionIn(await answered(log, done.seq));
    };
  }, [client, log, ref, offered, sendsContext, context]);
}

/** Returns the other string arguments, the only ones sent as context. */
function stringsOf(value: unknown, except: string): Record<string, unknown> {
  const entries = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter(([name, each]) => name !== except && typeof each === 'string'));
}

/** Resolves to the result of one of our requests once it is in the log. Rejects if it failed. */
function answered(log: Log, seq: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const exchange = log.exchange(seq);
      if (exchange === undefined || exchange.status === 'pending') return;
      stop();
      const result = responseOf(log, exchange)?.result?.value;
      if (exchange.status === 'ok' && result !== undefined) resolve(result);
      else reject(new Error(`The completion request failed: ${exchange.status}.`));
    };
    const stop = log.subscribe(look);
    look();
  });
}

/** Reads the result of `completion/complete`. Throws Error if it has no values. */
export function completionIn(result: unknown): ArgumentCompletion {
  const completion = isObject(result) ? own(result, 'completion') : undefined;
  const values = isObject(completion) ? own(completion, 'values') : undefined;
  if (!isObject(completion) || !Array.isArray(values)) throw new Error('The response has no values.');
  const texts = values.filter((value) => typeof value === 'string');
  const shown = [...new Set(texts)].slice(0, MAX_VALUES);
  const total = own(completion, 'total');
  const known = typeof total === 'number' && total >= shown.length ? total : undefined;
  const more = own(completion, 'hasMore') === true || texts.length > MAX_VALUES || (known ?? 0) > shown.length;
  return { values: shown, more, total: known };
}
