import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrameLog } from '@/lib/hub/frame-log';
import { cutBatch } from '@/lib/hub/viewer';
import { joinBytes } from '@/lib/json/typed-arrays';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { AUTH_STEPS } from '@/lib/wire/auth-step';
import { encodeBatchHeader } from '@/lib/wire/batch';
import type { Command } from '@/lib/wire/command';
import { FakeClock } from '@/lib/wire/test-clock';
import { Recorder } from '../recorder/recorder';
import { PAGE_RECORDING_AWAY_MS } from './page-recordings';
import { hostileTarget, openHub, type TestTab } from './test-hub';

type Message = string | Uint8Array;

const START = {
  event: 'start',
  at: '2026-01-01T00:00:00.000Z',
  name: 'a host',
  transport: 'http',
  url: 'https://h/mcp',
  via: 'direct',
  headerNames: [],
  protocol: 'auto',
};

const ODD = fc.constantFrom<unknown>(null, -1, 1.5, '', '\ud800', '__proto__', [], {}, 2 ** 53, 'x'.repeat(5000), true);
const COUNT = fc.constantFrom(0, 1, 2, 3, 7, 1024, Number.MAX_SAFE_INTEGER);
/** Ids of the newest connections of the proxy, and an unknown id. */
const OURS = fc.constantFrom('newest-1', 'newest-2', 'newest-3', 'c99');
/** Ids that pages give to their own connections. */
const THEIRS = fc.constantFrom('d1', 'd2', 'd3', 'd999999999');
const TEXT = fc.constantFrom('', '{}', '{"a":1}', '[1', 'null', 'ping', 'tools/list', '\u0000', '{"jsonrpc":"2.0"}\n');
const FLAG = fc.boolean();
const TARGET = fc.constantFrom<unknown>(
  hostileTarget('honest'),
  { transport: 'stdio', command: '/nowhere/at-all', args: [] },
  { transport: 'http', url: 'http://127.0.0.1:1/mcp' },
  { transport: 'auto', url: 'no url' },
  { transport: 'sse', url: 'file:///etc/passwd', base: 'c1', headers: { 'bad name': 'a\nb' } },
);

const PROFILE = fc.constantFrom<unknown>(
  {},
  { capabilities: {}, info: { name: '\u0000' }, meta: { a: 1 }, timeouts: { silenceMs: 5 } },
  { capabilities: { extensions: { constructor: {} }, experimental: { toString: {} } } },
  { meta: { progressToken: 1 } },
);

/** The fields that each command may have. */
const FIELDS: { readonly [T in Command['type']]: Readonly<Record<string, fc.Arbitrary<unknown>>> } = {
  connect: { target: TARGET, protocol: fc.constantFrom('auto', '2025-06-18', '2026-07-28') },
  watch: { connection: OURS, on: FLAG },
  'set-overlay': { connection: OURS, overlay: fc.oneof(TEXT, fc.constant('{"tools":{"echo":{"hidden":true}}}')) },
  attach: { connection: OURS, after: COUNT },
  read: { connection: OURS, from: COUNT, to: COUNT },
  request: { connection: OURS, method: TEXT, params: TEXT, timeoutMs: fc.constantFrom(0, 5, 60_000) },
  notify: { connection: OURS, method: TEXT, params: TEXT },
  'app-message': { connection: OURS, direction: fc.constantFrom('to-server', 'to-client', 'x'), text: TEXT },
  'send-raw': { connection: OURS, text: TEXT, terminate: FLAG },
  cancel: { connection: OURS, id: fc.oneof(COUNT, TEXT) },
  answer: {
    connection: OURS,
    id: fc.oneof(COUNT, TEXT),
    answer: fc.oneof(fc.record({ result: TEXT }), fc.constant({ error: { code: -1, message: 'no' } })),
    always: fc.constant(true),
  },
  standing: {
    connection: OURS,
    change: fc.constantFrom({ id: '1', kind: 'delete' }, { id: '1', kind: 'pause', paused: true }),
  },
  'set-roots': { connection: OURS, roots: fc.array(fc.record({ uri: TEXT }), { maxLength: 3 }) },
  'log-level': { connection: OURS, level: fc.constantFrom('debug', 'error', null) },
  reveal: { connection: OURS, seq: COUNT, field: fc.oneof(COUNT, fc.constant('url')) },
  note: { connection: OURS, on: COUNT, text: TEXT, bookmark: FLAG },
  'set-profile': { connection: OURS, profile: PROFILE },
  'try-profile': { connection: OURS, profile: PROFILE, trial: fc.constantFrom('without roots', 'x'.repeat(300)) },
  restart: { connection: OURS, profile: PROFILE },
  close: { connection: OURS },
  retry: { connection: OURS },
  'cancel-sign-in': { connection: OURS },
  'sign-out': { connection: OURS },
  'keep-sign-in': { connection: OURS },
  'auth-step': { connection: OURS, step: fc.constantFrom(...AUTH_STEPS) },
  'look-further': { connection: OURS, where: fc.constantFrom('paths', 'loopback') },
  record: { connection: THEIRS, key: fc.nat(40).map((n) => `key-number-${n}`), begin: FLAG },
  'record-end': { connection: THEIRS },
  'set-rules': {
    connection: OURS,
    rules: fc.array(fc.record({ name: TEXT, when: TEXT, action: fc.constantFrom({ do: 'hold' }, { do: 'drop' }) }), {
      maxLength: 2,
    }),
  },
  'read-held': { connection: OURS, hold: COUNT },
  decide: { connection: OURS, hold: COUNT, decision: fc.constantFrom({ do: 'release' }, { do: 'cut' }) },
  forget: { connection: OURS },
};

/** A valid command, or one with a field that is invalid, missing or extra. */
const command = fc
  .constantFrom(...(Object.keys(FIELDS) as Command['type'][]))
  .chain((type) =>
    fc.record({ type: fc.constant(type), ref: fc.constant('any'), ...FIELDS[type] } as Record<
      string,
      fc.Arbitrary<unknown>
    >),
  )
  .chain((sound) => {
    const broken = fc
      .tuple(fc.constantFrom(...Object.keys(sound), 'extra'), fc.option(ODD))
      .map(([key, value]) => ({ ...sound, [key]: value ?? undefined }));
    return fc.oneof({ weight: 4, arbitrary: fc.constant(sound) }, { weight: 1, arbitrary: broken });
  })
  .map((value) => JSON.stringify(value));

const seldom = <T>(some: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: some });

const frameTexts = fc.array(
  fc.constantFrom(
    '{"id":1}',
    '',
    'ghp_aB3dE6gH9aB3dE6gH9aB3dE6gH9aB3dE6gH9',
    '{"k":"end","t":1,"frames":1}',
    'y'.repeat(300_000),
  ),
  { maxLength: 4 },
);
/** A batch of a valid or invalid log from some frame on, or its first bytes. */
const batchOf = (connection: string) =>
  fc
    .record({
      start: fc.oneof(
        { weight: 9, arbitrary: fc.constant<object>(START) },
        { weight: 1, arbitrary: fc.constantFrom<object>({ ...START, transport: {} }, { event: 'closed' }) },
      ),
      texts: frameTexts,
      next: fc.constantFrom(1, 1, 1, 2, 3, 4, 5),
      cut: seldom(fc.nat(200)),
      lie: seldom(COUNT),
    })
    .map(({ start, texts, next, cut, lie }) => {
      const log = new FrameLog();
      const add = (channel: 'lifecycle' | 'protocol', text: string) => {
        const bytes = Buffer.from(text);
        log.append(channel, 'to-client', 0, 1, bytes, 0, bytes.length);
      };
      add('lifecycle', JSON.stringify(start));
      for (const text of texts) add('protocol', text);
      const whole = cutBatch(connection, log, { next: Math.min(next, log.last), offset: 0 }) as Uint8Array;
      if (lie !== null) return joinBytes([encodeBatchHeader({ connection, first: lie, count: 1, last: lie }), whole]);
      return cut === null ? whole : whole.subarray(0, cut);
    });

/** Messages of a page that begins a recording and may then send frames, valid or not, or end it. */
const recordingPage = fc.tuple(THEIRS, fc.nat(60)).chain(([connection, number]) => {
  const about = (type: string, more = {}) => JSON.stringify({ type, ref: 'any', connection, ...more });
  const begun = about('record', { key: `key-number-${number}`, begin: true });
  const next = fc.oneof({ weight: 3, arbitrary: batchOf(connection) }, fc.constantFrom(begun, about('record-end')));
  return fc.array(next, { minLength: 1, maxLength: 6 }).map((all): Message[] => [begun, ...all]);
});

const junk = fc.constantFrom<Message>(
  '',
  'null',
  '[]',
  '{"type":"toString"}',
  '{"type":"record","ref":1}',
  new Uint8Array(40),
);

/** The messages of one run. */
/** Groups of messages. Every 400 messages the time passes after which the recording of a page is away. */
const MESSAGES = process.env.TEST_LONG ? 1300 : 450;

const messages = fc.array(
  fc.oneof(
    { weight: 10, arbitrary: command.map((one): Message[] => [one]) },
    { weight: 3, arbitrary: recordingPage },
    { weight: 2, arbitrary: THEIRS.chain(batchOf).map((one): Message[] => [one]) },
    { weight: 1, arbitrary: junk.map((one): Message[] => [one]) },
  ),
  { minLength: MESSAGES, maxLength: MESSAGES, size: 'max' },
);

test('attack: answers whatever pages send, in any order, and never crashes', {
  timeout: 120_000,
}, async () => {
  const rejected: unknown[] = [];
  const hear = (error: unknown) => void rejected.push(error);
  process.on('unhandledRejection', hear);
  process.on('uncaughtException', hear);
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  const clock = new FakeClock();
  const open = await openHub(clock, undefined, undefined, new Recorder({ clock, version: '0.0.0-test', folder }));
  try {
    const [all] = fc.sample(messages, { seed: 6, numRuns: 1 });
    let tab: TestTab = await open.tab();
    for (const [index, message] of all!.flat().entries()) {
      if (tab.closed !== undefined || index % 150 === 149) {
        tab.socket.terminate();
        tab = await open.tab();
      }
      const ids = open.hub.connections().map(({ id }) => id);
      const newest = (_: string, back: string) => ids.at(-Number(back)) ?? 'c0';
      tab.socket.send(typeof message === 'string' ? message.replace(/newest-(\d)/, newest) : message);
      // Stays below the limit of commands in a second.
      if (index % 50 === 0) {
        await answers(tab);
        clock.advance(1000);
      }
      if (index % 400 === 0) clock.advance(PAGE_RECORDING_AWAY_MS);
    }
    expect(await (await open.tab()).ask({ type: 'close', connection: 'c0' })).toMatchObject({ code: 'no-connection' });
    expect(rejected).toEqual([]);
    await open.close();
    for (const name of readdirSync(folder)) {
      const reader = new RecordingReader();
      reader.readChunk(readFileSync(join(folder, name)));
      expect(reader.finish()).toMatchObject({ torn: false, damaged: { count: 0 } });
    }
    expect(readdirSync(folder).length).toBeGreaterThan(3);
    expect(rejected).toEqual([]);
  } finally {
    process.off('unhandledRejection', hear);
    process.off('uncaughtException', hear);
    rmSync(folder, { recursive: true });
  }
});

/** Resolves once everything was processed, or the socket was closed. */
async function answers(tab: TestTab): Promise<void> {
  if (tab.closed !== undefined) return;
  tab.socket.ping();
  await Promise.race([once(tab.socket, 'pong'), tab.until(() => tab.closed !== undefined)]);
}
