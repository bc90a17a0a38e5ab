import { describe, expect, test } from 'vitest';
import { DEFAULT_NORMALISER } from '@/lib/replay/compare/normalise';
import { readPins } from './pins-file';
import { type AskServer, pinVariables, playPins, withNeeded } from './play-pins';
import { fillValues } from './references';

const HOW = { mode: 'semantic', normaliser: DEFAULT_NORMALISER } as const;

/** A result with the server’s own name and version, as modern servers send it. */
const from = (version: string, name = 'server') => ({
  _meta: { 'io.modelcontextprotocol/serverInfo': { name, version } },
});

/** Plays calls to a server that answers by `answer`, and returns verdicts and what was sent. */
async function play(calls: readonly object[], answer: (params: string, n: number) => unknown, env = {}) {
  const sent: (string | undefined)[] = [];
  const ask: AskServer = async (_, params) => {
    const said = answer(params ?? '', sent.push(params) - 1);
    if (said === undefined) return { lost: 'The server exited.', ms: 1 };
    if (said instanceof Error)
      return { answer: { kind: 'error', text: `{"code":-1,"message":"${said.message}"}` }, ms: 1 };
    return { answer: { kind: 'result', text: JSON.stringify(said) }, ms: 1 };
  };
  const played = [];
  const pins = readPins(JSON.stringify({ pins: 1, calls }));
  for await (const one of playPins(pins, ask, HOW, (name) => (env as Record<string, string>)[name])) played.push(one);
  return { played, sent, verdicts: played.map(({ verdict }) => verdict) };
}

describe('a pinned call', () => {
  test.each([
    ['same', { result: { a: 1, at: '2026-01-01T00:00:00Z' } }, { a: 1, at: '2026-02-02T00:00:00Z' }],
    ['changed', { result: { a: 1 } }, { a: 2 }],
    ['same', { result: { a: 1 }, ignore: ['$.a'] }, { a: 2 }],
    ['same', { result: from('1.0.0') }, from('1.1.0')],
    ['changed', { result: from('1.0.0') }, from('1.0.0', 'other')],
    ['new', {}, { a: 2 }],
    ['new', {}, new Error('no')],
    ['broken', { result: { a: 1 } }, { a: 1, isError: true }],
    ['broken', { result: { a: 1 } }, new Error('no')],
    ['broken', { result: { a: 1 } }, undefined],
    ['broken', {}, undefined],
    ['same', { error: { code: -1, message: 'no' } }, new Error('no')],
    ['changed', { error: { code: -1, message: 'no' } }, { a: 1 }],
    ['changed', { result: { isError: true, a: 1 } }, { isError: true, a: 2 }],
  ])('is %s: %j, then %j', async (verdict, accepted, answer) => {
    expect((await play([{ tool: 't', ...accepted }], () => answer)).verdicts).toEqual([verdict]);
  });
});

describe('values of an answer', () => {
  test('are used in later calls, with their type and digits', async () => {
    const calls = [
      { tool: 'create', save: { id: '$.content[0].text.id', n: '$.n' } },
      {
        tool: 'read',
        arguments: { id: '${id}', n: '${n}', text: 'note ${id} of ${n}', other: '${HOME}', dollar: '$${id}' },
      },
    ];
    const { sent } = await play(calls, (_, n) =>
      n === 0 ? { content: [{ type: 'text', text: '{"id":"n-7"}' }], n: 3 } : {},
    );
    expect(sent[1]).toBe(
      '{"name":"read","arguments":{"id":"n-7","n":3,"text":"note n-7 of 3","other":"${HOME}","dollar":"${id}"}}',
    );
  });

  test('that are missing skip the calls that use them, and the calls after these', async () => {
    const calls = [
      { tool: 'create', save: { id: '$.id' } },
      { tool: 'read', arguments: { id: '${id}' }, save: { text: '$.text' } },
      { tool: 'write', arguments: { text: '${text}' } },
      { tool: 'time' },
    ];
    const { played, verdicts, sent } = await play(calls, () => ({}));
    expect(verdicts).toEqual(['new', 'skipped', 'skipped', 'new']);
    expect(played.map(({ why }) => why)).toEqual([
      undefined,
      'The answer of “tools/call create” has no value for id.',
      '“tools/call read” was skipped.',
      undefined,
    ]);
    expect(sent).toHaveLength(2);
  });

  test('ids that differ from the accepted ones are replaced in later calls', async () => {
    const [was, is] = ['0b0e8400-e29b-41d4-a716-446655440000', '11111111-e29b-41d4-a716-446655440000'];
    const calls = [
      { tool: 'create', result: { note: was } },
      { tool: 'read', arguments: { note: was } },
    ];
    const { sent, verdicts } = await play(calls, () => ({ note: is }));
    expect(verdicts[0]).toBe('same');
    expect(sent[1]).toContain(is);
  });
});

describe('the environment', () => {
  test('gives values, as text', async () => {
    const { sent } = await play([{ tool: 't', arguments: { key: '${env:KEY}', b: 'Bearer ${env:KEY}' } }], () => ({}), {
      KEY: 'a"b',
    });
    expect(JSON.parse(sent[0]!)).toEqual({ name: 't', arguments: { key: 'a"b', b: 'Bearer a"b' } });
  });

  test('lacks a value: the call is skipped', async () => {
    const { played } = await play([{ tool: 't', arguments: { key: '${env:KEY}' } }], () => ({}));
    expect(played[0]).toMatchObject({ verdict: 'skipped', why: 'The environment has no KEY.' });
  });

  test('has to give what was redacted', async () => {
    const { played } = await play([{ tool: 't', arguments: { key: '[redacted:token:1f2e3d4c]' } }], () => ({}));
    expect(played[0]).toMatchObject({ verdict: 'skipped', why: expect.stringContaining('${env:NAME}') });
  });

  test('is asked for the names in a file', () => {
    const pins = readPins('{"pins":1,"calls":[{"tool":"t","arguments":{"a":"${env:A} ${env:B} ${c} $${env:D}"}}]}');
    expect([...pinVariables(pins)]).toEqual(['A', 'B']);
  });

  test.each([
    String.raw`"${'${'}env:HR_\u0053ECRET}"`,
    String.raw`"\u0024{env:HR_SECRET} $${'${'}"`,
    String.raw`"\u0024\u007Benv:HR_SECRET}"`,
  ])('is asked only for names that are shown, however they are spelt: %s', (written) => {
    const pins = readPins(`{"pins":1,"calls":[{"tool":"t","arguments":{"a":${written}}}]}`);
    const asked: string[] = [];
    fillValues(pins[0]!.params!, new Map(), (name) => void asked.push(name));
    expect(asked).toContain('HR_SECRET');
    expect([...pinVariables(pins)]).toEqual(['HR_SECRET']);
  });

  test('attack: an id of a server can’t ask for a value', async () => {
    const calls = [
      { tool: 'create', result: { id: 'n-1' } },
      { tool: 'read', arguments: { id: 'n-1' } },
    ];
    const { sent } = await play(calls, () => ({ id: '${env:KEY}' }), { KEY: 'hunter2' });
    expect(sent[1]).toBe('{"name":"read","arguments":{"id":"${env:KEY}"}}');
  });
});

test('a call needs the one that saves its value, however the name is spelt', () => {
  const calls = String.raw`{"tool":"a","save":{"note":"$.id"}},{"tool":"b","arguments":{"id":"\u0024{note}"}}`;
  expect([...withNeeded(readPins(`{"pins":1,"calls":[${calls}]}`), new Set([1]))]).toContain(0);
});

test('a member is named by the text of a value', () => {
  const values = new Map([
    ['n', '7'],
    ['o', '{"a":"b"}'],
    ['s', '"text"'],
  ]);
  const { text } = fillValues('{"${n}":"${n}","${o}" : 1,"${s}":["${o}"]}', values, () => undefined);
  expect(text).toBe('{"7":7,"{\\"a\\":\\"b\\"}" : 1,"text":[{"a":"b"}]}');
});

test('attack: values and names are never read as references or patterns', () => {
  const values = new Map([['a', JSON.stringify('${b} $& $1 ${env:SECRET}')]]);
  const { text } = fillValues('{"x":"${a}","y":"<${a}>","z":"${__proto__}"}', values, () => 'leaked');
  expect(JSON.parse(text)).toEqual({
    x: '${b} $& $1 ${env:SECRET}',
    y: '<${b} $& $1 ${env:SECRET}>',
    z: '${__proto__}',
  });
});
