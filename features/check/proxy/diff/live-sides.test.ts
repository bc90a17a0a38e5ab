import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPins } from '@/features/check/lib/pins/pins-file';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import type { Target } from '@/lib/wire/command';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import { styledText } from '@/proxy/cli/output';
import type { ConnectedServer } from '@/proxy/commands/headless/on-server';
import { sessionWith } from '@/proxy/commands/headless/test-against';
import { keptOutput } from '@/proxy/commands/headless/test-connection';
import { readCompareOptions } from '@/proxy/commands/shared/compare-report';
import { requestOf } from '@/proxy/commands/test-command-line';
import { readGates } from './gates';
import { liveDiff } from './live-report';
import { PlayedSide, playSides } from './play-sides';
import { distinguishingOptions, sidesOf } from './sides';

const FIXTURES = join(import.meta.dirname, '../../../../proxy/connection/fixtures');
const node = (script: string, ...args: string[]): Target => ({
  transport: 'stdio',
  command: process.execPath,
  args: [script, ...args],
});
const shop = (change: string) => node(join(FIXTURES, 'shop-server.mjs'), change);
const DEMO = node(join(import.meta.dirname, '../../../../examples/demo-server/server.mjs'));

const ORDER = { tool: 'order', arguments: { item: 'tea' }, save: { order: '$.content[0].text.order' } };
const STATUS = { name: 'is it on its way', tool: 'status', arguments: { order: '${order}' } };

interface SidesTest {
  readonly calls: readonly object[];
  readonly protocols?: readonly [ProtocolChoice, ProtocolChoice];
  readonly environment?: Readonly<Record<string, string>>;
  readonly failOn?: string;
}

/** Compares two servers. */
async function compare(targets: readonly [Target, Target], { calls, protocols, environment = {}, failOn }: SidesTest) {
  const out = keptOutput();
  const redactor = new CaptureRedactor(Object.values(environment));
  const sides = targets.map((target, at) => {
    const protocol = protocols?.[at] ?? '2025-11-25';
    const side = new PlayedSide({ name: 'AB'[at]!, title: `server ${at}`, protocol });
    return { side, connection: sessionWith(target, protocol, { onFrame: side.onFrame, redactor }) };
  });
  try {
    const [one, other] = await Promise.all(
      sides.map(async ({ side, connection }) => {
        const negotiated = await connection.open();
        const server: ConnectedServer = {
          connection,
          negotiated,
          out,
          stray: { takeLines: () => undefined },
          explain: async (error) => error,
        };
        return [side, server] as const;
      }),
    );
    const pins = readPins(JSON.stringify({ pins: 1, calls }));
    const how = readCompareOptions(new Map());
    const plan = { pins, how, environment: (name: string) => environment[name], redactor, status: out.status };
    const result = await playSides(one!, other!, plan);
    const diff = liveDiff('a → b', result, readGates(new Map(failOn === undefined ? [] : [['fail-on', [failOn]]])));
    const text = styledText(diff.lines, false).replace(/ {2}[\d.]+ (?:µs|m?s) → [\d.]+ (?:µs|m?s)$/gm, '');
    return { result, text, ...diff };
  } finally {
    await Promise.all(sides.map(({ connection }) => connection.close()));
  }
}

test('two servers that answer alike are equal, whatever their ids and times', async () => {
  const { facts, json, text } = await compare([shop('same'), shop('same')], { calls: [ORDER, STATUS] });
  expect(text).toBe(
    [
      'A  server 0  shop 1.0.0, 2025-11-25, 5 tools',
      'B  server 1  shop 1.0.0, 2025-11-25, 5 tools',
      'same     tools/call order',
      'same     is it on its way',
      'Tools: ~86 tokens before, ~86 tokens after.',
      'No difference: the server offers the same, 2 calls got the same response.',
    ].join('\n'),
  );
  expect(facts.isEqual).toBe(true);
  expect(json).toMatchObject({ equal: true, summary: { same: 2 }, calls: [{ verdict: 'same' }, {}] });
});

test('shows what differs in lists and in answers', async () => {
  const answers = await compare([shop('same'), shop('result')], { calls: [ORDER] });
  expect(answers.text).toContain('changed  tools/call order\n  changed content[0].text → price: 10 → 12\n');
  expect(answers.facts.isEqual).toBe(false);
  expect(answers.cases.flatMap(({ failures }) => failures)).toEqual(['changed content[0].text → price: 10 → 12']);
  const lists = await compare([shop('same'), shop('schema')], { calls: [] });
  expect(lists.text).toContain('breaking  The parameter `address` is new and required');
  expect(lists.facts.isEqual).toBe(false);
});

test('compares with A, not with the accepted answer, whose ids it replaces on both sides', async () => {
  const id = '0b6b6c2e-8a53-4f43-9f2d-111111111111';
  const accepted = { content: [{ type: 'text', text: JSON.stringify({ order: id, item: 'coffee', price: 1 }) }] };
  const calls = [
    { tool: 'order', arguments: { item: 'tea' }, result: accepted },
    { tool: 'status', arguments: { order: id } },
  ];
  const { facts, text } = await compare([shop('same'), shop('same')], { calls });
  expect(text).toContain('2 calls got the same response');
  expect(facts.isEqual).toBe(true);
});

test('two eras of one server: neither the version nor the envelope of modern results is a difference', async () => {
  const calls = [{ tool: 'echo', arguments: { message: 'a' } }, { resource: 'light://lamp' }, { method: 'ping' }];
  const { result, text } = await compare([DEMO, DEMO], { calls, protocols: ['2025-11-25', '2026-07-28'] });
  expect(result.offers.catalogue).toEqual([]);
  expect(result.calls.map(({ verdict }) => verdict)).toEqual(['same', 'same', 'broken']);
  expect(text).toContain('ended differently: a result → error -32601');
});

test('a call that is lost or skipped says on which side', async () => {
  const fatal = { tool: 'fall_into_sea', arguments: { how: 'exit' } };
  const { facts, result } = await compare([shop('same'), DEMO], {
    calls: [{ tool: 'x', arguments: { a: '${env:NONE}' } }, fatal],
  });
  expect(result.calls).toMatchObject([
    { verdict: 'skipped', why: 'A: The environment has no NONE.' },
    { verdict: 'broken', why: expect.stringMatching(/^B: .*exited/) },
  ]);
  expect(facts.isEqual).toBe(false);
});

test('a server that goes away before its lists are read is named', async () => {
  const gone = node(join(FIXTURES, 'hostile-server.mjs'), 'exit-after-open');
  await expect(compare([gone, shop('same')], { calls: [] })).rejects.toThrow(/^A: The server exited with code 5/);
});

test('masks secrets in what it reports', async () => {
  const secret = 'hunter2-hunter2-hunter2';
  const { text, facts, json } = await compare([DEMO, shop('same')], {
    calls: [{ tool: 'echo', arguments: { message: '${env:KEY}' } }],
    environment: { KEY: secret },
  });
  expect(facts.isEqual).toBe(false);
  expect(text + JSON.stringify(json)).not.toContain(secret);
});

describe('the two sides of a command line', () => {
  const sides = (...argv: string[]) => sidesOf(requestOf('diff', ...argv));
  const given = (request: ReturnType<typeof sides>[number]) => Object.fromEntries(request.given);

  test('two commands, or two URLs', () => {
    const [first, second] = sides('pins.json', '--', 'node', 'a.js', '--x', '---', 'node', 'b.js', '--y');
    expect(first).toMatchObject({ words: ['pins.json'], server: ['node', 'a.js', '--x'] });
    expect(second).toMatchObject({ command: 'diff', server: ['node', 'b.js', '--y'] });
    expect(sides('--', 'http://a', '---', 'http://b')[1].server).toEqual(['http://b']);
  });

  test('the second side has the server and the options of the first, except those that it gives', () => {
    const first = ['--protocol', '2025-06-18', '--capabilities', 'all', '--env', 'A=1', '--', 'node', 'a.js'];
    const [one, other] = sides(...first, '---', '--protocol', '2025-11-25');
    expect(other.server).toEqual(['node', 'a.js']);
    expect(given(other)).toEqual({ protocol: ['2025-11-25'], capabilities: ['all'], env: ['A=1'] });
    expect(distinguishingOptions(one, other)).toBe(' (--protocol 2025-06-18)');
    expect(distinguishingOptions(other, one)).toBe(' (--protocol 2025-11-25)');
  });

  test('a server of its own does not get the variables of the first', () => {
    const first = ['--protocol', '2025-06-18', '--env', 'A=1', '--', 'node', 'a.js', '---'];
    expect(given(sides(...first, '--env', 'B=2', '--', 'node', 'b.js')[1])).toEqual({
      protocol: ['2025-06-18'],
      env: ['B=2'],
    });
    const [, other] = sides('--config', 'c.json', '--server', 'a', '--', '---', '--config', 'c.json', '--server', 'b');
    expect(given(other)).toEqual({ config: ['c.json'], server: ['b'] });
  });

  test.each<[string, string[]]>([
    ['There is no second side', ['--', 'node', 'a.js']],
    ['write `---` between the two servers', ['--', 'node', 'a.js', '--', 'node', 'b.js']],
    ['After `---`, write options', ['--', 'node', 'a.js', '---']],
    ['After `---`, write options', ['--', 'node', 'a.js', '---', '--help']],
    ['There is no option `--nope`', ['--', 'node', 'a.js', '---', '--nope']],
  ])('%s', (text, argv) => {
    expect(() => sides(...argv)).toThrow(text);
  });
});
