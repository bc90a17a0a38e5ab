import { useMemo } from 'react';
import { useClient } from '@/lib/hooks/client';
import { useLogState } from '@/lib/hooks/log';
import { stringifyJson } from '@/lib/json/exact';
import { isObject, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { responseOf } from './outcome';

/** How long a server may take to complete an argument: nobody waits longer while typing. */
const COMPLETE_MS = 5000;

/** What a server suggests for an argument. `more` if it has others. */
export interface Completion {
  readonly values: readonly string[];
  readonly more: boolean;
}

/** Asks the server to complete the argument `name` from what is typed. Rejects when it does not answer. */
export type Complete = (name: string, text: string) => Promise<Completion>;

/** Values shown of one answer: the specification allows a hundred. */
const MOST_VALUES = 100;

/**
 * `completion/complete` for a prompt or a resource template (`ref`, as JSON); undefined if the server declares no
 * completions. `context` gives the other arguments as they are now.
 */
export function useComplete(log: Log, ref: string, context: () => unknown): Complete | undefined {
  const client = useClient();
  const declared = useLogState(log, (state) => state.server?.capabilities);
  const offered = declared !== undefined && own(declared, 'completions') !== undefined;
  return useMemo(() => {
    if (!offered) return undefined;
    return async (name, text) => {
      const others = stringsOf(context(), name);
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
  }, [client, log, ref, offered, context]);
}

/** The other arguments that are texts, which is all that a server is told of. */
function stringsOf(value: unknown, except: string): Record<string, unknown> {
  const entries = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter(([name, each]) => name !== except && typeof each === 'string'));
}

/** The result of a request of ours, once it is in the log. Rejects if it failed. */
function answered(log: Log, seq: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const exchange = log.exchange(seq);
      if (exchange === undefined || exchange.status === 'pending') return;
      stop();
      const result = responseOf(log, exchange)?.result?.value;
      if (exchange.status === 'ok' && result !== undefined) resolve(result);
      else reject(new Error(`The request ended as ${exchange.status}.`));
    };
    const stop = log.subscribe(look);
    look();
  });
}

function completionIn(result: unknown): Completion {
  const completion = isObject(result) ? own(result, 'completion') : undefined;
  const values = isObject(completion) ? own(completion, 'values') : undefined;
  if (!isObject(completion) || !Array.isArray(values)) throw new Error('The answer has no values.');
  const texts = values.filter((value) => typeof value === 'string');
  return { values: [...new Set(texts)].slice(0, MOST_VALUES), more: own(completion, 'hasMore') === true };
}
