import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { SESSION } from '@/features/team/proxy/query/test-recordings';
import { RecordedConnection } from '@/lib/hub/recorded-connection';
import { bringBack, derived, logOf, type Said, sessions, texts } from '@/lib/hub/test-recordings';
import { ProblemFinder } from '@/lib/problems/problem-finder';
import { everyFrame } from '@/lib/problems/test-every-frame';
import { TEST_HEADER } from '@/lib/recording/test-header';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { isFailure } from '@/lib/wire/lifecycle';
import { EXIT, ExitError } from '@/proxy/cli/exit-code';
import { runCommand } from '@/proxy/commands/test-command-line';
import { testFolder } from '@/proxy/commands/test-folder';
import { startReplay } from '@/proxy/library/replay-recording';
import { seeded } from '@/proxy/recorder/fixtures/killed-frames';
import { listRecordings } from '@/proxy/recorder/list-recordings';
import { openFile } from '@/proxy/recorder/open-file';
import { RecordingFile } from '@/proxy/recorder/recording-file';
import { mutated } from './test-mutations';

/** Hostile recordings. A failure names the seed of its file: `SEED=n` reads that one alone. */
const SEEDS = process.env.SEED
  ? [Number(process.env.SEED)]
  : Array.from({ length: process.env.TEST_LONG ? 400 : 12 }, (_, at) => at + 1);
/** How long a reader may take for a file of at most a megabyte, in ms, on a busy machine. */
const READER_MS = 20_000;

const folder = testFolder();
/** Reads every view. */
const QUERY = `select (select count(*) from frames), (select max(ms) from exchanges), (select count(tool) from calls),
  (select count(rule) from problems), server from recordings`;

/** Good recordings of each kind, some with indexes in them, and an HTTP Archive. */
const GOOD = [
  everyFrame('2025-11-25', 'demo'),
  everyFrame('2026-07-28', 'demo'),
  SESSION,
  ...fc.sample(sessions, { seed: 43, numRuns: 6 }),
]
  .map((frames, index) => written(frames, `good-${index}`, index % 2 === 0))
  .concat(archive());

/** Returns an HTTP Archive of one line. */
function archive(): Buffer {
  const headers = [{ name: 'content-type', value: 'application/json' }];
  const entries = SESSION.flatMap(({ channel, direction, bytes }, index) => {
    if (channel !== 'protocol' || direction !== 'to-server') return [];
    const answer = Buffer.from(SESSION[index + 1]?.bytes ?? '').toString();
    return {
      startedDateTime: '2026-01-31T12:00:00.000Z',
      time: 5,
      request: {
        method: 'POST',
        url: 'http://x/mcp',
        httpVersion: 'HTTP/1.1',
        headers,
        postData: { mimeType: 'application/json', text: Buffer.from(bytes).toString() },
      },
      response: {
        status: 200,
        statusText: 'OK',
        httpVersion: 'HTTP/1.1',
        headers,
        content: { size: answer.length, mimeType: 'application/json', text: answer },
      },
      timings: { send: 1, wait: 3, receive: 1 },
    };
  });
  return Buffer.from(`${JSON.stringify({ log: { version: '1.2', creator: { name: 'x', version: '1' }, entries } })}\n`);
}

function written(frames: readonly Said[], name: string, isIndexed: boolean): Buffer {
  const path = join(folder, `${name}.mcpr.jsonl`);
  const indexing = isIndexed ? { framesEach: 5, fromBytes: 0 } : undefined;
  const file = RecordingFile.create(path, { ...TEST_HEADER, id: name }, new CaptureRedactor([]), undefined, indexing);
  file.add(frames.map((frame, index) => ({ ...frame, time: index * 1000 })));
  expect(file.end()).toBeUndefined();
  const bytes = readFileSync(path);
  rmSync(path);
  return bytes;
}

/** Readers of a recording. Each resolves, or rejects with a sentence. `good`: another, whole recording. */
const READERS: Readonly<Record<string, (file: string, good: string) => Promise<unknown>>> = {
  page: (file) => readAsPage(file, Number.POSITIVE_INFINITY),
  'page, by its index': (file) => readAsPage(file, 0),
  list: async (file) => {
    const { recordings } = await listRecordings(join(file, '..'));
    expect(recordings.length).toBeGreaterThan(0);
  },
  search: (file) => command('search', 'is:failed or tool:add', file, '--json'),
  check: (file) => command('check', file, '--json'),
  report: (file) => command('report', file),
  'report, HTML': (file) => command('report', file, '--format', 'html'),
  usage: (file) => command('report', '--usage', file),
  query: (file) => command('query', QUERY, file, '--out', join(file, '..', 'rows.json')),
  diff: (file, good) => command('diff', file, good),
  'diff, as the second': (file, good) => command('diff', good, file, '--json'),
  'share, md': (file) => command('share', file, '--format', 'md'),
  'share, mermaid': (file) => command('share', file, '--format', 'mermaid'),
  'share, mcpr': (file) => command('share', file, '--out', join(file, '..', 'shared.mcpr.jsonl')),
  'share, HAR': (file) => command('share', file, '--out', join(file, '..', 'shared.har')),
  types: (file) => command('export', file, '--format', 'zod'),
  parquet: (file) => command('export', file, '--format', 'parquet', '--out', join(file, '..', 'tables')),
  replay: async (file) => {
    const server = await startReplay(file, {}, { home: folder, version: '1' });
    try {
      for (const message of [
        'initialize',
        'server/discover',
        'tools/list',
        'resources/list',
        'prompts/list',
        'tools/call',
      ]) {
        const params = {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'c', version: '1' },
          name: 'add',
        };
        const answer = await fetch(server.url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          body: JSON.stringify({ jsonrpc: '2.0', id: message, method: message, params }),
          signal: AbortSignal.timeout(2000),
        }).catch(() => undefined);
        await answer?.text().catch(() => '');
      }
    } finally {
      await server.close();
    }
  },
};

/** Opens a file as the page’s server does, and derives everything that the page shows. */
async function readAsPage(path: string, wholeBytes: number): Promise<void> {
  const { bytes, parts, name, convertArchive, length } = await openFile(path);
  const connection = await new Promise<RecordedConnection>((resolve, reject) => {
    const deps = { file: name, parts, wholeBytes, convertArchive, length, indexCheckMs: 0, onGrown: () => {} };
    RecordedConnection.open('c1', bytes, {
      ...deps,
      onChanged: (changed) => changed.summary.recording?.report && resolve(changed),
      onUnsound: resolve,
    }).catch(reject);
  });
  try {
    const log = await logOf(connection);
    expect(JSON.stringify([connection.summary, derived(log)])).toBeDefined();
    await bringBack(log, connection);
    texts(log);
    const finder = new ProblemFinder();
    for (let index = 0; index < log.size; index++) finder.addFrame(log.frame(index));
    expect(finder.failed).toEqual(new Set());
  } finally {
    await connection.stopBackgroundWork();
    await connection.log.close();
  }
}

async function command(...words: string[]): Promise<void> {
  const { code } = await runCommand(words);
  expect(code).not.toBe(EXIT.internal);
}

/** Returns why the end of a reader is a fault; undefined if it is a sentence for people. */
function faultOf(error: unknown): string | undefined {
  if (error instanceof ExitError && error.exitCode !== EXIT.internal) return undefined;
  if (isFailure(error) && error.advice) return undefined;
  return error instanceof Error ? error.stack : String(error);
}

const good = join(folder, 'good.mcpr.jsonl');
beforeAll(() => writeFileSync(good, GOOD[0]!));

test.each(SEEDS)('attack: damaged or forged recording %i is read, or refused with a sentence', async (seed) => {
  const random = seeded(seed);
  const { how, bytes } = mutated(GOOD[Math.floor(random() * GOOD.length)]!, random);
  const own = join(folder, `${seed}`);
  const file = join(own, 'hostile.mcpr.jsonl');
  mkdirSync(own);
  writeFileSync(file, bytes);
  const faults: string[] = [];
  for (const [name, read] of Object.entries(READERS)) {
    const limit = AbortSignal.timeout(READER_MS);
    const late = new Promise((_, reject) =>
      limit.addEventListener('abort', () => reject(new Error('it takes too long'))),
    );
    const fault = await Promise.race([read(file, good), late]).then(() => undefined, faultOf);
    if (fault !== undefined) faults.push(`${name}: ${fault}`);
  }
  rmSync(own, { recursive: true });
  expect(faults, how).toEqual([]);
  expect(readdirSync(folder)).toEqual(['good.mcpr.jsonl']);
  expect(({} as { name?: unknown }).name).toBeUndefined();
});
