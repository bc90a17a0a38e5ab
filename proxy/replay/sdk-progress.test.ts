import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeFrame, encodeLine } from '@/lib/recording/encode-line';
import { answered, asked, framesOf, got } from '@/lib/store/test-frames';

const ROOT = join(import.meta.dirname, '../..');
const TIMES = 20;
const STEPS = 4;
/** The older client comes with the servers of the end-to-end tests. */
const OLDER = join(ROOT, 'e2e/servers/node_modules/@modelcontextprotocol/sdk/dist/esm/client');
const CLIENTS = [
  ['2.x', '@modelcontextprotocol/client', '@modelcontextprotocol/client/stdio'],
  ['1.x', pathToFileURL(join(OLDER, 'index.js')).href, pathToFileURL(join(OLDER, 'stdio.js')).href],
] as const;

/** Below the repository: what is bundled looks for packages there. */
let folder: string;
const server = (): string[] => [join(folder, 'server.mjs'), join(folder, 'a.mcpr.jsonl')];

beforeAll(async () => {
  folder = mkdtempSync(join(ROOT, 'node_modules/.replay-test-'));
  const entry = `
    import { CallBook } from '@/lib/replay/call-book';
    import { systemClock } from '@/lib/wire/clock';
    import { readSession } from '@/proxy/recorder/read-session';
    import { serveStdio } from '@/proxy/replay/stdio-server';
    const { session } = await readSession(process.argv[2]);
    const replay = { session, book: new CallBook(session), pace: 0, onMiss: 'error' };
    await serveStdio(replay, { clock: systemClock, note: () => {} }, process.stdin, process.stdout);`;
  await build({
    stdin: { contents: entry, resolveDir: ROOT, loader: 'ts' },
    outfile: join(folder, 'server.mjs'),
    tsconfig: join(ROOT, 'tsconfig.json'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  writeFileSync(join(folder, 'a.mcpr.jsonl'), Buffer.concat(recorded()));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A session with one slow call that told of its progress. */
function recorded(): Uint8Array[] {
  const opened = {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 's', version: '1' },
  };
  const steps = Array.from({ length: STEPS }, (_, step) =>
    got({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'p', progress: step + 1, total: STEPS },
    }),
  );
  const frames = framesOf([
    asked(1, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    }),
    answered(1, opened),
    asked(2, 'tools/call', { name: 'slow', arguments: {}, _meta: { progressToken: 'p' } }),
    ...steps,
    answered(2, { content: [] }),
  ]);
  const at = '2026-01-01T00:00:00.000Z';
  const about = { id: 'test-test', by: 'test', mode: 'client', name: 's', transport: 'stdio' } as const;
  const header = encodeLine({ mcpr: 1, ...about, at, redaction: { policy: 'none' } });
  return [header, ...frames.map((frame, place) => encodeFrame(place + 1, frame))];
}

test.each(CLIENTS.filter(([version]) => version === '2.x' || existsSync(OLDER)))(
  'the official client %s sees all progress of a call, each time',
  async (version, client, stdio) => {
    const isOlder = version === '1.x';
    const { Client } = await import(/* @vite-ignore */ client);
    const { StdioClientTransport } = await import(/* @vite-ignore */ stdio);
    const mine = new Client({ name: 'test', version: '1' });
    await mine.connect(new StdioClientTransport({ command: process.execPath, args: server() }));
    const seen: number[] = [];
    try {
      for (let time = 0; time < TIMES; time++) {
        let steps = 0;
        const told = { onprogress: () => void steps++ };
        const call = { name: 'slow', arguments: {} };
        await (isOlder ? mine.callTool(call, undefined, told) : mine.callTool(call, told));
        seen.push(steps);
      }
    } finally {
      await mine.close();
    }
    expect(seen).toEqual(Array.from({ length: TIMES }, () => STEPS));
  },
  60_000,
);
