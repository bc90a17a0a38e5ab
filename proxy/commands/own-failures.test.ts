import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRunning } from '@/proxy/connection/fixtures/hostile';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'own-failures-'));
const bundle = join(folder, 'failing-proxy.mjs');

beforeAll(async () => {
  const fixtures = join(ROOT, 'proxy/connection/fixtures');
  for (const file of ['hostile-server.mjs', 'hostile-texts.mjs'])
    copyFileSync(join(fixtures, file), join(folder, file));
  await build({
    entryPoints: [join(import.meta.dirname, 'fixtures/failing-proxy.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    alias: { '@': ROOT },
    logLevel: 'silent',
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each(['throws', 'rejects'])(
  'an error of our own that %s ends the servers, then the process with 1',
  async (how) => {
    const proxy = spawn(process.execPath, [bundle, how], { stdio: 'pipe' });
    let said = '';
    proxy.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const pid = Number(await new Promise((resolve) => proxy.stdout.once('data', (chunk) => resolve(String(chunk)))));
    expect(isRunning(pid)).toBe(true);
    proxy.stdin.write('\n');
    expect(await once(proxy, 'close')).toEqual([1, null]);
    expect(said).toMatch(/^mcp-inspect itself failed: Error: nobody handles this/);
    expect(isRunning(pid)).toBe(false);
  },
);
