import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PinChange, PinChangedReply, PinsReply } from '@/features/check/lib/pins/pins-api';
import { readPins } from '@/features/check/lib/pins/pins-file';
import { fillValues } from '@/features/check/lib/pins/references';
import { PagePins } from './page-pins';
import { PinPlayer } from './pin-player';
import { PinsOnDisk } from './pins-on-disk';
import { pinsRoute } from './pins-route';

let folder: string;
let path: string;
let route: ReturnType<typeof pinsRoute>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-pins-'));
  path = join(folder, 'mcp-inspect.pins.json');
  route = routeOf(new PinsOnDisk(path), (text) => text.replaceAll('hunter2', '[redacted]'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the route of a pins file, of a page without connections. */
function routeOf(file: PinsOnDisk, redactedText = (text: string) => text) {
  const live = (): never => {
    throw new Error('no connection');
  };
  const pins = new PagePins(file, new PinPlayer(file, () => undefined), { live, redactedText });
  return pinsRoute((request) => pins.run(request));
}

const ask = async (body: string) => {
  const { status, body: text } = await route.handle({ path: route.path, base: '', body, query: '' });
  return { status, value: status === 400 ? undefined : JSON.parse(String(text)) };
};
const list = async (version = '') => (await ask(JSON.stringify({ kind: 'list', version }))).value as PinsReply;
const change = async (made: PinChange) => {
  const { status, value } = await ask(JSON.stringify(made));
  return { status, ...(value as PinChangedReply) };
};
const ADD = { kind: 'pin', method: 'tools/call', params: '{"name":"add","arguments":{"a":1.0}}' } as const;
const text = () => readFileSync(path, 'utf8');

test('the first pinned call makes the file, and each change answers with the list', async () => {
  expect(await list()).toEqual({ path, version: '', pins: [] });
  const { key, pins } = await change({ ...ADD, answer: { kind: 'result', text: '{"content": [ ]}' } });
  expect(pins.pins).toMatchObject([
    { key, name: 'tools/call add', method: 'tools/call', accepted: { kind: 'result' } },
  ]);
  expect(text()).toContain('"a": 1.0');
  expect((await change({ kind: 'rename', key: key!, name: 'adds' })).pins.pins[0]).toMatchObject({ key, name: 'adds' });
  const { value } = await ask(JSON.stringify({ kind: 'answer', key }));
  expect(JSON.parse(value.text)).toEqual({ content: [] });
  expect((await change({ kind: 'delete', key: key! })).pins.pins).toEqual([]);
  expect(await change({ kind: 'delete', key: key! })).toMatchObject({ status: 409, code: 'no-pin' });
});

test('an equal call is not pinned twice: its answer is accepted instead', async () => {
  const first = await change(ADD);
  const params = '{"arguments":{"a":1},"name":"add","_meta":{"progressToken":3}}';
  const second = await change({ ...ADD, params, answer: { kind: 'error', text: '{"code":-1}' } });
  expect(second).toMatchObject({ key: first.key, again: true });
  expect(second.pins.pins).toMatchObject([{ accepted: { kind: 'error' } }]);
});

test('a list is sent again only when the file has changed on disk', async () => {
  await change(ADD);
  const { version } = await list();
  expect(await list(version)).toEqual({});
  writeFileSync(path, '{"pins":1,"calls":[]}');
  expect(await list(version)).toMatchObject({ path, pins: [] });
});

test('secrets are masked, and the reply says so', async () => {
  const params = '{"name":"in","arguments":{"password":"hunter2"}}';
  const reply = await change({ ...ADD, params, answer: { kind: 'result', text: '{"said":"hunter2"}' } });
  expect(reply.masked).toBe('call');
  const answer = { kind: 'result', text: '{"said":"hunter2"}' } as const;
  expect(await change({ ...ADD, answer })).toMatchObject({ masked: 'answer' });
  expect(text()).not.toContain('hunter2');
});

describe('attacks', () => {
  test.each(['"${env:HOME}"', String.raw`"\u0024{env:HOME} in ${'${'}"`, String.raw`"${'${'}env:HO\u004dE}"`])(
    'a page can’t make a pinned call read the environment: %s',
    async (argument) => {
      const params = `{"name":"t","arguments":{"a":${argument}}}`;
      await change({ ...ADD, params });
      expect((await list()).pins[0]!.reads).toEqual([]);
      const asked: string[] = [];
      const [pin] = readPins(text());
      const sent = fillValues(pin!.params!, new Map(), (name) => void asked.push(name));
      expect(asked).toEqual([]);
      expect(JSON.parse(sent.text)).toEqual(JSON.parse(params));
    },
  );

  test.each(['nonsense', '[]', '{"pins":1,"calls":[{"tool":1}]}', `{"pins":1,"calls":[],"x":"${'y'.repeat(99)}`])(
    'a file that is not a pins file is one error, and never written: %.30s',
    async (bad) => {
      writeFileSync(path, bad);
      expect((await list()).failure).toMatchObject({ code: 'pins-unreadable', message: expect.stringContaining(path) });
      expect(await change(ADD)).toMatchObject({ status: 409, code: 'pins-unreadable' });
      expect(text()).toBe(bad);
    },
  );

  test('a link is replaced itself, and a new file follows none', async () => {
    const victim = join(folder, 'victim');
    writeFileSync(victim, '{"pins":1,"calls":[]}');
    symlinkSync(victim, path);
    expect((await change(ADD)).status).toBe(200);
    expect(readFileSync(victim, 'utf8')).toBe('{"pins":1,"calls":[]}');
    rmSync(path);
    symlinkSync(join(folder, 'nowhere'), path);
    expect(await change(ADD)).toMatchObject({ status: 409 });
  });

  test('nothing is written that was refused in the terminal', async () => {
    const refuse = async () => {
      throw Object.assign(new Error('no'), { code: 'not-confirmed', advice: '' });
    };
    route = routeOf(new PinsOnDisk(path, refuse));
    expect(await change(ADD)).toMatchObject({ status: 409, code: 'not-confirmed' });
    expect(() => statSync(path)).toThrow();
  });

  test.each([
    '{}',
    '[]',
    '{"kind":"pin"}',
    '{"kind":"pin","method":""}',
    '{"kind":"pin","method":"a","params":"{"}',
    '{"kind":"pin","method":"a","answer":{"kind":"result","text":1}}',
    '{"kind":"pin","method":"a","answer":{"kind":"other","text":"1"}}',
    '{"kind":"delete"}',
    '{"kind":"rename","key":"a"}',
    '{"kind":"other","key":"a"}',
    '{"kind":"play"}',
    '{"kind":"play","connection":"c1","keys":"a"}',
    '{"kind":"accept","connection":"c1"}',
    '{"kind":"stop","connection":1}',
  ])('%s is refused', async (body) => {
    expect((await ask(body)).status).toBe(400);
  });
});
