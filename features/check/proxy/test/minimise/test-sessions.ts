import { join } from 'node:path';
import { isObject } from '@/lib/json/value';
import type { ServerAnswer } from '@/proxy/commands/headless/server-connection';
import { capture } from '@/proxy/commands/headless/test-against';

export const FAULTY = join(import.meta.dirname, 'fixtures/minimise-server.mjs');

/** A message: its method, and its parameters. */
type Message = readonly [method: string, params?: object];

const call = (name: string, given: object = {}): Message => ['tools/call', { name, arguments: given }];

/** A session that shows a fault of the faulty server. */
export interface FaultySession {
  readonly name: string;
  readonly fault: string;
  /** The messages that it takes, in order. `id` is the one that the last `open` returned. */
  readonly needed: readonly (Message | ((id: string) => Message))[];
  /** Options that name the failure; absent: the recording shows it. */
  readonly options?: readonly string[];
  /** True if the failure is a timeout, which each start that fails waits for. */
  readonly hangs?: true;
  /** True if the usual tests minimise it, too. The others are for measuring. */
  readonly always?: true;
  /** Tools that the other messages call, because they don't matter for the fault. */
  readonly others: readonly string[];
  /** The messages that are left, as the result prints them, with `ID` for the ids of the server. */
  readonly left: readonly string[];
  /** True if the server answers nothing after the needed messages. */
  readonly isLast?: true;
}

const clause = (field: string) => ({ where: { field, is: [1, 2, 3], not: null }, weight: 0.5, label: 'some text' });
const deep = (middle: object) => ({
  query: 'a long text that nobody needs to see the fault, with many words',
  filter: { any: [clause('name'), middle, clause('p0ison'), clause('age')], all: [], limit: 100 },
  options: { deep: { deeper: { deepest: [true, false] } }, tags: ['one', 'two', 'three'] },
});
const poison = call('search', deep(clause('size')));
const bomb = call('search', deep({ boom: true, ...clause('b') }));

const mode = call('mode', { to: 'dark', by: 'user' });
const render = call('render', { size: 1000, theme: 'any' });
const login = call('login', { user: 'ada' });
const buy = call('buy', { item: 'tea', amount: 3 });
const close = (id: string) => call('close', { id, force: true });

const line = (name: string, given = '{}') => `tools/call {"name":"${name}","arguments":${given}}`;
const POISON = line('search', '{"filter":{"any":[{},{},{"where":{"field":"p0ison"}}]}}');
const BOMB = line('search', '{"filter":{"any":[{},{"boom":true}]}}');
const DARK = [line('mode', '{"to":"dark"}'), line('render')];

const ANY = ['search', 'login', 'mode', 'render', 'buy', 'open'];
const without = (...names: readonly string[]) => ANY.filter((name) => !names.includes(name));

/** Fifteen sessions, each with a fault that takes at most four messages. */
export const SESSIONS: readonly FaultySession[] = [
  { name: 'an error text', fault: 'deep-poison', needed: [poison], others: ANY, left: [POISON] },
  {
    name: 'an error text that is named',
    fault: 'deep-poison',
    needed: [poison],
    others: ANY,
    left: [POISON],
    options: ['--fail-on', 'text=cannot parse'],
  },
  { name: 'a crash', always: true, fault: 'deep-crash', needed: [bomb], others: ANY, left: [BOMB], isLast: true },
  {
    name: 'a crash that is named',
    fault: 'deep-crash',
    needed: [bomb],
    others: ANY,
    left: [BOMB],
    isLast: true,
    options: ['--fail-on', 'exit'],
  },
  {
    name: 'the third call',
    fault: 'third-call',
    needed: [buy, buy, buy],
    others: without('buy'),
    left: [line('buy'), line('buy'), line('buy')],
  },
  {
    name: 'the fourth call',
    fault: 'fourth-call',
    needed: [buy, buy, buy, buy],
    others: without('buy'),
    left: [line('buy'), line('buy'), line('buy'), line('buy')],
  },
  {
    name: 'two calls in order',
    fault: 'two-in-order',
    needed: [mode, render],
    others: without('mode', 'render'),
    left: DARK,
  },
  {
    name: 'two calls that are named',
    fault: 'two-in-order',
    needed: [mode, render],
    left: DARK,
    others: without('mode', 'render'),
    options: ['--fail-on', 'text=dark colours'],
  },
  {
    name: 'three calls in order',
    always: true,
    fault: 'three-in-order',
    needed: [login, mode, render],
    others: without('login', 'mode', 'render'),
    left: [line('login'), line('mode'), line('render')],
  },
  {
    name: 'a crash at the end',
    always: true,
    fault: 'crash-at-exit',
    needed: [mode],
    others: without('mode'),
    left: [line('mode')],
  },
  {
    name: 'no response',
    always: true,
    fault: 'hang',
    needed: [login, render],
    others: without('login', 'render'),
    isLast: true,
    hangs: true,
    left: [line('login'), line('render')],
  },
  {
    name: 'an invalid result',
    fault: 'bad-result',
    needed: [render],
    others: without('render'),
    left: [line('render', '{"size":1000}')],
  },
  {
    name: 'a rule that is named',
    fault: 'bad-result',
    needed: [render],
    others: without('render'),
    options: ['--fail-on', 'rule=field-missing'],
    left: [line('render', '{"size":1000}')],
  },
  {
    name: 'a result against its schema',
    always: true,
    fault: 'bad-structure',
    needed: [mode, ['tools/list'], buy],
    others: without('mode', 'buy'),
    left: [line('mode'), 'tools/list', line('buy')],
  },
  {
    name: 'an id that the server made',
    always: true,
    fault: 'closed-twice',
    needed: [call('open'), close, close],
    others: without('open'),
    left: [line('open'), line('close', '{"id":"ID"}'), line('close', '{"id":"ID"}')],
  },
];

/** Records a session of `length` messages. The needed ones are spread over it. */
export function recordSession(
  file: string,
  { fault, needed, others, isLast }: FaultySession,
  length: number,
): Promise<void> {
  const step = Math.floor(length / (needed.length + 1));
  const due = new Map(needed.map((message, at) => [step * (at + 1), message]));
  const last = isLast ? step * needed.length : length - 1;
  let id = '';
  return capture({ transport: 'stdio', command: process.execPath, args: [FAULTY, fault] }, file, async (ask) => {
    for (let at = 0; at <= last; at++) {
      const given = due.get(at) ?? filler(at, others);
      const [method, params] = typeof given === 'function' ? given(id) : given;
      const answer = ask(method, params && JSON.stringify(params));
      // The server exits, or never answers.
      if (isLast && at === last)
        return fault === 'hang' ? void answer.catch(() => {}) : void (await answer.catch(() => {}));
      id = idIn(await answer) ?? id;
    }
  });
}

/** Messages that matter for no fault. */
function filler(at: number, others: readonly string[]): Message {
  if (at % 10 === 3) return ['ping'];
  if (at % 100 === 50) return ['tools/list'];
  return call(others[at % others.length]!, {
    at,
    text: `text ${at}`,
    size: at % 500,
    to: 'light',
    filter: { any: [{}] },
  });
}

/** Returns the id in the answer to `open`. */
function idIn(answer: ServerAnswer): string | undefined {
  const text = answer.kind === 'result' && isObject(answer.result) ? JSON.stringify(answer.result) : '';
  return /"text":"\{\\"id\\":\\"([\da-f-]{36})\\"\}"/.exec(text)?.[1];
}
