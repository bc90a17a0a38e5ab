import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { encodeFrame, encodeHeaderOrEnd } from '@/lib/recording/encode-lines';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { TEST_HEADER } from '@/lib/recording/test-header';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { plantedFrame } from '@/lib/redact/test-plant';
import { PLANTED } from '@/lib/redact/test-planted';
import { survivors } from '@/lib/redact/test-survivors';
import { readRecordingLink } from '@/lib/sharing/open-link';
import type { Channel, Direction, Frame } from '@/lib/wire/frame';
import { isFailure } from '@/lib/wire/lifecycle';
import { ExitError } from '@/proxy/cli/exit-code';
import { writePacked } from '@/proxy/files/test-packed';
import { RecordingFile } from '@/proxy/recorder/recording-file';
import { runCommand } from '../test-command-line';
import { fileSource } from './file-source';

let folder: string;
let file: string;

// So that short recordings are read by their index too, if they have one.
vi.mock('@/lib/wire/limits', async (importActual) => {
  const actual = await importActual<typeof import('@/lib/wire/limits')>();
  return { ...actual, LIMITS: { ...actual.LIMITS, wholeRecordingBytes: 0, earlyBytes: 40_000 } };
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-share-'));
  file = join(folder, 'a.mcpr.jsonl');
  const frames: readonly (readonly [Channel, string])[] = [
    ['lifecycle', '{"event":"start"}'],
    ['protocol', '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
    ['stderr', 'hello'],
    ['http', '{"kind":"end"}'],
    ['protocol', '{"jsonrpc":"2.0","id":1,"result":{"n":12345678901234567890}}'],
    ['lifecycle', '{"event":"closed"}'],
    ['lifecycle', '{"event":"note","on":5,"text":"a","bookmark":false}'],
    ['lifecycle', '{"event":"note","on":3,"text":"b","bookmark":false}'],
  ];
  writeFileSync(
    file,
    Buffer.concat([
      encodeHeaderOrEnd(TEST_HEADER),
      ...frames.map(([channel, text], index) =>
        encodeFrame(index + 1, { time: index, channel, direction: 'to-client', flags: 0, bytes: Buffer.from(text) }),
      ),
      encodeHeaderOrEnd({ k: 'end', t: 7, frames: frames.length }),
    ]),
  );
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the lines on stderr. */
async function run(...argv: string[]): Promise<string[]> {
  return (await runAll(...argv)).notes;
}

async function runAll(...argv: string[]) {
  const { stdout, notes } = await runCommand(['share', ...argv], folder);
  return { notes, said: stdout };
}

function read(path: string) {
  const reader = new RecordingReader();
  const bytes = readFileSync(path);
  const frames = reader.readChunk(path.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  return {
    header: reader.header,
    texts: frames.map((frame) => Buffer.from(frame.bytes).toString()),
    report: reader.finish(),
  };
}

test('a gzipped copy is the same recording, complete', async () => {
  const out = join(folder, 'b.mcpr.gz');
  expect(await run(file, '--out', out)).toEqual([expect.stringContaining('b.mcpr.gz: ')]);
  const { header, texts, report } = read(out);
  expect(header).toMatchObject({
    id: TEST_HEADER.id,
    at: '2026-01-01T00:00:00.000Z',
    by: 'mcp-inspect/1',
    name: 'demo',
  });
  expect(header).not.toHaveProperty('selection');
  expect(header).not.toHaveProperty('lacks');
  expect(texts).toEqual(read(file).texts);
  expect(report).toMatchObject({ frames: 8, complete: true, missing: 0, damaged: { count: 0 } });
  expect(statSync(out).mode & 0o777).toBe(0o600);
});

test('telemetry can be left out', async () => {
  const source = join(folder, 'telemetry.mcpr.jsonl');
  const frame = '{"n":9,"t":90,"c":"otel","d":"<","m":{"service":"s","of":"r","span":{"name":"secret query"}}}';
  writeFileSync(
    source,
    `${readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('{"k"'))
      .join('\n')}\n${frame}\n`,
  );
  const [whole, part] = [join(folder, 'whole-telemetry.mcpr.jsonl'), join(folder, 'no-telemetry.mcpr.jsonl')];
  await run(source, '--out', whole);
  await run(source, '--out', part, '--without', 'otel');
  expect(read(whole).texts.join()).toContain('secret query');
  expect(read(part).header?.selection?.without).toEqual(['otel']);
  expect(read(part).texts.join()).not.toContain('secret query');
});

test('frames beyond the end are named', async () => {
  const out = join(folder, 'beyond.mcpr.jsonl');
  expect(await run(file, '--out', out, '--frames', '5-900')).toContain(
    'The recording has 8 frames, so frames 5 to 8 were chosen.',
  );
});

test('a part says what it is a part of, and keeps the connection’s events', async () => {
  const out = join(folder, 'b.mcpr.jsonl');
  await run(file, '--out', out, '--frames', '3-5', '--without', 'stderr', '--without', 'http');
  const { header, texts, report } = read(out);
  expect(header?.selection).toEqual({ of: 8, from: 3, to: 5, without: ['stderr', 'http'] });
  expect(texts).toEqual([
    '{"event":"start"}',
    '{"jsonrpc":"2.0","id":1,"result":{"n":12345678901234567890}}',
    '{"event":"closed"}',
    // Its frame has another number here. The note on the omitted frame is omitted, too.
    '{"event":"note","on":2,"text":"a","bookmark":false}',
  ]);
  expect(report).toMatchObject({ frames: 4, complete: true, missing: 0 });
});

test.each<[string[], string]>([
  [['FILE'], 'add `--out FILE`, `--format`, or `--review`'],
  [['FILE', '--format', 'html'], '`--format html` needs a file: add `--out NAME.html`'],
  [['FILE', '--format', 'link'], 'needs a page that opens the recording: host one'],
  [['FILE', '--format', 'pdf'], 'Unknown `--format pdf`: choose from mcpr, html, link, md, har, mermaid'],
  [['FILE', '--format', 'md', '--json'], '`--json` is about the file that is written'],
  [['FILE', '--format', 'link', '--page', 'url=javascript:x'], 'is not a web address'],
  [['FILE', '--review', '--keep', '9'], 'names nothing that was found'],
  [['FILE', '--format', 'md', '--mask', '/((((/'], 'regular expression'],
  [['FILE', '--review', '--mask', '/(/'], '`(` is not a regular expression'],
  [['FILE', '--format', 'md', '--frames', '9-20'], '`--frames 9-20` is beyond the end: the last frame is 8'],
  [['FILE', '--format', 'md', '--frames', '9-'], 'is beyond the end'],
  [['FILE', '--format', 'html', '--out', 'x.htm5'], '`--format html` needs a file name that ends in `.html`'],
  [['FILE', '--out', 'x.zip'], 'No format is named: add `--format`'],
  [['FILE', '--format', 'har', '--out', 'x.json'], '`--format har` needs a file name that ends in `.har`'],
  [['FILE', '--out', 'x.mcpr.gz', '--frames', '5-3'], 'names no frames'],
  [['FILE', '--out', 'x.mcpr.gz', '--frames', '-'], 'names no frames'],
  [['/nowhere', '--out', 'x.mcpr.gz'], 'File not found. Check the path after `share`.'],
  [['FILE', '--out', 'FILE'], 'the file already exists'],
])('%j is refused', async (argv, sentence) => {
  const failure = await run(...argv.map((word) => (word === 'FILE' ? file : word))).catch((error) => error);
  expect(failure instanceof ExitError || isFailure(failure)).toBe(true);
  expect(failure.message).toContain(sentence);
});

function recordingOf(name: string, frames: readonly Frame[]): string {
  const path = join(folder, name);
  const lines = frames.map((frame, index) => encodeFrame(index + 1, { ...frame, time: index }));
  writeFileSync(
    path,
    Buffer.concat([
      encodeHeaderOrEnd(TEST_HEADER),
      ...lines,
      encodeHeaderOrEnd({ k: 'end', t: 9, frames: lines.length }),
    ]),
  );
  return path;
}

function requestFrame(exchange: number): Frame {
  const request = { kind: 'request', exchange, method: 'POST', url: 'https://a.test/mcp', headers: [], bytes: 1 };
  return { ...plantedFrame(JSON.stringify(request), 'http'), direction: 'to-server' };
}

test('no planted secret is in any output', { timeout: 180_000 }, async () => {
  mkdirSync(join(folder, 'ui'));
  writePacked(join(folder, 'ui'), { 'viewer/page.txt': '<x data-name="{{name}}">{{recording}}</x>' });
  const planted = recordingOf(
    'planted.mcpr.jsonl',
    PLANTED.flatMap(({ frames }) => frames).map((frame) =>
      // A report names the client’s requests.
      Buffer.from(frame.bytes).includes('"method"') ? { ...frame, direction: 'to-server' } : frame,
    ),
  );
  const [plain, html, packedFile] = ['b.mcpr.jsonl', 'b.html', 'b.mcpr.gz'].map((name) => join(folder, name)) as [
    ...[string, string, string],
  ];
  await run(planted, '--out', plain);
  await run(planted, '--out', html);
  await run(planted, '--out', packedFile);
  const linked = await runAll(planted, '--format', 'link', '--page', 'url=https://example.com/');
  const report = await runAll(planted, '--format', 'md');
  const picture = await runAll(planted, '--format', 'mermaid');
  // Each message as the body of an exchange, with the HTTP frames of the corpus.
  const carried = recordingOf(
    'carried.mcpr.jsonl',
    PLANTED.flatMap(({ frames }) => frames).flatMap((frame, index) =>
      frame.channel === 'http' ? [frame] : [requestFrame(index + 100), { ...frame, direction: 'to-server' }],
    ),
  );
  const archive = join(folder, 'b.har');
  await run(carried, '--out', archive);
  const [, packed] = /">(.*)<\/x>/.exec(readFileSync(html, 'utf8'))!;
  const outputs = {
    file: readFileSync(plain, 'utf8'),
    gz: gunzipSync(readFileSync(packedFile)).toString(),
    html: gunzipSync(Buffer.from(packed!, 'base64')).toString(),
    link: Buffer.from(await readRecordingLink(linked.said.split('#recording=')[1]!)).toString(),
    report: report.said,
    picture: picture.said,
    archive: readFileSync(archive, 'utf8'),
  };
  expect(outputs.file).toContain('[redacted:');
  expect(outputs.report).toContain('## Steps');
  expect(JSON.parse(outputs.archive).log.entries.length).toBeGreaterThan(60);
  expect(outputs.archive).toContain('[redacted:');
  expect(outputs.picture).toContain('C->>S: tools/call run');
  for (const [output, text] of Object.entries(outputs)) expect(survivors(text, PLANTED), output).toEqual([]);
  // Readers can’t tell the original text: the salt is in no output, and each output has another.
  const [first, second] = [outputs.file, outputs.gz].map((text) => new Set(text.match(/\[redacted:[a-z-]+:\w{8}\]/g)));
  expect([...first!].filter((placeholder) => second!.has(placeholder))).toEqual([]);
});

test('--json says what was written, masked and found', async () => {
  const out = join(folder, 'b.mcpr.jsonl');
  const token = `ghp_${'aB3dE6gH9'.repeat(4)}`;
  const path = recordingOf('e.mcpr.jsonl', [
    plantedFrame(`{"jsonrpc":"2.0","id":1,"method":"x","params":{"t":"${token}"}}`),
  ]);
  const { said } = await runAll(path, '--out', out, '--json');
  expect(JSON.parse(said)).toEqual({
    format: 'mcpr',
    file: out,
    bytes: statSync(out).size,
    masked: 1,
    undecided: 0,
    findings: [expect.objectContaining({ row: 1, rule: 'github', decisions: ['mask'], place: 'params.t', count: 1 })],
  });
  expect(JSON.parse((await runAll(path, '--review', '--json')).said)).toMatchObject({ findings: [{ row: 1 }] });
  expect(said).not.toContain(token);
});

test('a review lists the findings, and --keep and --mask decide', async () => {
  const token = `ghp_${'aB3dE6gH9'.repeat(4)}`;
  const text = `{"jsonrpc":"2.0","id":1,"method":"x","params":{"t":"${token}","who":"Acme Corp."}}`;
  const path = recordingOf('c.mcpr.jsonl', [plantedFrame(text)]);
  const { said } = await runAll(path, '--review');
  expect(said).toMatch(/^1 +mask +github +certain +ghp_….{4} +1 +#1 params\.t$/m);
  const out = join(folder, 'd.mcpr.jsonl');
  await run(path, '--out', out, '--keep', 'github', '--mask', 'Acme Corp.');
  const kept = readFileSync(out, 'utf8');
  expect(kept).toContain(token);
  expect(kept).not.toContain('Acme');
  expect(read(out).header?.policy).toBe('share/1');
  expect(read(out).report.masked).toBe(1);
});

test('writes long strings of several frames once, without their secrets', async () => {
  const secret = `ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}`;
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: `${'line\n'.repeat(25_000)}${secret}` } });
  const lines = read(file).texts.length;
  const frames = [1, 2, 3].map((n) =>
    encodeFrame(lines + n, {
      time: 9,
      channel: 'protocol',
      direction: 'to-client',
      flags: 0,
      bytes: Buffer.from(text),
    }),
  );
  writeFileSync(file, Buffer.concat([readFileSync(file), ...frames]));
  const out = join(folder, 'b.mcpr.jsonl');
  await run(file, '--out', out);
  const shared = readFileSync(out, 'utf8');
  expect(shared.length).toBeLessThan(1.1 * text.length);
  const { said } = await runAll(file, '--format', 'link', '--page', 'url=https://example.com/');
  const linked = Buffer.from(await readRecordingLink(said.split('#recording=')[1]!)).toString();
  for (const copy of [shared, linked]) {
    expect(copy).not.toContain('aB3dE6gH9j');
    expect(copy.split('{"k":"blob"')).toHaveLength(2);
  }
  const whole = text.replace(secret, /\[redacted:[^\]]+\]/.exec(shared)![0]);
  expect(read(out).texts.slice(-3)).toEqual([whole, whole, whole]);
});

test('a range keeps exchanges and the handshake whole, with their HTTP frames', async () => {
  const rpc = (more: object) => JSON.stringify({ jsonrpc: '2.0', ...more });
  const http = (kind: string, exchange: number) => JSON.stringify({ kind, exchange });
  const says: readonly (readonly [Channel, Direction, string])[] = [
    ['lifecycle', 'to-client', '{"event":"start"}'],
    ['http', 'to-server', http('request', 1)],
    ['protocol', 'to-server', rpc({ id: 1, method: 'initialize' })],
    ['http', 'to-client', http('body', 1)],
    ['protocol', 'to-client', rpc({ id: 1, result: { serverInfo: {} } })],
    ['protocol', 'to-server', rpc({ method: 'notifications/initialized' })],
    ['protocol', 'to-server', rpc({ id: 2, method: 'ping' })],
    ['protocol', 'to-client', rpc({ id: 2, result: {} })],
    ['http', 'to-server', http('request', 2)],
    ['protocol', 'to-server', rpc({ id: '2', method: 'tools/call' })],
    ['http', 'to-client', http('response', 2)],
    // Chosen frames: 12 to 14.
    ['http', 'to-client', http('sse', 2)],
    ['protocol', 'to-client', rpc({ id: '2', result: {} })],
    ['protocol', 'to-client', rpc({ id: 1, method: 'roots/list' })],
    ['http', 'to-client', http('end', 2)],
    ['protocol', 'to-server', rpc({ id: 3, method: 'ping' })],
    ['protocol', 'to-server', rpc({ id: 1, result: {} })],
    ['protocol', 'to-client', rpc({ id: 3, result: {} })],
  ];
  const path = recordingOf(
    'range.mcpr.jsonl',
    says.map(([channel, direction, text]) => ({ ...plantedFrame(text, channel), direction })),
  );
  const kept = (numbers: readonly number[]) => numbers.map((number) => says[number - 1]![2]);
  const [all, plain] = [join(folder, 'b.mcpr.jsonl'), join(folder, 'c.mcpr.jsonl')];
  await run(path, '--out', all, '--frames', '12-14');
  expect(read(all).texts).toEqual(kept([1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14, 15, 17]));
  expect(read(all).header?.selection).toEqual({ of: 18, from: 12, to: 14, without: [], also: 10 });
  await run(path, '--out', plain, '--frames', '13-13', '--without', 'http');
  expect(read(plain).texts).toEqual(kept([1, 3, 5, 6, 10, 13]));
  expect(read(plain).header?.selection).toEqual({ of: 18, from: 13, to: 13, without: ['http'], also: 4 });
});

describe('every copy of an incomplete recording says so', () => {
  const whole = () => readFileSync(file);
  const lines = () => whole().toString().split('\n');
  test.each<[string, () => Uint8Array, object]>([
    ['killed', () => Buffer.from(`${lines().slice(0, -2).join('\n')}\n`), { end: true }],
    ['torn', () => whole().subarray(0, -30), { end: true }],
    ['damaged', () => Buffer.from(whole().toString().replace('{"n":4,', '{"n";4,')), { damaged: 1 }],
    ['with a gap', () => Buffer.from(lines().toSpliced(3, 2).join('\n')), { missing: 2 }],
    ['gzipped and cut off', () => gzipSync(whole()).subarray(0, -40), { end: true }],
  ])('%s', async (_, bytes, lacks) => {
    const path = join(folder, 'source.mcpr.jsonl');
    writeFileSync(path, bytes());
    const [first, again] = [join(folder, 'b.mcpr.jsonl'), join(folder, 'c.mcpr.gz')];
    const notes = await run(path, '--out', first);
    expect(notes.join('\n')).toMatch(
      /The recording is incomplete|The recording has no end|Damaged lines left out: 1|Missing frames: 2/,
    );
    await run(first, '--out', again);
    for (const copy of [read(first), read(again)]) {
      expect(copy.header?.lacks).toEqual(lacks);
      expect(copy.report).toMatchObject({ complete: true });
    }
    const linked = await runAll(first, '--format', 'link', '--page', 'url=https://example.com/');
    const link = Buffer.from(await readRecordingLink(linked.said.split('#recording=')[1]!)).toString();
    expect(link).toContain(`"lacks":${JSON.stringify(lacks)}`);
  });
});

describe('missing frames', () => {
  const source = () => {
    const path = join(folder, 'source.mcpr.jsonl');
    // Frames 2 and 4 can’t be read, and 8, the last, is missing.
    const [head, ...lines] = readFileSync(file, 'utf8').split('\n');
    const damaged = lines.map((line) => line.replace(/^\{"n":([24]),/, '{"n";$1,'));
    writeFileSync(path, [head, ...damaged.toSpliced(7, 1)].join('\n'));
    return path;
  };
  const MISSING = '{"event":"missing","frames":1}';

  test('a copy of a copy keeps the numbers, and says what is missing', async () => {
    const whole = read(file).texts;
    const [first, again] = [join(folder, 'b.mcpr.jsonl'), join(folder, 'c.mcpr.gz')];
    await run(source(), '--out', first);
    await run(first, '--out', again);
    const expected = whole.map((text, index) => ([1, 3, 7].includes(index) ? MISSING : text));
    for (const copy of [read(first), read(again)]) {
      expect(copy.texts).toEqual(expected);
      expect(copy.report).toMatchObject({ frames: 8, missing: 0, complete: true });
      expect(copy.header?.lacks).toEqual({ damaged: 2, missing: 1 });
    }
    const linked = await runAll(first, '--format', 'link', '--page', 'url=https://example.com/');
    const link = new RecordingReader().readChunk(await readRecordingLink(linked.said.split('#recording=')[1]!));
    expect(link.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(expected);
  });

  test('a part has the gaps in its range, by the numbers of the file', async () => {
    const out = join(folder, 'b.mcpr.jsonl');
    await run(source(), '--out', out, '--frames', '3-5', '--without', 'stderr');
    expect(read(out).texts).toEqual([
      '{"event":"start"}',
      MISSING,
      '{"jsonrpc":"2.0","id":1,"result":{"n":12345678901234567890}}',
      '{"event":"closed"}',
      '{"event":"note","on":3,"text":"a","bookmark":false}',
    ]);
  });

  test('a bug report and a diagram name the gaps by the same numbers', async () => {
    const path = source();
    expect((await runAll(path, '--format', 'mermaid')).said).toContain('1 frame is missing here.');
    expect((await runAll(path, '--format', 'md')).said).toContain('- #5: `a`');
  });
});

test('shares a growing file as it was when reviewed', async () => {
  const path = join(folder, 'growing.mcpr.jsonl');
  writeFileSync(path, readFileSync(file).subarray(0, -40));
  const source = await fileSource(path);
  const count = async () => {
    let frames = 0;
    for await (const _ of source.frames()) frames++;
    return frames;
  };
  const before = await count();
  writeFileSync(path, readFileSync(file));
  writeFileSync(path, encodeFrame(99, plantedFrame('late')), { flag: 'a' });
  expect(await count()).toBe(before);
  writeFileSync(path, '');
  await expect(count()).rejects.toMatchObject({ code: 'recording-replaced' });
});

test('shares the frames before mostly damaged lines, with a note', async () => {
  const path = join(folder, 'mostly.mcpr.jsonl');
  const [first, second] = [readFileSync(file).subarray(0, -80), Buffer.alloc(60_000, '\n')];
  writeFileSync(path, Buffer.concat([first, second, readFileSync(file)]));
  const out = join(folder, 'b.mcpr.jsonl');
  expect((await run(path, '--out', out)).join('\n')).toContain('Most lines of this recording are unreadable');
  expect(read(out)).toMatchObject({ header: { lacks: { end: true } }, report: { complete: true } });
  expect(read(out).texts[0]).toBe('{"event":"start"}');
});

test('says that a file was changed after it was written', async () => {
  const [shared, out] = [join(folder, 'shared.mcpr.jsonl'), join(folder, 'b.mcpr.jsonl')];
  await run(file, '--out', shared);
  expect((await run(shared, '--out', out)).join()).not.toContain('changed');
  writeFileSync(shared, readFileSync(shared, 'utf8').replace('"hello"', '"hullo"'));
  expect((await run(shared, '--review')).join()).toContain('This file was changed after it was written');
});

test.each([[['--format', 'mermaid']], [['--review']], [['--format', 'md']]])(
  'says in one sentence that a cut off gzip has nothing to read, with %j',
  async (options) => {
    const path = join(folder, 'cut.mcpr.gz');
    const noise = Array.from({ length: 40 }, (_, index) => Math.sin(index).toString(36)).join();
    const bytes = Buffer.concat([
      encodeHeaderOrEnd(TEST_HEADER),
      encodeFrame(1, { ...plantedFrame(`{"text":"${noise}"}`), time: 0 }),
    ]);
    for (const length of [30, 150, 300]) {
      writeFileSync(path, gzipSync(bytes).subarray(0, length));
      await expect(run(path, ...options)).rejects.toThrow(/cut\.mcpr\.gz` can’t be opened\. \S/);
    }
  },
);

test('counts kept findings that look like secrets', async () => {
  const path = recordingOf('r.mcpr.jsonl', [plantedFrame('{"text":"kX93ffQ2zz8177TqbV4mPw0L"}')]);
  const { notes } = await runAll(path, '--format', 'mermaid');
  expect(notes).toContain('1 possible secret kept; --review lists them.');
});

test('masks and keeps rows by number, and counts patterns', async () => {
  const start = {
    event: 'start',
    at: '2026-01-01T00:00:00.000Z',
    name: 'x',
    transport: 'stdio',
    command: 'node',
    args: ['/srv/acme/x.js'],
    cwd: '/srv/acme',
    protocol: 'auto',
    environment: { policy: 'shell', inherited: ['PATH'], added: ['ACME_ROOT'] },
  };
  const path = recordingOf('f.mcpr.jsonl', [
    plantedFrame(JSON.stringify(start), 'lifecycle'),
    plantedFrame('{"jsonrpc":"2.0","id":1,"result":{"t":"kX93ffQ2zz8177TqbV4mPw0L of Bo, and Bo"}}'),
    plantedFrame('in /srv/acme for Bo', 'stderr'),
    plantedFrame('{"event":"note","on":2,"text":"ask Cy","bookmark":false}', 'lifecycle'),
  ]);
  const { said } = await runAll(path, '--review', '--mask', '/\\bBo\\b/', '--mask', '1', '--mask', '2', '--mask', '4');
  expect(said).toMatch(/^1 +mask +random +possible/m);
  expect(said).toContain('2  mask  #1 the working folder: /srv/acme');
  expect(said).toContain('3  keep  #1 the names of 2 environment variables: PATH, ACME_ROOT');
  expect(said).toContain('4  mask  #4 a note: ask Cy');
  expect(said).toContain('/\\bBo\\b/: 3 places');
  const out = join(folder, 'g.mcpr.jsonl');
  await run(path, '--out', out, '--mask', '1', '--mask', '2', '--mask', '3', '--mask', '4');
  const written = readFileSync(out, 'utf8');
  expect(written).not.toMatch(/kX93ff|srv\/acme|ACME_ROOT|ask Cy/);
  expect(read(out).report).toMatchObject({ frames: 3, complete: true });
});

test('a note has one line in a review, and no rows', async () => {
  writeFileSync(file, readFileSync(file, 'utf8').replace('"text":"a"', String.raw`"text":"a\n2  mask  #9 x\r\nb"`));
  expect((await runAll(file, '--review')).said.split('\n')).toContain('1  keep  #7 a note: a 2 mask #9 x b');
});

test('a review lists notes and facts about the machine', async () => {
  const note = plantedFrame('{"event":"about","name":"","text":"ask Bo"}', 'lifecycle');
  const path = recordingOf('n.mcpr.jsonl', [note]);
  expect((await runAll(path, '--review')).said).toContain('#1 the note on the recording: ask Bo');
  const out = join(folder, 'o.mcpr.jsonl');
  await run(path, '--out', out, '--mask', 'ask Bo');
  expect(readFileSync(out, 'utf8')).not.toContain('ask Bo');
});

test('a report uses the numbers of the file that it names', async () => {
  const whole = recordingOf('whole.mcpr.jsonl', [
    ...Array.from({ length: 7 }, () => plantedFrame('{"jsonrpc":"2.0","method":"notifications/message"}', 'protocol')),
    {
      ...plantedFrame('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"lost"}}', 'protocol'),
      direction: 'to-server',
    },
  ]);
  const part = join(folder, 'part.mcpr.gz');
  const { said } = await runAll(whole, '--frames', '8-', '--format', 'md');
  await run(whole, '--frames', '8-', '--out', part);
  const [, number] = /`tools\/call lost` \(#(\d+)\)/.exec(said)!;
  expect(read(part).texts[Number(number) - 1]).toContain('"lost"');
  const report = join(folder, 'report.md');
  await run(whole, '--frames', '8-', '--out', report);
  expect(readFileSync(report, 'utf8')).toBe(`${said}\n`);
  const alone = await runAll(whole, '--frames', '8-', '--format', 'md', '--without', 'stderr');
  expect(alone.said).toContain(
    '`npx mcp-inspect share whole.mcpr.jsonl --frames 8- --without stderr --out whole-shared.mcpr.gz`',
  );
  expect(alone.said).toContain(`\`tools/call lost\` (#${number})`);
});

test('a bug report does not repeat what was masked', async () => {
  const whole = recordingOf('masked.mcpr.jsonl', [requestFrame(1)]);
  const { said } = await runAll(whole, '--format', 'md', '--mask', 'acme-4711', '--keep', 'email');
  expect(said).toContain(
    '`npx mcp-inspect share masked.mcpr.jsonl --keep email --out masked-shared.mcpr.gz`, with the option',
  );
  expect(said).not.toContain('acme-4711');
});

test('says that a recording came from an HTTP Archive, and keeps its name', async () => {
  const named = recordingOf('named.mcpr.jsonl', [
    requestFrame(1),
    plantedFrame('{"event":"about","name":"Before the fix","text":"see #1"}', 'lifecycle'),
  ]);
  writeFileSync(named, readFileSync(named, 'utf8').replace('"mode":"client"', '"mode":"import"'));
  const out = join(folder, 'b.mcpr.jsonl');
  await run(named, '--out', out);
  const lines = readFileSync(out, 'utf8').trimEnd().split('\n');
  expect(JSON.parse(lines[0]!)).toMatchObject({ mode: 'import' });
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ notes: 1, about: { name: 'Before the fix', text: 'see #1' } });
});

test('a range is shared by the index as it is line by line', async () => {
  const [indexed, plain] = [join(folder, 'indexed.mcpr.jsonl'), join(folder, 'plain.mcpr.jsonl')];
  const recording = RecordingFile.create(indexed, TEST_HEADER, new CaptureRedactor([]), undefined, { framesEach: 10 });
  const to = (value: object) => ['to-server', 'protocol', value] as const;
  const back = (value: object) => ['to-client', 'protocol', value] as const;
  const noise = Array.from({ length: 40 }, (_, n) =>
    back({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', data: `${'x'.repeat(500)}${n}` },
    }),
  );
  const frames: readonly (readonly [Direction, Channel, object])[] = [
    ['to-client', 'lifecycle', { event: 'start', name: 'a' }],
    to({ jsonrpc: '2.0', id: 0, method: 'initialize', params: {} }),
    back({ jsonrpc: '2.0', id: 0, result: { serverInfo: { name: 'a' } } }),
    to({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    back({ jsonrpc: '2.0', id: 1, result: { tools: [] } }),
    ...noise,
    to({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 't', arguments: { password: 'hunter2hunter2' } },
    }),
    ...noise,
    back({ jsonrpc: '2.0', id: 2, result: { content: [] } }),
    ...noise,
    to({ jsonrpc: '2.0', id: 3, method: 'initialize', params: {} }),
    ['to-client', 'lifecycle', { event: 'closed' }],
    ...noise,
    back({ jsonrpc: '2.0', id: 3, result: {} }),
  ];
  for (const [time, [direction, channel, value]] of frames.entries()) {
    recording.add([{ time, channel, direction, flags: 0, bytes: Buffer.from(JSON.stringify(value)) }]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(recording.end()).toBeUndefined();
  const lines = readFileSync(indexed, 'utf8').trimEnd().split('\n');
  const { index, sha256: _, ...end } = JSON.parse(lines.pop()!) as Record<string, unknown>;
  expect(index).toBeDefined();
  const others = lines.filter((line) => !line.startsWith('{"k":"index"'));
  writeFileSync(plain, `${[...others, JSON.stringify(end)].join('\n')}\n`);
  for (const range of ['1-10', '40-60', '46-46', '90-200', '150-']) {
    const outs = [indexed, plain].map((path) => `${path}-${range}.mcpr.jsonl`);
    await run(indexed, '--frames', range, '--out', outs[0]!);
    await run(plain, '--frames', range, '--out', outs[1]!);
    expect(readFileSync(outs[0]!, 'utf8')).toBe(readFileSync(outs[1]!, 'utf8'));
    expect(readFileSync(outs[0]!, 'utf8')).not.toContain('hunter2');
  }
});

test('a range at the start does not ask to look further, although the end of the session goes along', async () => {
  const path = join(folder, 'long.mcpr.jsonl');
  const recording = RecordingFile.create(path, TEST_HEADER, new CaptureRedactor([]), undefined, { framesEach: 10 });
  const frames = [
    plantedFrame('{"event":"start"}', 'lifecycle'),
    plantedFrame('{"jsonrpc":"2.0","id":1,"result":{"password":"hunter2hunter2"}}'),
    ...Array.from({ length: 100 }, () => plantedFrame('x'.repeat(500), 'stderr')),
    plantedFrame('{"event":"closed"}', 'lifecycle'),
  ];
  for (const [time, frame] of frames.entries()) {
    recording.add([{ ...frame, time }]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  recording.end();
  const notesOf = async (range: string) =>
    (await run(path, '--frames', range, '--out', join(folder, `${range}.mcpr.jsonl`))).join('\n');
  expect(await notesOf('1-10')).not.toContain('were looked for in the first');
  expect(readFileSync(join(folder, '1-10.mcpr.jsonl'), 'utf8')).toContain('{"event":"closed"}');
  expect(await notesOf('90-100')).toContain('were looked for in the first 40.0 KB only');
});

describe('a policy', () => {
  const recording = () =>
    recordingOf('p.mcpr.jsonl', [
      plantedFrame(
        '{"jsonrpc":"2.0","id":1,"result":{"a":"kX93ffQ2zz8177TqbV4mPw0L","b":"Zx9kQ2vLm4Tn8RwBqY7","password":"hunter2-77"}}',
      ),
      plantedFrame('{"kind":"request","exchange":1,"headers":[["x-api-key","q7Rk2mZ9xL4vT8"]]}', 'http'),
    ]);
  const policy = (text: string) => {
    const path = join(folder, 'decisions.json');
    writeFileSync(path, text);
    return ['--policy', path];
  };

  test('masks and keeps by rule and pattern, and says what it keeps', async () => {
    const out = join(folder, 'q.mcpr.jsonl');
    const given = policy('{"mask":["random"],"keep":["/^kX93/","hunter2-77","api-key"]}');
    const notes = await run(recording(), '--out', out, ...given);
    const written = readFileSync(out, 'utf8');
    expect(written).not.toMatch(/kX93ff|Zx9kQ2|q7Rk2m/);
    expect(written).toContain('hunter2-77');
    expect(notes.join('\n')).toMatch(/decisions\.json keeps 1 value:\n {2}password: hu…7 in result\.password/);
  });

  test('masks and keeps what was found at a place', async () => {
    const out = join(folder, 'q.mcpr.jsonl');
    const given = policy('{"mask":[{"at":"result.a"}],"keep":[{"at":"result.password"},{"at":"result.none"}]}');
    const notes = await run(recording(), '--out', out, ...given);
    const written = readFileSync(out, 'utf8');
    expect(written).not.toContain('kX93ff');
    expect(written).toContain('Zx9kQ2');
    expect(written).toContain('hunter2-77');
    expect(notes.join('\n')).toContain('hu…7 in result.password');
  });

  test('attack: a place does not keep what a header revealed', async () => {
    const out = join(folder, 'q.mcpr.jsonl');
    const { said } = await runAll(recording(), '--review');
    const [, place] = /api-key.* #\d+ (\S+)/.exec(said)!;
    await run(recording(), '--out', out, ...policy(JSON.stringify({ keep: [{ at: place }] })));
    expect(readFileSync(out, 'utf8')).not.toContain('q7Rk2m');
  });

  test('never keeps a header', async () => {
    const out = join(folder, 'q.mcpr.jsonl');
    await run(recording(), '--out', out, ...policy('{"keep":["api-key","q7Rk2mZ9xL4vT8"]}'));
    expect(readFileSync(out, 'utf8')).not.toContain('q7Rk2m');
  });

  test.each([
    ['[]', 'it is not a JSON object'],
    ['{"mask":"x"}', '`mask` is not a list of texts'],
    ['{"keep":[{"at":1}]}', '`keep` is not a list of texts and places'],
    ['{"keep":[{"at":"a","rule":"b"}]}', '`keep` is not a list of texts and places'],
    ['{"keeps":[]}', 'it has the unknown member `keeps`'],
    ['{', 'it is not a JSON object'],
  ])('is refused: %s', async (text, why) => {
    const failure = await run(recording(), '--format', 'md', ...policy(text)).catch((error) => error);
    expect(failure.message).toContain(why);
  });

  test('has to exist if it is named', async () => {
    const failure = await run(recording(), '--format', 'md', '--policy', '/nowhere.json').catch((error) => error);
    expect(failure.message).toContain('`/nowhere.json` was not found');
  });
});

test('--mask strict numbers its rows as --review does, so that --keep means the same', async () => {
  const path = recordingOf('s.mcpr.jsonl', [
    plantedFrame('{"jsonrpc":"2.0","id":1,"result":{"password":"Zq81vvKm42","a":"kX93ffQ2zz8177TqbV4mPw0L"}}'),
  ]);
  const { said } = await runAll(path, '--review');
  expect(said).toMatch(/^2 +keep +random/m);
  const out = join(folder, 'n.mcpr.jsonl');
  const { notes } = await runCommand(['share', path, '--out', out, '--mask', 'strict'], folder);
  expect(notes.join('\n')).toMatch(/^2 +keep +random/m);
  expect(notes.join('\n')).not.toContain('Zq81');
  await run(path, '--out', out, '--mask', 'strict', '--keep', '2');
  expect(readFileSync(out, 'utf8')).toContain('kX93ff');
  expect(readFileSync(out, 'utf8')).not.toContain('Zq81vv');
});

test('--mask RULE masks all of a rule, and --mask strict writes nothing while something is undecided', async () => {
  const path = recordingOf('s.mcpr.jsonl', [
    plantedFrame(
      '{"jsonrpc":"2.0","id":1,"result":{"items":[{"a":"kX93ffQ2zz8177TqbV4mPw0L"},{"a":"Zx9kQ2vLm4Tn8RwBqY7"}]}}',
    ),
  ]);
  const { said } = await runAll(path, '--review');
  expect(said).toMatch(/^1 +keep +random +possible +kX93….{4}, Zx9….* +2 +#1 result\.items\[\]\.a$/m);
  const out = join(folder, 't.mcpr.jsonl');
  const { notes, code } = await runCommand(['share', path, '--out', out, '--mask', 'strict'], folder);
  expect(code).toBe(1);
  expect(notes.join('\n')).toContain('2 possible secrets left, so nothing was written.');
  expect(() => readFileSync(out)).toThrow();
  await run(path, '--out', out, '--mask', 'strict', '--mask', 'random');
  expect(readFileSync(out, 'utf8')).not.toMatch(/kX93ff|Zx9kQ2/);
});
