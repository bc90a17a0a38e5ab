import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PinsRequest } from '@/features/check/lib/pins/pins-api';
import type { Connection } from '@/lib/hub/connection';
import type { Target } from '@/lib/wire/command';
import type { Launch } from '@/proxy/connection/launch';
import { openHub, type TestTab } from '@/proxy/connection/test-hub';
import { PagePins } from './page-pins';
import { PinPlayer } from './pin-player';
import { PinsOnDisk } from './pins-on-disk';
import { pinsRoute } from './pins-route';

const SHOP = join(import.meta.dirname, '../../../../proxy/connection/fixtures/shop-server.mjs');
const shop = (change = 'same'): Target => ({ transport: 'stdio', command: process.execPath, args: [SHOP, change] });
const ORDER = { tool: 'order', arguments: { item: 'tea' }, save: { order: '$.content[0].text.order' } };
const STATUS = { name: 'is it on its way', tool: 'status', arguments: { order: '${order}' } };

let folder: string;
let path: string;
let file: PinsOnDisk;
let player: PinPlayer;
let pins: PagePins;
let open: Awaited<ReturnType<typeof openHub>>;
let tab: TestTab;
const environment = new Map<string, string>();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-pins-'));
  path = join(folder, 'mcp-inspect.pins.json');
  file = new PinsOnDisk(path);
  player = new PinPlayer(file, (name) => environment.get(name));
  open = await openHub();
  pins = new PagePins(file, player, open.hub);
  tab = await open.tab();
});
afterEach(async () => {
  await open.close();
  rmSync(folder, { recursive: true });
});

const write = (...calls: readonly object[]) => writeFileSync(path, JSON.stringify({ pins: 1, calls }, undefined, 2));
const live = (id: string): Connection<Launch> => open.hub.live(id);
const opened = (id: string) => tab.until(() => live(id).summary.state === 'open');
const steps = () =>
  tab.texts('lifecycle').flatMap((text) => (text.startsWith('{"event":"pins"') ? [JSON.parse(text)] : []));
/** Asks as a page does. */
const ask = async (request: PinsRequest) => {
  const { handle, path } = pinsRoute((asked) => pins.run(asked));
  const { status, body } = await handle({ path, base: '', body: JSON.stringify(request), query: '' });
  return { status, ...JSON.parse(String(body)) };
};
const verdicts = () => steps().flatMap(({ verdict }) => verdict ?? []);
const ended = (times = 1) => tab.until(() => steps().filter(({ phase }) => phase === 'ended').length === times);

async function play(connection: string, keys?: readonly string[]) {
  const before = steps().filter(({ phase }) => phase === 'ended').length;
  const done = await ask({ kind: 'play', connection, ...(keys && { keys }) });
  if (done.status === 200) await ended(before + 1);
  return done;
}

const keys = async () => (await file.read()).keys;

test('calls, verdicts and the frames of each call are in the log, and what is accepted is the same next time', async () => {
  write(ORDER, STATUS);
  const connection = await tab.connect(shop());
  expect(await play(connection)).toEqual({ status: 200 });
  expect(steps().map(({ phase }) => phase)).toEqual(['started', 'played', 'played', 'ended']);
  expect(verdicts()).toEqual(['new', 'new']);
  const [, ordered] = steps();
  const frame = (seq: number) => Buffer.from(tab.frames[seq - 1]!.bytes).toString();
  expect(frame(ordered.seq)).toContain('"name":"order"');
  expect(frame(ordered.answerSeq)).toContain('placedAt');
  expect(ordered).not.toHaveProperty('msBefore');

  expect(await ask({ kind: 'accept', connection, keys: await keys() })).toEqual({ status: 200 });
  expect(readFileSync(path, 'utf8')).toContain('tea is on its way');
  await play(connection);
  expect(verdicts().slice(2)).toEqual(['same', 'same']);
  expect(steps().at(-2)).toHaveProperty('msBefore');
  const { pins } = await file.list();
  expect(steps().at(-2)!.accepted).toBe(pins[1]!.accepted!.digest);
});

test('what changed after a restart is in the log, and its last time, too', async () => {
  write(ORDER);
  const first = await tab.connect(shop());
  await play(first);
  await ask({ kind: 'accept', connection: first, keys: await keys() });
  const other = await tab.connect(shop('result'));
  await opened(other);
  await play(other);
  const changed = steps().at(-2);
  expect(changed).toMatchObject({ verdict: 'changed', differences: [{ kind: 'changed', before: '10', after: '12' }] });
  expect(changed.answer).not.toBe(changed.accepted);
  const again = (await tab.ask({ type: 'restart', connection: other })) as { connection: string };
  tab.send({ type: 'attach', connection: again.connection, after: 0 });
  await opened(again.connection);
  const run = await player.play(live(again.connection));
  expect(await run.ended).toMatchObject({
    why: undefined,
    outcomes: [{ verdict: 'changed', msBefore: expect.any(Number) }],
  });
});

test('it is known on which server somebody last played calls, which a save does not change', async () => {
  write(ORDER);
  const [first, other] = [await tab.connect(shop()), await tab.connect(shop())];
  await Promise.all([opened(first), opened(other)]);
  await (await player.play(live(other), { by: 'save' })).ended;
  expect(player.playedEntry).toBeUndefined();
  // The tab sees both connections, and counts the ends of runs.
  await ended();
  await play(first);
  await (await player.play(live(other), { by: 'save' })).ended;
  expect(player.playedEntry).toBe(first);
});

test('a save plays the calls only on the server of the command line, or else on the one of the last time', async () => {
  write(ORDER);
  const [first, other] = [await tab.connect(shop()), await tab.connect(shop())];
  await Promise.all([opened(first), opened(other)]);
  const played = vi.spyOn(player, 'play');
  const save = (id: string, given?: string) => pins.playOnSave(live(id), new AbortController().signal, given);
  await save(first);
  await save(other, first);
  expect(played).not.toHaveBeenCalled();
  await save(first, first);
  await play(other);
  await save(first);
  await save(other);
  await save(other, first);
  expect(played.mock.calls.map(([{ id }, options]) => [id, options?.by])).toEqual([
    [first, 'save'],
    [other, undefined],
    [other, 'save'],
  ]);
});

test('a save without a pins file plays nothing, and calls are played on live connections only', async () => {
  const connection = await tab.connect(shop());
  await opened(connection);
  await pins.playOnSave(live(connection), new AbortController().signal, connection);
  expect(steps()).toEqual([]);
  expect(await ask({ kind: 'play', connection: 'c99' })).toMatchObject({ status: 409, code: 'no-connection' });
});

test('one call is played together with those whose values it uses', async () => {
  write({ tool: 'status', arguments: { order: 'none' } }, ORDER, STATUS);
  const connection = await tab.connect(shop());
  await play(connection, [(await keys())[2]!]);
  expect(steps().map(({ name }) => name)).toEqual([undefined, 'tools/call order', 'is it on its way', undefined]);
});

test('a run can be stopped, which cancels its call, and only one runs at a time', async () => {
  write({ tool: 'confirm' }, ORDER);
  const connection = await tab.connect(shop('asks'));
  await ask({ kind: 'play', connection });
  expect(await ask({ kind: 'play', connection })).toMatchObject({ status: 409, code: 'pins-playing' });
  await ask({ kind: 'stop', connection });
  await ended();
  expect(steps().at(-1)).toMatchObject({ phase: 'ended', why: 'Stopped after 0 of 2 calls.' });
  expect(await play(connection, [(await keys())[1]!])).toEqual({ status: 200 });
});

test('a server that exits breaks its call, and ends the run', async () => {
  write(ORDER, STATUS, { tool: 'order', arguments: { item: 'milk' } });
  const connection = await tab.connect(shop('exits'));
  await play(connection);
  expect(verdicts()).toEqual(['new', 'broken']);
  expect(steps().at(-1)).toMatchObject({ why: 'The connection ended after 2 of 3 calls.' });
  expect(await ask({ kind: 'play', connection })).toMatchObject({ status: 409, code: expect.any(String) });
});

test('an error of our own ends a run, and is in the log', async () => {
  const failing = new PinPlayer(file, () => {
    throw new RangeError('own');
  });
  write({ ...ORDER, arguments: { item: '${env:SHOP_ITEM}' } });
  const connection = await tab.connect(shop());
  await opened(connection);
  const { ended: run } = await failing.play(live(connection));
  const why = 'An error of mcp-inspect (RangeError) ended it after 0 of 1 call.';
  expect(await run).toEqual({ outcomes: [], why });
  await ended();
  expect(steps().at(-1)).toMatchObject({ phase: 'ended', why });
});

test('secrets are masked in the verdicts and in what is accepted, also those of the environment', async () => {
  environment.set('SHOP_ITEM', 'correct-horse-battery');
  write({ ...ORDER, arguments: { item: '${env:SHOP_ITEM}' }, result: { content: [] } });
  const connection = await tab.connect(shop());
  await play(connection);
  await ask({ kind: 'accept', connection, keys: await keys() });
  expect(JSON.stringify(steps())).not.toContain('correct-horse');
  expect(readFileSync(path, 'utf8')).not.toContain('correct-horse');
  expect(tab.texts('protocol').some((text) => text.includes('correct-horse-battery'))).toBe(true);
});

describe('nothing is played or accepted', () => {
  test.each([
    ['without a file', undefined, 'no-pins'],
    ['if the file is not JSON', 'nonsense', 'pins-unreadable'],
    ['if it has no call', '{"pins":1,"calls":[]}', 'no-pins'],
  ])('%s', async (_, text, code) => {
    if (text !== undefined) writeFileSync(path, text);
    const connection = await tab.connect(shop());
    expect(await ask({ kind: 'play', connection })).toMatchObject({ status: 409, code });
    expect(await ask({ kind: 'play', connection })).toMatchObject({ status: 409, code });
    expect(steps()).toEqual([]);
  });

  test('that is no longer in the file, or that was not played', async () => {
    write(ORDER);
    const connection = await tab.connect(shop());
    const before = readFileSync(path, 'utf8');
    const accept = async (key: string) => ask({ kind: 'accept', connection, keys: [key] });
    expect(await accept('x')).toMatchObject({ code: 'no-pin' });
    expect(await accept((await keys())[0]!)).toMatchObject({ code: 'no-answer' });
    expect(await ask({ kind: 'play', connection, keys: ['x'] })).toMatchObject({ code: 'no-pin' });
    expect(readFileSync(path, 'utf8')).toBe(before);
  });
});
