import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BLOB_LIMITS } from '@/lib/recording/blobs';
import { encodeFrame, encodeHeaderOrEnd, FrameEncoder } from '@/lib/recording/encode-lines';
import type { Channel, Direction } from '@/lib/wire/frame';
import { EXIT } from '@/proxy/cli/exit-code';
import { sha256Of } from '@/proxy/files/native-codecs';
import { runCommand } from './test-command-line';

const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-search-'));
const file = join(folder, 'a.mcpr.jsonl');
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(() => {
  let n = 0;
  const frame = (channel: Channel, direction: Direction, content: unknown) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    return encodeFrame(++n, { time: n * 500_000, channel, direction, flags: 0, bytes: Buffer.from(text) });
  };
  const sent = (id: number, tool: string) =>
    frame('protocol', 'to-server', { jsonrpc: '2.0', id, method: 'tools/call', params: { name: tool, arguments: {} } });
  const got = (id: number, result: object) => frame('protocol', 'to-client', { jsonrpc: '2.0', id, result });
  const at = '2026-01-31T12:00:00.000Z';
  const header = { mcpr: 2, id: 'search-test', at, by: 'x', mode: 'client', name: 'x', transport: 'stdio' } as const;
  const lines = Buffer.concat([
    encodeHeaderOrEnd({ ...header, redaction: { policy: 'capture/1' } }),
    frame('protocol', 'to-server', {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    }),
    got(0, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }),
    sent(1, 'add'),
    got(1, { content: [{ type: 'text', text: 'three \u202e\u001b[2J' }] }),
    sent(2, 'fail'),
    got(2, { content: [{ text: 'no' }], isError: true }),
    frame('stderr', 'to-client', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'),
  ]);
  const sha256 = createHash('sha256').update(lines).digest('hex');
  writeFileSync(file, Buffer.concat([lines, encodeHeaderOrEnd({ k: 'end', t: 1, frames: n, sha256 })]));
});

const search = (...words: string[]) => runCommand(['search', ...words]);

test('finds messages with the filter language of the page', async () => {
  const { stdout, code } = await search('tool:add', file);
  expect(stdout.split('\n')[0]).toBe(`${file}: 2 frames`);
  expect(stdout).toMatch(/#3 +1\.500 s {2}→ tools\/call add/);
  expect(stdout).toMatch(/#4 +2\.000 s {2}← result add/);
  expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(code).toBe(EXIT.fine);
  expect((await search('is:failed', file)).stdout).toContain('#6');
  expect((await search('/thr.e/', file)).stdout).toContain('#4');
});

test('--json prints a line for each frame', async () => {
  const { stdout } = await search('three', file, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ file, seq: 4, kind: 'response', name: 'add', time: 2, duration: 0.5 });
});

test('--limit chooses frames of all that are found', async () => {
  const lines = async (...words: string[]) => {
    const { stdout, notes } = await search('dir:to-server tools/call', file, file, ...words);
    return [[...stdout.matchAll(/#(\d+)/g)].map(([, seq]) => Number(seq)), notes.at(-1)];
  };
  expect(await lines()).toEqual([[3, 5, 3, 5], undefined]);
  expect(await lines('--limit', '1')).toEqual([[3], 'mcp-inspect: For more: --limit 2-2']);
  expect(await lines('--limit', '2-3')).toEqual([[5, 3], 'mcp-inspect: For more: --limit 4-5']);
  expect(await lines('--limit', '3-9')).toEqual([[3, 5], undefined]);
  await expect(search('x', file, '--limit', '2-1')).rejects.toThrow('has no rows');
});

test('finds problems by their rule', async () => {
  const { stdout } = await search('has:problem', file);
  expect(stdout).toContain('#6');
  expect(stdout).not.toContain('#4');
});

test('nothing found is exit code 1, with a note', async () => {
  const { code, notes } = await search('tool:none', file);
  expect(code).toBe(EXIT.serverError);
  expect(notes).toEqual(['mcp-inspect: No frame matches in 1 recording.']);
});

test('says what is missing in a file, in one line', async () => {
  const lines = readFileSync(file, 'utf8').split('\n');
  const cut = join(folder, 'cut.mcpr.jsonl');
  writeFileSync(cut, lines.join('\n').slice(0, -120));
  const damaged = join(folder, 'damaged.mcpr.jsonl');
  writeFileSync(damaged, lines.with(3, 'junk').join('\n'));
  expect((await search('tool:add', file)).notes).toEqual([]);
  expect((await search('tool:add', cut, damaged)).notes).toEqual([
    `mcp-inspect: ${cut}: The recording is incomplete: its last line was cut off.`,
    expect.stringMatching(/damaged.mcpr.jsonl: This file was changed .* Damaged lines left out: 1\.$/),
  ]);
});

test('an error in the filter is shown at its place', async () => {
  await expect(search('tool:add (', file)).rejects.toMatchObject({ exitCode: EXIT.usage });
  await expect(search('tool:add (', file)).rejects.toThrow('⟨here⟩');
});

test('a file that is not a recording is an error', async () => {
  await expect(search('x', join(folder, 'none.mcpr.jsonl'))).rejects.toMatchObject({ exitCode: EXIT.usage });
});

test('attack: a regular expression that never ends is stopped, and the frame is counted', async () => {
  const { notes } = await search('/^(a+)+$/', file);
  expect(notes[0]).toBe('mcp-inspect: A regular expression took too long on 1 frame, which may match.');
});

test('finds text in a string that many frames share, without holding it for each of them', async () => {
  const path = join(folder, 'shared.mcpr.jsonl');
  const encoder = new FrameEncoder(sha256Of);
  const text = `${'x'.repeat(BLOB_LIMITS.minBytes)} needle`;
  const at = '2026-01-31T12:00:00.000Z';
  const header = { mcpr: 2, id: 'search-shared', at, by: 'x', mode: 'client', name: 'x', transport: 'stdio' } as const;
  const lines = [encodeHeaderOrEnd({ ...header, redaction: { policy: 'capture/1' } })];
  let n = 0;
  for (let id = 1; id <= 20; id++) {
    const request = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'read' } };
    const result = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: `${id % 2 ? text : 'no'}` }] } };
    for (const [direction, message] of [
      ['to-server', request],
      ['to-client', result],
    ] as const) {
      const frame = { time: n, channel: 'protocol', direction, flags: 0 } as const;
      lines.push(...encoder.encodeLines(++n, { ...frame, bytes: Buffer.from(JSON.stringify(message)) }));
    }
  }
  writeFileSync(path, Buffer.concat(lines));
  const { stdout } = await search('needle', path);
  expect(stdout.split('\n')[0]).toBe(`${path}: 10 frames`);
  expect(stdout).toMatch(/#2 .*← result read {2}x{100}/);
  expect((await search('/needle"/', path)).stdout).toContain(`${path}: 10 frames`);
});
