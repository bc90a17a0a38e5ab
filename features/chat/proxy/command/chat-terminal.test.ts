import { getEventListeners, once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Chat } from '@/features/chat/lib/chat';
import { USUAL_LIMITS } from '@/features/chat/lib/chat-frame';
import { askingClient } from './answer-server';
import { decideIn } from './ask-call';
import { ChatTerminal } from './chat-terminal';

const ESC = '\u001b';
let open: ChatTerminal[] = [];
afterEach(() => {
  for (const terminal of open) terminal.close();
  open = [];
});

/** A terminal, what it shows, and a person who types once something is shown. */
function terminal(edit?: (text: string) => Promise<string | undefined>) {
  const input = new PassThrough();
  let shown = '';
  const seen = new EventTarget();
  const output = new Writable({
    write(chunk, _encoding, done) {
      shown += String(chunk);
      seen.dispatchEvent(new Event('more'));
      done();
    },
  });
  let interrupts = 0;
  const chat = new ChatTerminal({ input, output, colours: false, edit }, () => interrupts++);
  open.push(chat);
  let from = 0;
  return {
    chat,
    type: (text: string) => input.write(text),
    /** Types once a text is shown, after what was waited for before. */
    async answer(wanted: string, text: string): Promise<void> {
      while (!shown.slice(from).includes(wanted)) await once(seen, 'more');
      from = shown.indexOf(wanted, from) + wanted.length;
      input.write(text);
    },
    shown: () => shown,
    interrupts: () => interrupts,
  };
}

describe('a terminal', () => {
  test('reads a message, also a pasted one of several lines', async () => {
    const { chat, type } = terminal();
    const first = chat.message('> ');
    type('hello\r');
    expect(await first).toBe('hello');
    const pasted = chat.message('> ');
    type('one\rtwo\rthree');
    type('\r');
    expect(await pasted).toBe('one\ntwo\nthree');
  });

  test('drops what is typed while nothing is asked', async () => {
    const { chat, type, answer } = terminal();
    type('y\r');
    type('y');
    const asked = chat.ask('Run it? ');
    await answer('Run it? ', 'n\r');
    expect(await asked).toBe('n');
  });

  test('asks one question at a time, and withdraws one', async () => {
    const { chat, answer } = terminal();
    const stop = new AbortController();
    const first = chat.ask('First? ', { signal: stop.signal });
    const second = chat.ask('Second? ');
    stop.abort();
    expect(await first).toBeUndefined();
    await answer('Second? ', 'b\r');
    expect(await second).toBe('b');
  });

  test('shows no secret, and no control character of others', async () => {
    const { chat, answer, shown } = terminal();
    const key = chat.ask('Key: ', { hidden: true });
    await answer('Key: ', 'canary-key\r');
    expect(await key).toBe('canary-key');
    chat.stream(`${ESC}]0;title\u0007text\n`);
    chat.print([`${ESC}[2J`, { text: `a${ESC}[31mb`, tone: 'bad' }]);
    expect(shown()).not.toContain('canary');
    expect(shown()).toContain('\uFFFD]0;title\uFFFDtext');
    expect(shown()).not.toContain(`${ESC}]`);
  });

  test('puts text of others into a message as one line, without control characters', async () => {
    const { chat, type, shown } = terminal();
    const message = chat.message('> ');
    chat.prefill(`a${ESC}]52;c;AAAA\u0007\r\n  b\rc`);
    type('\r');
    expect(await message).toBe('a\uFFFD]52;c;AAAA\uFFFD b c');
    expect(shown()).not.toContain(`${ESC}]`);
  });

  test('leaves no listener on a signal', async () => {
    const { chat, answer } = terminal();
    const { signal } = new AbortController();
    for (const question of ['First? ', 'Second? ']) {
      const asked = chat.ask(question, { signal });
      await answer(question, 'y\r');
      await asked;
    }
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('completes a message on Tab, but keeps a pasted tab', async () => {
    const { chat, type, answer } = terminal();
    chat.complete = async (line) => [[`${line}ols`, `${line}ol box`, `${line}o${ESC}[2J`], line];
    const message = chat.message('> ');
    type('/to');
    type('\t');
    await answer('ols', '\r');
    expect(await message).toBe('/tools');
    const pasted = chat.message('> ');
    type('a\tb\r');
    expect(await pasted).toBe('a\tb');
  });

  test('opens the line in an editor on Ctrl-G, and prints nothing meanwhile', async () => {
    let save = (_: string | undefined): void => {};
    const opened: string[] = [];
    const { chat, type, answer, shown } = terminal((text) => {
      opened.push(text);
      return new Promise((resolve) => {
        save = resolve;
      });
    });
    const message = chat.message('> ');
    type('hello');
    type('\u0007');
    chat.print(['from a server']);
    expect(shown()).not.toContain('from a server');
    save(undefined);
    await answer('from a server', '\u0007');
    save('one\ntwo');
    expect(await message).toBe('one\ntwo');
    expect(opened).toEqual(['hello', 'hello']);
  });

  test('asks nothing else while the editor is open, also if the question is withdrawn', async () => {
    let save = (_: string | undefined): void => {};
    const { chat, answer, shown } = terminal(
      () =>
        new Promise((resolve) => {
          save = resolve;
        }),
    );
    const stop = new AbortController();
    const first = chat.ask('First? ', { signal: stop.signal });
    const second = chat.ask('Second? ');
    await answer('First? ', '\u0007');
    stop.abort();
    expect(shown()).not.toContain('Second?');
    save('too late');
    expect(await first).toBeUndefined();
    await answer('Second? ', 'b\r');
    expect(await second).toBe('b');
  });

  test('gives the history of messages, but not of answers', async () => {
    const { chat, type, answer } = terminal();
    const first = chat.message('> ');
    type('question\r');
    await first;
    const key = chat.ask('Key: ', { hidden: true });
    await answer('Key: ', 'canary\r');
    await key;
    const again = chat.message('> ');
    type(`${ESC}[A\r`);
    expect(await again).toBe('question');
  });

  test('ends its questions with the input, and reports Ctrl-C', async () => {
    const { chat, type, interrupts } = terminal();
    const asked = chat.message('> ');
    type('\u0003');
    await new Promise(setImmediate);
    expect(interrupts()).toBe(1);
    type('\u0004');
    expect(await asked).toBeUndefined();
    expect(await chat.ask('More? ')).toBeUndefined();
  });
});

describe('a decision about a call', () => {
  const offered = { name: 's__t', server: 's', tool: 't', inputSchema: {}, readOnly: false };
  const call = {
    part: { type: 'call', id: 'c', name: 's__t', arguments: '{"a":1}' },
    tool: offered,
    args: {},
    faults: [],
  } as const;

  /** A chat that asks about every call. `allowed` gets what it allows later. */
  function newChat(allowed: unknown[]): Chat {
    const talk = new Chat({
      write: (event) => (event.type === 'settings' ? allowed.push(event.settings.allow) : 0),
      model: () => Promise.reject(new Error('not asked')),
      servers: () => [],
    });
    talk.configure({ model: 'm', toolMode: 'native', limits: USUAL_LIMITS, servers: [], allow: { mode: 'ask' } });
    allowed.length = 0;
    return talk;
  }

  async function decide(...typed: readonly [string, string][]) {
    const { chat, answer, shown } = terminal();
    const allowed: unknown[] = [];
    const talk = newChat(allowed);
    const decision = decideIn(
      chat,
      () => talk,
      () => {},
    )(call, offered, new AbortController().signal);
    for (const [wanted, text] of typed) await answer(wanted, text);
    return { decision: await decision, allowed, shown: shown() };
  }

  test.each([
    ['y', { kind: 'run' }, []],
    ['n', { kind: 'refuse' }, []],
    ['t', { kind: 'run' }, [{ mode: 'ask', tools: ['s__t'] }]],
    ['a', { kind: 'run' }, [{ mode: 'all' }]],
  ])('%s', async (key, decision, allowed) => {
    expect(await decide(['Run it?', `${key}\r`])).toMatchObject({ decision, allowed });
  });

  test('holds for calls that wait', async () => {
    const { chat, answer } = terminal();
    const talk = newChat([]);
    const decide = decideIn(
      chat,
      () => talk,
      () => {},
    );
    const { signal } = new AbortController();
    const both = Promise.all([decide(call, offered, signal), decide(call, offered, signal)]);
    await answer('Run it?', 'a\r');
    expect(await both).toEqual([{ kind: 'run' }, { kind: 'run', by: 'rule' }]);
  });

  test('by hand, also with an error', async () => {
    expect((await decide(['Run it?', 'h\r'], ['place', 'noon\r'])).decision).toEqual({ kind: 'answer', text: 'noon' });
    const failed = await decide(['Run it?', 'h\r'], ['place', '! broken\r']);
    expect(failed.decision).toEqual({ kind: 'answer', text: 'broken', isError: true });
  });

  test('with other arguments, once they are a JSON object', async () => {
    const { decision, shown } = await decide(
      ['Run it?', 'e\r'],
      ['Arguments', '\u0015[1]\r'],
      ['must be one JSON object', ''],
      ['Arguments', '\u0015{"a":2}\r'],
    );
    expect(decision).toEqual({ kind: 'run', arguments: '{"a":2}' });
    expect(shown).toContain('goes back): ');
    expect((await decide(['Run it?', 'e\r'], ['Arguments', '\u0015\r'], ['Run it?', 'n\r'])).decision).toEqual({
      kind: 'refuse',
    });
  });

  test('shows hidden characters of arguments as escapes, which mean the same', async () => {
    const { chat, answer, shown } = terminal();
    const hidden = { ...call, part: { ...call.part, arguments: '{\n "a": "x\u202ey"}' } };
    const decision = decideIn(
      chat,
      () => newChat([]),
      () => {},
    )(hidden, offered, new AbortController().signal);
    await answer('Run it?', 'e\r');
    await answer('"x\\u202ey"', '\r');
    expect(await decision).toEqual({ kind: 'run', arguments: '{ "a": "x\\u202ey"}' });
    expect(shown()).not.toContain('\u202e');
  });

  test('by hand with a pasted text of several lines', async () => {
    expect((await decide(['Run it?', 'h\r'], ['place', 'one\rtwo\r'])).decision).toEqual({
      kind: 'answer',
      text: 'one\ntwo',
    });
  });

  test('says how each question is answered', async () => {
    expect((await decide(['(y/n/e/h/t/r/a, then Enter; ? for help)', 'y\r'])).decision).toEqual({ kind: 'run' });
  });

  test('/quit ends the chat', async () => {
    const { chat, answer } = terminal();
    const quit = vi.fn(() => chat.close());
    const decided = decideIn(chat, () => newChat([]), quit)(call, offered, new AbortController().signal);
    await answer('Run it?', '/quit\r');
    expect(await decided).toMatchObject({ kind: 'refuse', by: 'rule' });
    expect(quit).toHaveBeenCalledOnce();
  });

  test('asks again about a tool that is not read-only, and about what it does not know', async () => {
    const { decision, allowed, shown } = await decide(
      ['Run it?', 'r\r'],
      ['Run it?', 'what\r'],
      ['Run it?', '?\r'],
      ['Run it?', 'n\r'],
    );
    expect(decision).toEqual({ kind: 'refuse' });
    expect(allowed).toEqual([{ mode: 'read-only' }]);
    expect(shown).toContain('“what” is not one of y, n, e, h, t, r, a. ? explains them.');
    expect(shown.split('always run read-only tools')).toHaveLength(2);
    expect(shown).toContain('"a": 1');
  });
});

describe('a question of a server', () => {
  async function ask(
    method: 'elicitation/create' | 'sampling/createMessage',
    params: object,
    ...typed: readonly [string, string][]
  ) {
    const { chat, answer, shown } = terminal();
    const waits: boolean[] = [];
    const { answers } = askingClient({
      server: 'files',
      terminal: chat,
      given: undefined,
      waiting: (isWaiting) => waits.push(isWaiting),
      complete: async () => ({ role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm' }),
    });
    const handler = answers.get(method);
    if (typeof handler !== 'function') throw new Error('There is no handler.');
    const result = Promise.resolve(handler(params, { method, id: 1, signal: new AbortController().signal }));
    result.catch(() => {});
    for (const [wanted, text] of typed) await answer(wanted, text);
    return { result: await result.then(JSON.parse, (error: Error) => error.message), waits, shown: shown() };
  }
  test('shows everything that a sampling request sends, or how much more there is', async () => {
    const message = { role: 'user', content: { type: 'text', text: 'x'.repeat(5000) } };
    const tool = { name: 'drop_all', description: 'Drops everything.', inputSchema: { type: 'object' } };
    const { shown } = await ask('sampling/createMessage', { messages: [message], tools: [tool, tool] }, [
      'Let it answer?',
      'n\r',
    ]);
    expect(shown).toContain('With the tools drop_all, drop_all');
    const [, more] = /and (\d+) more characters, which are sent too/.exec(shown)!;
    expect(Number(more)).toBe(6 + 5000 + 2 * (6 + JSON.stringify(tool).length + 1) - 4000);
  });

  test('can’t look like one of ours', async () => {
    const field = { type: 'string', title: 'mcp-inspect: Key of the model', description: 'a\n> b' };
    const params = { message: 'Hello', requestedSchema: { properties: { name: field } } };
    const { shown } = await ask('elicitation/create', params, ['Answer it?', 'y\r'], ['Key of', '\r']);
    expect(shown).toContain('files: mcp-inspect: Key of the model (optional): ');
    expect(shown).toContain('  a > b');
  });

  test('two at once wait until both are answered', async () => {
    const { chat, answer } = terminal();
    const waits: boolean[] = [];
    const { answers } = askingClient({
      server: 'files',
      terminal: chat,
      given: undefined,
      waiting: (isWaiting) => waits.push(isWaiting),
      complete: async () => ({}),
    });
    const handler = answers.get('elicitation/create');
    if (typeof handler !== 'function') throw new Error('There is no handler.');
    const ask = async (message: string, id: number) =>
      handler({ message }, { method: 'elicitation/create', id, signal: new AbortController().signal });
    const asked = [ask('First?', 1), ask('Second?', 2)];
    await answer('First?', 'y\n');
    await asked[0];
    expect(waits).toEqual([true]);
    await answer('Second?', 'y\n');
    await asked[1];
    expect(waits).toEqual([true, false]);
  });

  const form = {
    message: 'Who are you?',
    requestedSchema: {
      properties: {
        name: { type: 'string', title: 'Name' },
        age: { type: 'integer' },
        kind: { type: 'string', enum: ['a', 'b'] },
        sure: { type: 'boolean', default: true },
      },
      required: ['name', 'age'],
    },
  };

  test('is a form', async () => {
    const asked = await ask(
      ...(['elicitation/create', form] as const),
      ...([
        ['Answer it?', 'y\r'],
        ['Name: ', 'Ann\r'],
        ['age: ', 'old\r'],
        ['age: ', '7\r'],
        ['kind', '2\r'],
        ['sure', '\r'],
      ] as [string, string][]),
    );
    expect(asked.result).toEqual({ action: 'accept', content: { name: 'Ann', age: 7, kind: 'b', sure: true } });
    expect(asked.shown).toContain('Expected a whole number.');
    expect(asked.waits).toEqual([true, false]);
  });

  test.each([
    ['n\r', 'decline'],
    ['\r', 'cancel'],
    ['\u0004', 'cancel'],
  ])('is answered with %j', async (typed, action) => {
    expect((await ask('elicitation/create', form, ['Answer it?', typed])).result).toEqual({ action });
  });

  test('is asked again after a word that means nothing', async () => {
    const { result } = await ask('elicitation/create', form, ['Answer it?', 'maybe\r'], ['Answer it?', 'n\r']);
    expect(result).toEqual({ action: 'decline' });
  });

  test('lets the person change the request and the answer', async () => {
    const params = { messages: [{ role: 'user', content: { type: 'text', text: 'Capital?' } }], maxTokens: 5 };
    const { result, shown } = await ask(
      ...(['sampling/createMessage', params] as const),
      ...([
        ['Let it answer?', 'e\r'],
        ['Request', `\u0015${JSON.stringify({ ...params, systemPrompt: 'Be brief.' })}\r`],
        ['system: Be brief.', ''],
        ['Let it answer?', 'y\r'],
        ['Send it', 'e\r'],
        ['Answer', '\u0015Rome\r'],
        ['Send it', 'perhaps\r'],
        ['Send it', 'y\r'],
      ] as [string, string][]),
    );
    expect(result).toMatchObject({ content: { type: 'text', text: 'Rome' }, model: 'm' });
    expect(shown).toContain('  Rome');
  });

  test('is an address, which nothing opens', async () => {
    const { result, shown } = await ask(
      'elicitation/create',
      { mode: 'url', message: 'Pay', url: 'https://pay.test' },
      ['Agree?', 'y\r'],
    );
    expect(result).toEqual({ action: 'accept' });
    expect(shown).toContain('https://pay.test');
  });

  test('is a sampling request, which the person sees before the model, and its answer before the server', async () => {
    const params = { messages: [{ role: 'user', content: { type: 'text', text: 'Capital?' } }], maxTokens: 5 };
    const passed = await ask('sampling/createMessage', params, ['Let it answer?', 'y\r'], ['Send it', 'y\r']);
    expect(passed.result).toMatchObject({ content: { text: 'Paris' } });
    expect(passed.shown).toMatch(/Capital\?[\s\S]*Paris/);
    const kept = await ask('sampling/createMessage', params, ['Let it answer?', 'y\r'], ['Send it', 'n\r']);
    expect(kept.result).toBe('User refused sampling');
    expect((await ask('sampling/createMessage', params, ['Let it answer?', 'n\r'])).result).toBe(
      'User refused sampling',
    );
    const written = await ask('sampling/createMessage', params, ['Let it answer?', 'h\r'], ['place', 'Rome\r']);
    expect(written.result).toMatchObject({ content: { text: 'Rome' } });
  });
});
