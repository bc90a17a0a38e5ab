import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeReport } from '@/features/team/lib/summary/questions/report';
import { encodeFrame, encodeHeaderOrEnd } from '@/lib/recording/encode-lines';
import { EXIT } from '@/proxy/cli/exit-code';
import { readSince } from '@/proxy/commands/shared/file-access';
import { runCommand } from '@/proxy/commands/test-command-line';
import { htmlReport } from './html';
import { readBetween } from './report';
import { teamMarkdown, teamText } from './text';

let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  folder = join(home, 'recordings');
  mkdirSync(folder);
  vi.stubEnv('MCP_INSPECT_HOME', home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

interface Session {
  readonly version?: string;
  readonly at?: string;
  readonly host?: string;
  readonly tool?: string;
  /** Milliseconds of each call. */
  readonly ms?: number;
  readonly calls?: number;
  readonly error?: string;
}

/** Writes a tapped session, and returns its path. */
function record(name: string, session: Session = {}, into = folder): string {
  const { version = '1.0.0', at = '2026-01-31T12:00:00.000Z', host = 'claude', tool = 'scan', ms = 10 } = session;
  let [n, time] = [0, 0];
  const frame = (direction: 'to-server' | 'to-client', content: object, after = 1) => {
    time += after * 1000;
    const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...content }));
    return encodeFrame(++n, { time, channel: 'protocol', direction, flags: 0, bytes });
  };
  const asked = (id: number, method: string, params: object) => frame('to-server', { id, method, params });
  const got = (id: number, result: object, after?: number) => frame('to-client', { id, result }, after);
  const header = { mcpr: 2, id: name, at, by: 'x', mode: 'tap', name: 'x', transport: 'stdio' } as const;
  const path = join(into, `${name}.mcpr.jsonl`);
  const clientInfo = { name: host, version: '1' };
  const opening = [
    asked(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }),
    got(0, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version } }),
    asked(1, 'tools/list', {}),
    got(1, { tools: [tool, 'never'].map((each) => ({ name: each, inputSchema: { type: 'object' } })) }),
  ];
  const calls = Array.from({ length: session.calls ?? 10 }, (_, call) => [
    asked(call + 2, 'tools/call', { name: tool, arguments: {} }),
    session.error === undefined
      ? got(call + 2, { content: [] }, ms)
      : frame('to-client', { id: call + 2, error: { code: -32603, message: session.error } }, ms),
  ]).flat();
  writeFileSync(
    path,
    Buffer.concat([
      encodeHeaderOrEnd({ ...header, redaction: { policy: 'capture/2' } }),
      ...opening,
      ...calls,
      encodeHeaderOrEnd({ k: 'end', t: time, frames: n, sha256: '' }),
    ]),
  );
  return path;
}

test('answers questions over the recordings that are kept', async () => {
  for (let at = 0; at < 3; at++) record(`a${at}`, { version: '1.0.0', ms: 10 + at });
  for (let at = 0; at < 3; at++) record(`b${at}`, { version: '1.1.0', ms: 40 + at, at: '2026-02-01T12:00:00.000Z' });
  const { stdout, code } = await runCommand(['report']);
  expect(code).toBe(EXIT.fine);
  expect(stdout).toMatch(/^Report on 6 recordings\n1 server, 72 requests, /);
  expect(stdout).toMatch(/s {2,}scan {2,}p50 4\.0× as long/);
  expect(stdout).toMatch(/never +s +claude +6 +39%/);
});

test('--json has facts and the frames that show them', async () => {
  const path = record('a', { error: 'No light' });
  const { stdout } = await runCommand(['report', path, '--json']);
  const { answers, recordings } = JSON.parse(stdout);
  expect(recordings).toBe(1);
  const rates = answers.find(({ id }: { id: string }) => id === 'error-rates');
  expect(rates.rows).toEqual([
    expect.objectContaining({ server: 's', version: '1.0.0', calls: 12, errors: 10, recordings: 1 }),
  ]);
  expect(rates.rows[0].sources).toEqual([expect.objectContaining({ place: path, frame: 5 })]);
});

test('prints how to open each recording that it names', async () => {
  const path = record('a', { error: 'No light' });
  const { stdout } = await runCommand(['report']);
  expect(stdout).toContain(`[1] mcp-inspect open ${path}\n`);
  expect(stdout).toMatch(/\[1\] #5/);
  expect((await runCommand(['report', '--format', 'md'])).stdout).toContain(`\`${path} #5\``);
});

test('reads a folder, and says which files are not recordings', async () => {
  const other = join(home, 'other');
  mkdirSync(other);
  record('a', {}, other);
  writeFileSync(join(other, 'notes.txt'), 'hello');
  expect((await runCommand(['report', other])).stdout).toMatch(/^Report on 1 recording\n/);
  const file = join(other, 'notes.txt');
  const { notes, stdout } = await runCommand(['report', file]);
  expect(notes.join()).toContain(`${file}: This file is not a recording`);
  expect(stdout).toMatch(/^Report on 0 recordings\n/);
});

test('keeps summaries, and makes them again for files that changed', async () => {
  const path = record('a');
  await runCommand(['report']);
  const cache = join(home, 'summaries.json');
  const kept = JSON.parse(readFileSync(cache, 'utf8'));
  expect(statSync(cache).mode & 0o777).toBe(0o600);
  // A summary that is there is used.
  kept.files[0].summary.server.info = 'from the cache';
  writeFileSync(cache, JSON.stringify(kept));
  expect((await runCommand(['report'])).stdout).toContain('from the cache');
  record('a', { calls: 11 });
  expect((await runCommand(['report'])).stdout).not.toContain('from the cache');
  // One that is not a summary is made again.
  writeFileSync(
    cache,
    JSON.stringify({ ...kept, files: [{ ...kept.files[0], path, summary: { summary: 1 } }, 5, null] }),
  );
  expect((await runCommand(['report'])).stdout).toContain('11 answered calls');
});

test('--since leaves out older recordings', async () => {
  record('old', { at: '2020-01-01T00:00:00.000Z' });
  record('new', { at: new Date().toISOString() });
  expect((await runCommand(['report', '--since', '7d'])).stdout).toMatch(/^Report on 1 recording\n/);
  expect((await runCommand(['report', '--since', '2019-12-31'])).stdout).toMatch(/^Report on 2 recordings\n/);
  for (const wrong of ['yesterday', '7', '7y', '2026-99-99'])
    expect(() => readSince(new Map([['since', [wrong]]]))).toThrow('is not a time');
});

test('--between takes two names', async () => {
  record('a', { version: '1.0.0' });
  record('b', { version: '2.0.0', calls: 0 });
  expect((await runCommand(['report', '--between', '2.0.0..1.0.0'])).stdout).toContain(
    's: before 2.0.0 (1 recording), after 1.0.0 (1)',
  );
  expect(readBetween('a..b')).toEqual({ compare: ['a', 'b'] });
  for (const wrong of ['a', '..b', 'a..', 'a.b']) expect(() => readBetween(wrong)).toThrow('is not a pair');
});

test('--fail-on regression ends with 1 if there is one', async () => {
  for (let at = 0; at < 3; at++) record(`a${at}`, { version: '1.0.0' });
  const gate = ['report', '--fail-on', 'regression'];
  const { code, notes } = await runCommand(gate);
  expect([code, notes.at(-1)]).toEqual([
    EXIT.serverError,
    'mcp-inspect: No server has recordings of two versions, so nothing was compared and `--fail-on` fails.',
  ]);
  const between = await runCommand([...gate, '--between', '1.0.0..9.0.0', '--json']);
  expect([between.code, between.notes.at(-1)]).toEqual([1, expect.stringContaining('both 1.0.0 and 9.0.0')]);
  expect(JSON.parse(between.stdout).answers[0].comparedNothing).toBe(true);
  for (let at = 0; at < 3; at++) record(`same${at}`, { version: '1.0.1', at: '2026-01-20T12:00:00.000Z' });
  expect((await runCommand(gate)).code).toBe(EXIT.fine);
  for (let at = 0; at < 3; at++) record(`b${at}`, { version: '1.1.0', ms: 40, at: '2026-02-01T12:00:00.000Z' });
  expect((await runCommand(['report', '--fail-on', 'regression'])).code).toBe(EXIT.serverError);
  await expect(runCommand(['report', '--fail-on', 'slow'])).rejects.toThrow(
    'Unknown `--fail-on slow`: choose from regression.',
  );
});

test('takes several files, folders and stdin', async () => {
  const other = join(home, 'other');
  mkdirSync(other);
  record('b', {}, other);
  const one = record('a');
  expect((await runCommand(['report', one, other])).stdout).toMatch(/^Report on 2 recordings\n/);
  await expect(runCommand(['report', '-', '-'])).rejects.toThrow('can be read only once');
});

test('--out writes one file that only its owner can read', async () => {
  record('a');
  const out = join(home, 'report.html');
  const { stdout, notes, code } = await runCommand(['report', '--out', out]);
  expect([code, stdout]).toEqual([EXIT.fine, '']);
  expect(notes.join()).toContain(`Wrote ${out}, `);
  expect(statSync(out).mode & 0o777).toBe(0o600);
  expect(readFileSync(out, 'utf8')).toContain('<h1>Report on 1 recording</h1>');
  await expect(runCommand(['report', '--out', join(home, 'none/report.html')])).rejects.toMatchObject({
    exitCode: EXIT.usage,
  });
});

test('a path that does not exist is a usage error', async () => {
  await expect(runCommand(['report', join(home, 'none')])).rejects.toMatchObject({ exitCode: EXIT.usage });
});

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'-alert(1)-'",
  '</style></title><svg onload=alert(1)>',
  '&lt;script&gt;',
  '`${alert(1)}`',
  'javascript:alert(1)',
  '](https://evil.example) | @everyone #1 | ``x``',
  '\u202e\u2066\u0000\u001b]8;;https://evil.example\u0007\u001b[2J',
  '\ud800',
  'x'.repeat(100_000),
];

test('says how many recordings are incomplete', async () => {
  const whole = record('whole');
  expect((await runCommand(['report'])).notes).toEqual([]);
  const text = readFileSync(whole, 'utf8').replaceAll('"whole"', '"other"');
  writeFileSync(join(folder, 'cut.mcpr.jsonl'), text.slice(0, -150));
  const damaged = join(folder, 'damaged.mcpr.jsonl');
  writeFileSync(damaged, text.split('\n').with(3, 'junk').join('\n'));
  const sentence = '2 of 3 recordings are incomplete: frames or the end are missing.';
  const { notes, stdout } = await runCommand(['report', '--json']);
  expect(notes).toEqual([`mcp-inspect: ${sentence}`]);
  expect(JSON.parse(stdout).notes).toEqual([sentence]);
  const alone = await runCommand(['report', damaged]);
  expect(alone.notes).toEqual(['mcp-inspect: The recording is incomplete: frames or the end are missing.']);
});

/** Makes a report in which every text is hostile. */
async function hostileReport() {
  for (const [at, text] of HOSTILE.entries()) {
    const session = { tool: text, host: text, error: text };
    record(`a${at}`, { ...session, version: text });
    record(`b${at}`, { ...session, version: `${text.slice(0, 50)}2`, ms: 90 });
  }
  const { stdout } = await runCommand(['report', '--json']);
  const { compare: _, ...facts } = JSON.parse(stdout);
  return facts as { readonly answers: readonly { readonly rows: readonly unknown[] }[] };
}

test('attack: names and errors of servers and hosts in the HTML report stay text', async () => {
  const { answers } = await hostileReport();
  expect(answers.every(({ rows }) => rows.length > 0)).toBe(true);
  const out = join(home, 'report.html');
  await runCommand(['report', '--out', out]);
  const page = readFileSync(out, 'utf8');
  // Every tag is one of ours, and no attribute has text of a server.
  const tags = page.match(/<[^>]*>/g)!;
  const allowed =
    /^<(?:!doctype html|\/?(?:html|head|body|header|main|footer|section|nav|h1|h2|p|a|span|div|table|thead|tbody|tr|th|td|bdi|details|summary|ul|li|code|br|title|style|meta)(?: (?:lang|charset|http-equiv|content|name|id|class|aria-labelledby|aria-label|href|scope|tabindex|role)="[^"]*")*)>$/;
  expect(tags.filter((tag) => !allowed.test(tag))).toEqual([]);
  expect(tags.filter((tag) => /alert|evil|onerror/.test(tag))).toEqual([]);
  expect([...page.matchAll(/href="([^"]*)"/g)].every(([, href]) => href!.startsWith('#'))).toBe(true);
  expect(page).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/u);
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page).toContain("default-src 'none'");
  expect(page.length).toBeLessThan(1_000_000);
});

test('attack: names and errors in Markdown and in the terminal stay text', async () => {
  await hostileReport();
  const markdown = (await runCommand(['report', '--format', 'md'])).stdout;
  const rows = markdown.split('\n').filter((line) => line.startsWith('| ') && !line.includes('---'));
  // Outside of code spans, there is only our own text.
  const bare = rows.map((row) => row.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, ''));
  expect(bare.filter((row) => /alert|evil|everyone/.test(row))).toEqual([]);
  const text = (await runCommand(['report'])).stdout;
  for (const printed of [markdown, text]) expect(printed).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
});

test('--limit chooses rows of each table, and says how many are left out', async () => {
  await hostileReport();
  const rowsOf = async (...words: string[]) =>
    JSON.parse((await runCommand(['report', '--json', ...words])).stdout).answers.map(
      ({ rows, rowsLeftOut }: { rows: unknown[]; rowsLeftOut: number }) => [rows.length, rows.length + rowsLeftOut],
    );
  const all = await rowsOf();
  expect(await rowsOf('--limit', '1')).toEqual(all.map(([, count]: number[]) => [Math.min(1, count!), count]));
  const most = Math.max(...all.map(([, count]: number[]) => count!));
  expect((await runCommand(['report', '--limit', '1'])).stdout).toContain(most === 2 ? '… and 1 more row' : '… and ');
});

test('a report over nothing says so in each form', () => {
  const report = makeReport([]);
  const options = { version: '1', at: new Date(0), shown: (place: string) => place };
  expect(htmlReport(report, options)).toContain('No tool was called');
  expect(teamMarkdown(report, options.shown)).toContain('No tool was called.');
  expect(teamText(report, 80).flat()).toContain('No tool was called');
});
