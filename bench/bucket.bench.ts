/**
 * Reading from a bucket: 100,000 cached summaries are listed and filtered, a start finds what is new, and the first
 * message of a recording of 1,000,000 frames in 500 MB is shown. The store is a server of files in this process that
 * counts the bytes it sends. It fails if a target is missed. `--frames=N` and `--summaries=N` set other sizes.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { summaryWith } from '@/features/team/lib/summary/test-summaries';
import { summaryKey } from '@/features/team/proxy/bucket/keys';
import { BarePage } from './bare-page';
import { fromRoot, launchLink } from './inspected';
import { writeLongRecording } from './long-recording';

const flag = (name: string, otherwise: number) =>
  Number(process.argv.find((word) => word.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise);
const FRAMES = flag('frames', 1_000_000);
const SUMMARIES = flag('summaries', 100_000);
/** The targets. */
const TARGET = { listSeconds: 2, openBytes: 3_000_000 };
const home = process.env.MCP_INSPECT_HOME!;
const DAY_MS = 24 * 60 * 60_000;
const FIRST_DAY = Date.parse('2026-01-01T00:00:00Z');

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const say = (what: string, target: string, words: string) =>
  console.log(`${what.padEnd(56)} ${target.padEnd(12)} ${words}`);
const fail = (isMissed: boolean) => {
  if (isMissed) process.exitCode = 1;
};

/** A summary as a server of files and ten tools gives it. */
function summaryOf(n: number, day: string) {
  const calls = n % 40;
  const tools = Array.from({ length: 10 }, (_, tool) => ({
    name: `tool_${(n + tool) % 60}`,
    calls,
    errors: n % 7 === 0 ? 1 : 0,
  }));
  return summaryWith({
    id: `id-${n}`,
    sha256: sha256(String(n)),
    at: `${day}T${String(n % 24).padStart(2, '0')}:00:00.000Z`,
    server: { name: `server-${n % 50}`, info: 'secure-filesystem-server', version: `1.${n % 9}.0`, transport: 'stdio' },
    host: { name: ['claude-code', 'cursor', 'vscode'][n % 3]! },
    requests: { calls: 10 * calls + 10, errors: n % 7 === 0 ? 10 : 0, p50Ms: 3, p95Ms: 20 + (n % 100) },
    tools: tools.filter((tool) => tool.calls > 0),
    tags: [n % 2 ? 'nightly' : 'ci', `team-${n % 12}`],
    author: `Person ${n % 30}`,
    commit: sha256(`c${n % 400}`).slice(0, 40),
  });
}

/** The objects: summaries by key, and the long recording, which is a file. */
const days = Array.from({ length: 300 }, (_, day) => new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10));
const objects = Array.from({ length: SUMMARIES }, (_, n) => {
  const day = days[n % days.length]!;
  return { n, day, key: summaryKey({ day, sha256: sha256(String(n)) }) };
}).sort((a, b) => (a.key < b.key ? -1 : 1));
const byKey = new Map(objects.map((object) => [object.key, object]));
const file = join(home, 'long.mcpr.jsonl');
/** Not a name that promises a digest, so that the file need not be read for it. */
const longKey = 'recordings/v1/long.mcpr.jsonl';
let sent = 0;
let summariesSent = 0;

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url!, 'http://store');
  const key = decodeURIComponent(url.pathname.replace(/^\/team\/?/, ''));
  if (url.searchParams.has('list-type')) {
    response.end(listAfter(url.searchParams));
    return;
  }
  const summary = byKey.get(key);
  if (summary) {
    summariesSent++;
    return void response
      .writeHead(200, { etag: `"${key.slice(-20)}"` })
      .end(JSON.stringify(summaryOf(summary.n, summary.day)));
  }
  if (key !== longKey) return void response.writeHead(404).end();
  const { size } = statSync(file);
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (request.method === 'HEAD') return void response.writeHead(200, { 'content-length': size, etag: '"long"' }).end();
  const [start, end] = [Number(from ?? 0), Number(to ?? size - 1)];
  sent += end - start + 1;
  response.writeHead(206, {
    'content-length': end - start + 1,
    'content-range': `bytes ${start}-${end}/${size}`,
    etag: '"long"',
  });
  createReadStream(file, { start, end }).pipe(response);
}

function listAfter(query: URLSearchParams): string {
  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  let [low, high] = [0, objects.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (objects[middle]!.key > after) high = middle;
    else low = middle + 1;
  }
  const page = objects.slice(low, low + 1000);
  const isTruncated = low + 1000 < objects.length;
  const contents = page.map(({ key }) => {
    const facts = '<LastModified>2026-11-01T00:00:00.000Z</LastModified><Size>2000</Size>';
    return `<Contents><Key>${key}</Key><ETag>&quot;${key.slice(-20)}&quot;</ETag>${facts}</Contents>`;
  });
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)!.key}</NextContinuationToken>` : '';
  const truncated = `<IsTruncated>${isTruncated}</IsTruncated>${next}`;
  return `<ListBucketResult><EncodingType>url</EncodingType>${contents.join('')}${truncated}</ListBucketResult>`;
}

const server = createServer(answer).listen(0, '127.0.0.1');
await once(server, 'listening');
const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const env = {
  ...process.env,
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
  AWS_CONFIG_FILE: join(home, 'none'),
  AWS_SHARED_CREDENTIALS_FILE: join(home, 'none'),
};

async function run(words: readonly string[]): Promise<{ readonly seconds: number; readonly out: string }> {
  const begin = performance.now();
  const child = spawn(process.execPath, [fromRoot('dist/cli.js'), ...words, '--s3', `endpoint=${endpoint}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${words.join(' ')} exited with ${code}`);
  return { seconds: (performance.now() - begin) / 1000, out };
}

const recordings = ['recordings', 's3://team'];
console.log(`${SUMMARIES} summaries`);
const first = await run(recordings);
say('first fill, all summaries read', '', `${first.seconds.toFixed(1)} s, ${summariesSent} read`);
for (const query of [
  '',
  'tool:tool_7 is:failed',
  'nightly server:server-3 author:"person 3"',
  'since:2026-09-01 team-4',
]) {
  const { seconds, out } = await run([...recordings, '--cache', 'only', ...(query ? [query] : [])]);
  const of = /of ([\d,]+) recording/.exec(out)?.[1] ?? 'none';
  say(`listed from the cache: ${query || 'all'}`, `≤ ${TARGET.listSeconds} s`, `${seconds.toFixed(2)} s, ${of} found`);
  fail(seconds > TARGET.listSeconds);
}
summariesSent = 0;
const late = {
  n: SUMMARIES,
  day: days.at(-1)!,
  key: summaryKey({ day: days.at(-1)!, sha256: sha256(String(SUMMARIES)) }),
};
objects.splice(objects.findIndex(({ key }) => key > late.key) >>> 0, 0, late);
objects.sort((a, b) => (a.key < b.key ? -1 : 1));
byKey.set(late.key, late);
const again = await run(recordings);
say('listed again, with one that is new', '1 read', `${again.seconds.toFixed(2)} s, ${summariesSent} read`);
fail(summariesSent !== 1);

await writeLongRecording(file, FRAMES);
console.log(`${FRAMES} frames, ${(statSync(file).size / 1e6).toFixed(0)} MB`);
const page = await BarePage.open(1440, 900);
const child = spawn(
  process.execPath,
  [
    fromRoot('dist/cli.js'),
    '--no-open',
    '--port',
    '0',
    'open',
    `s3://team/${longKey}`,
    '--frames',
    '2',
    '--s3',
    `endpoint=${endpoint}`,
  ],
  { stdio: ['ignore', 'pipe', 'inherit'], env },
);
try {
  const begin = performance.now();
  await page.goto(await launchLink(child));
  await page.until(`document.body.innerText.includes('protocolVersion')`);
  const seconds = (performance.now() - begin) / 1000;
  say(
    'first message on the page',
    `≤ ${TARGET.openBytes / 1e6} MB`,
    `${(sent / 1e6).toFixed(2)} MB read, ${seconds.toFixed(1)} s`,
  );
  fail(sent > TARGET.openBytes);
} finally {
  child.kill('SIGTERM');
  await once(child, 'exit');
  await page.close();
  server.closeAllConnections();
  server.close();
}
