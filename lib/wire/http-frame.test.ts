import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diagnose } from '@/lib/doctor/diagnose';
import { diagnosisText } from '@/lib/doctor/diagnosis';
import { ProblemFinder } from '@/lib/problems/problem-finder';
import { writeHar } from '@/lib/recording/har/write-har';
import { ask, replayOf } from '@/lib/replay/server/test-replay';
import { bugReport } from '@/lib/sharing/bug-report';
import { writeMermaid } from '@/lib/sharing/mermaid';
import { answered, asked, type FrameSeed, framesOf, got, happened, logOf } from '@/lib/store/test-frames';
import { type HttpFrame, readHttpFrame } from './http-frame';

const URL_OF = 'http://h.example/mcp';
const certificate = {
  subject: 's',
  issuer: 'i',
  names: ['DNS:h'],
  validFrom: '2026',
  validTo: '2027',
  fingerprint: 'AA',
};
const tls = { protocol: 'TLSv1.3', cipher: 'c', alpn: 'h2', verified: true, certificate };
const steps = { addresses: ['192.0.2.1'], address: '192.0.2.1', dnsMs: 1, tcpMs: 1, tlsMs: 1 };

const httpProxy = {
  url: 'http://p:3128',
  variable: 'HTTPS_PROXY',
  address: '192.0.2.9',
  target: 'h:443',
  status: 200,
  ms: 1,
};

/** Frames of all kinds. Together they have every member. */
const WHOLE: readonly HttpFrame[] = [
  { kind: 'request', exchange: 1, method: 'POST', url: URL_OF, headers: [['accept', '*/*']], bytes: 9, session: 1 },
  { kind: 'socket', exchange: 1, host: 'h.example', port: 443, ...steps, tls },
  { kind: 'socket', exchange: 1, host: 'h', port: 1, ...steps, failure: { step: 'tcp', code: 'E', message: 'no' } },
  { kind: 'cors-probe', exchange: 1, method: 'POST', asks: { header: 'x-a' }, passed: false, status: 200 },
  {
    kind: 'response',
    exchange: 1,
    status: 200,
    headers: [['content-type', 'text/event-stream']],
    session: 1,
    partial: true,
  },
  { kind: 'sse', exchange: 1, event: 'message', id: '1' },
  { kind: 'sse', exchange: 1, event: 'x', id: '2', retry: 5, comment: 'c', data: 'd' },
  { kind: 'body', exchange: 1, bytes: 3, text: 'no.' },
  { kind: 'end', exchange: 1, by: 'failure', code: 'c', message: 'm', unanswered: [2], cancelled: ['3'] },
  { kind: 'socket', exchange: 1, host: 'h', port: 443, ...steps, httpProxy },
  { kind: 'request', exchange: 2, method: 'OPTIONS', url: URL_OF, headers: [], bytes: 0 },
];

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
const HOSTILE: readonly Json[] = [
  null,
  true,
  -1,
  0,
  1.5,
  99,
  1000,
  1e300,
  '',
  'x',
  '\ud800',
  'http://[',
  'constructor',
  '__proto__',
  [],
  {},
  [[]],
  [null],
  [1, 2],
  [[1, 2]],
  [['x']],
  [[{ toString: 1 }, 'x']],
  [['a', {}]],
  { length: 5 },
  { toString: 1 },
];

type Path = readonly (string | number)[];

/** Returns the paths of all members. */
function pathsIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
  return keys.flatMap((key) => [
    [...at, key],
    ...pathsIn((value as Record<string | number, unknown>)[key], [...at, key]),
  ]);
}

/** Returns a copy with the member at `path` replaced, or removed if `to` is undefined. */
function changed(frame: unknown, path: Path, to: Json | undefined): unknown {
  const copy = structuredClone(frame) as Record<string | number, unknown>;
  const last = path.at(-1)!;
  const parent = path.slice(0, -1).reduce((value, key) => value[key] as typeof copy, copy);
  if (to === undefined) delete parent[last];
  else parent[last] = to;
  return copy;
}

const hostile = fc
  .constantFrom(...WHOLE)
  .chain((frame) =>
    fc
      .tuple(fc.constantFrom(...pathsIn(frame)), fc.option(fc.constantFrom(...HOSTILE), { nil: undefined }))
      .map(([path, to]) => ({ index: WHOLE.indexOf(frame), frame: changed(frame, path, to) })),
  );

const http = (frame: unknown): FrameSeed => ({ ...got(frame), channel: 'http' });
const start = { event: 'start', at: '2026-01-01T00:00:00Z', name: 'x', transport: 'http', url: URL_OF } as const;
const failure = { event: 'failed', code: 'network-error', message: 'It failed.', advice: 'Look.' } as const;

/** Returns a connection whose messages travel in these HTTP frames. */
function session(frames: readonly unknown[]): FrameSeed[] {
  return [
    happened({ ...start, headerNames: [], protocol: 'auto' }),
    http(frames[0]),
    asked(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} }),
    ...frames.slice(1, 6).map(http),
    answered(1, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } }),
    http(frames[0]),
    asked(2, 'tools/call', { name: 'a' }),
    ...frames.slice(4).map(http),
    happened(failure),
  ];
}

async function* each<T>(items: readonly T[]) {
  yield* items;
}

/** Passes a connection to all code that reads http frames. */
async function readByAll(seeds: readonly FrameSeed[]): Promise<void> {
  const frames = framesOf(seeds);
  const log = logOf(...seeds);
  for (let index = 0; index < log.size; index++) {
    const { http } = log.row(index);
    if (http) expect(http.what).toEqual(expect.any(String));
  }
  const diagnosis = diagnose(log)!;
  expect(diagnosisText(diagnosis, URL_OF)).toContain('It failed.');
  const finder = new ProblemFinder();
  for (const frame of frames) finder.addFrame(frame);
  expect([...finder.failed]).toEqual([]);
  const facts = { version: '1', at: start.at, file: 'a.mcpr.gz' };
  expect(await bugReport(each(frames.map((frame) => ({ ...frame, originalSeq: frame.seq }))), facts)).toContain(
    'It failed.',
  );
  expect(await writeMermaid(each(frames))).toContain('sequenceDiagram');
  const archive = await writeHar(each(frames), { at: start.at, version: '1' });
  if (archive !== undefined) expect(JSON.parse(archive)).toHaveProperty('log.entries');
  const { say, connection } = replayOf(seeds);
  expect(await say(ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} }))).toMatchObject([
    { id: 1 },
  ]);
  expect(await say(ask(2, 'tools/call', { name: 'a' }))).toMatchObject([{ id: 2 }]);
  connection.end();
}

describe('HTTP frames of a recording', () => {
  test('are read with all members', () => {
    expect(WHOLE.map((frame) => readHttpFrame(JSON.stringify(frame)))).toEqual(WHOLE);
  });

  test.each<unknown>([
    1,
    null,
    [],
    { kind: 'constructor', exchange: 1 },
    { kind: 'later', exchange: 1 },
    { ...WHOLE[7], exchange: 0 },
    { ...WHOLE[4], status: 1000 },
    { ...WHOLE[4], status: '200' },
    { ...WHOLE[4], headers: [[1, 2]] },
    { ...WHOLE[0], headers: [null] },
    { ...WHOLE[0], headers: [[{ toString: 1 }, 'x']] },
    { ...WHOLE[8], by: 'toString' },
  ])('are shown as text if invalid: %j', (frame) => {
    const text = JSON.stringify(frame);
    expect(readHttpFrame(text)).toBeUndefined();
    expect(logOf(http(frame)).row(0)).toMatchObject({ name: text, exchange: undefined });
  });

  test('make no reader throw, whatever they contain', async () => {
    await readByAll(session(WHOLE));
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 3 }), async (odd) => {
        const frames: unknown[] = [...WHOLE];
        for (const { index, frame } of odd) frames[index] = frame;
        await readByAll(session(frames));
      }),
      { numRuns: process.env.TEST_LONG ? 100 : 30 },
    );
  });
});
