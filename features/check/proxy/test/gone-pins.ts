import { targetOf } from '@/features/check/lib/pins/pins-file';
import { hasSucceeded, type PlayedPin } from '@/features/check/lib/pins/play-pins';
import { isObject, own } from '@/lib/json/value';
import { RPC_CODE } from '@/lib/wire/protocol-names';
import { ListedEntries } from '@/proxy/commands/headless/listed-entries';
import type { ConnectedServer } from '@/proxy/commands/headless/on-server';
import { pagesOf } from '@/proxy/commands/headless/results';

type Asked = Pick<ConnectedServer['connection'], 'request'>;

/** Calls of something that a server lists by name. */
const LISTED: Readonly<Record<string, { readonly list: string; readonly items: 'tools' | 'prompts'; one: string }>> = {
  'tools/call': { list: 'tools/list', items: 'tools', one: 'tool' },
  'prompts/get': { list: 'prompts/list', items: 'prompts', one: 'prompt' },
};

/**
 * Marks calls as broken that failed because the server does not have their method, tool or prompt, whatever answer was
 * accepted: nothing answers to them. Their answers can't be accepted.
 */
export async function withoutGone(played: readonly PlayedPin[], connection: Asked): Promise<readonly PlayedPin[]> {
  const lists = new Map<string, Promise<ReadonlySet<unknown> | undefined>>();
  const namesIn = (method: string): Promise<ReadonlySet<unknown> | undefined> => {
    const known = lists.get(method) ?? readNames(connection, method);
    lists.set(method, known);
    return known;
  };
  const marked: PlayedPin[] = [];
  for (const one of played) {
    const why = one.answer && !hasSucceeded(one.answer) ? await whyGone(one, namesIn) : undefined;
    marked.push(why === undefined ? one : { ...one, ...GONE, why });
  }
  return marked;
}

const GONE = { verdict: 'broken', ends: undefined, differences: [], answer: undefined } as const;

async function whyGone(
  { pin, answer }: PlayedPin,
  namesIn: (method: string) => Promise<ReadonlySet<unknown> | undefined>,
): Promise<string | undefined> {
  const advice = 'Delete the call, or name what answers now.';
  if (answer!.kind === 'error' && codeOf(answer!.text) === RPC_CODE.methodNotFound) {
    return `The server does not have the method ${pin.method}. ${advice}`;
  }
  const name = targetOf(pin.params);
  const listed = LISTED[pin.method];
  if (!listed || name === undefined || (await namesIn(pin.method))?.has(name) !== false) return undefined;
  return `The server lists no ${listed.one} “${name}”. ${advice}`;
}

function codeOf(text: string): unknown {
  const error: unknown = JSON.parse(text);
  return isObject(error) ? own(error, 'code') : undefined;
}

/** Reads the names in a list; undefined if it can't be read. */
async function readNames(connection: Asked, method: string): Promise<ReadonlySet<unknown> | undefined> {
  const { list, items } = LISTED[method]!;
  const entries = new ListedEntries(items);
  try {
    for await (const page of pagesOf(connection, list)) {
      if (page.kind === 'error') return undefined;
      entries.addPage(page);
    }
  } catch {
    // The server is gone, which the calls have shown.
    return undefined;
  }
  return new Set(entries.entries.map((entry) => own(entry, 'name')));
}
