import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { bodyOf } from '@/features/team/proxy/bucket/object-store';
import { openStore } from '@/features/team/proxy/bucket/open-store';
import { noStore, startTestBucket, TEST_BUCKET, type TestBucket } from '@/features/team/proxy/bucket/test-bucket';
import { recorded, SESSION } from '@/features/team/proxy/query/test-recordings';
import { EXIT } from '@/proxy/cli/exit-code';
import { runCommand } from '@/proxy/commands/test-command-line';
import { requireShape } from '@/proxy/commands/test-output-shape';
import { startReplay } from '@/proxy/library/replay-recording';

const AT = `s3://${TEST_BUCKET}/mcp`;
const [ONE, PACKED, PINS] = [`${AT}/one.mcpr.jsonl`, `${AT}/part.mcpr.gz`, `${AT}/add.pins.json`];

describe.skipIf(noStore !== undefined)(`files in a bucket (${noStore ?? 'a real store'})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  let bucket: TestBucket;
  const one = recorded(folder, 'one');
  const part = recorded(folder, 'part', { seeds: SESSION.slice(0, -3) });

  beforeAll(async () => {
    bucket = await startTestBucket();
    for (const [name, value] of Object.entries(bucket.env)) vi.stubEnv(name, value);
    vi.stubEnv('MCP_INSPECT_HOME', folder);
    const { store } = await openStore(AT, { version: '0', env: bucket.env });
    const pins = (await runCommand(['test', '--add', one])).stdout;
    for (const [name, bytes] of [
      ['one.mcpr.jsonl', readFileSync(one)],
      ['part.mcpr.gz', gzipSync(readFileSync(part))],
      ['add.pins.json', Buffer.from(pins)],
      ['fleet/fleet.json', Buffer.from('{"problems":[]}')],
    ] as const)
      await store.write(name, bodyOf(bytes, 'application/octet-stream'));
    store.close();
  }, 60_000);
  afterAll(async () => {
    vi.unstubAllEnvs();
    await bucket?.close();
    rmSync(folder, { recursive: true });
  });

  test.each([
    ['diff', [ONE, PACKED], ['diff', one, part]],
    ['test --add', ['--add', ONE, PACKED], ['test', '--add', one, part]],
    ['share', [PACKED, '--review'], ['share', part, '--review']],
    ['export', [PACKED, '--format', 'schema'], ['export', part, '--format', 'schema']],
    ['report --usage', ['--usage', ONE, PACKED], ['report', '--usage', one, part]],
  ])('%s reads objects as it reads files', async (name, words, local) => {
    const there = await runCommand([name.split(' ')[0]!, ...words]);
    const here = await runCommand(local);
    expect(there.code).toBe(here.code);
    const named = (text: string) => text.replaceAll(ONE, one).replaceAll(PACKED, part);
    expect(named(there.stdout)).toBe(here.stdout);
    expect(there.stdout + there.notes.join()).not.toMatch(/mcp-inspect-\w{6}\//);
  });

  test('test finds recordings and pins there, and updates none of them', async () => {
    const written = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      vi.spyOn(process[name], 'write').mockImplementation((text) => {
        written[name] += text;
        return true;
      });
    const played = await runCommand(['test', ONE, PACKED, PINS, '--', 'node', 'none.mjs']);
    const updated = await runCommand(['test', '--update', ONE, '--demo']);
    vi.restoreAllMocks();
    expect(written.stdout.split('\n').slice(0, 4)).toEqual([ONE, PACKED, PINS, '3 files: 0 passed.']);
    expect([played.code, updated.code]).toEqual([EXIT.noConnection, EXIT.usage]);
    expect(written.stderr).toContain(`\`${ONE}\` is not on this machine`);
  });

  test('pushing and pulling print what their schemas say', async () => {
    const pushed = (await runCommand(['recordings', 'push', one, `${AT}/pushed`, '--json'])).stdout;
    requireShape('upload', pushed);
    const { url, sha256 } = JSON.parse(pushed);
    const pulled = (await runCommand(['recordings', 'pull', url, join(folder, 'pulled.mcpr.jsonl'), '--json'])).stdout;
    requireShape('pull', pulled);
    expect(JSON.parse(pulled)).toMatchObject({ url, sha256 });
  });

  test('replay serves one', async () => {
    const server = await startReplay(ONE, {}, { version: '0', home: '' } as Parameters<typeof startReplay>[2]);
    expect(server.url).toMatch(/^http:/);
    await server.close();
  });

  test('a baseline is the object, or fleet.json below a prefix', async () => {
    const check = (place: string) => runCommand(['check', one, '--baseline', place, '--json']);
    for (const place of [`${AT}/fleet/fleet.json`, `${AT}/fleet`, `${AT}/fleet/`])
      expect(JSON.parse((await check(place)).stdout).summary).toHaveProperty('baseline');
    await expect(check(`${AT}/none.json`)).rejects.toMatchObject({ code: 'store-missing' });
  });

  test('a store that can’t be reached ends a command with 3, a wrong address with 2', async () => {
    const stopped = ['--s3', 'endpoint=http://127.0.0.1:9'];
    expect((await runCommand(['test', ONE, ...stopped, '--', 'node', 'none.mjs'])).code).toBe(EXIT.noConnection);
    expect((await runCommand(['test', `${AT}/none.mcpr.jsonl`, '--', 'node', 'none.mjs'])).code).toBe(EXIT.usage);
  });
});
