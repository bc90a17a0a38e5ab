import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { demoCommand, expect, packageFolder, runBin, test } from './bin';
import { Workbench } from './workbench';

const WAVES = ['call', 'count_waves', '--arg', 'waves=9007199254740993', '--json'];
const bin = (...args: string[]): string[] => [process.execPath, join(packageFolder(), 'dist/cli.js'), ...args];

/** Records a call of the demo server to a file. */
async function record(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'session.mcpr.jsonl');
  const { ended } = await runBin([...WAVES, '--record', file, '--', ...demoCommand()]);
  expect(ended).toBe(0);
  return file;
}

test('connected to a replay, the inspector shows the recorded tools and results, and reports a miss', async ({ open }, {
  outputDir,
}) => {
  const file = await record(outputDir);
  const { page } = await open(['--', ...bin('replay', file)]);
  const bench = new Workbench(page);
  await bench.connected();
  const tools = page.getByRole('listbox', { name: 'tools' });
  await expect.poll(() => tools.getByRole('option').first().getAttribute('aria-setsize')).toBe('26');
  await bench.tool('count_waves');
  await bench.field('waves').fill('9007199254740993');
  await bench.call();
  await expect(bench.result).toContainText('9007199254740993');
  await bench.field('waves').fill('3');
  await bench.call();
  await expect(bench.result).toContainText('there arguments.waves is 9007199254740993, here it is 3');
});

test('over stdio: prints only messages, keeps every digit, and exits when stdin ends', async ({ start: _ }, {
  outputDir,
}) => {
  const file = await record(outputDir);
  const live = await runBin([...WAVES, '--', ...demoCommand()]);
  const replayed = await runBin([...WAVES, '--', ...bin('replay', file)]);
  expect(replayed).toMatchObject({ ended: 0, stdout: live.stdout });

  const [command, ...args] = bin('replay', file, '--on-miss', 'forward', '--', ...demoCommand());
  const child = spawn(command!, args);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (stdout.includes('\n')) child.stdin.end();
  });
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const params = { name: 'count_waves', arguments: { waves: 5 }, _meta: meta };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 'mine', method: 'tools/call', params })}\n`);
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(JSON.parse(stdout)).toMatchObject({ id: 'mine', result: { structuredContent: { waves: 5 } } });
});

test('with --port: serves clients on this machine until a signal', async ({ start: _ }, { outputDir }) => {
  const file = await record(outputDir);
  const [command, ...args] = bin('replay', file, '--port', '0');
  const child = spawn(command!, args);
  const [url] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const { ended, stdout } = await runBin([...WAVES, url.trim()]);
  expect([ended, stdout.includes('9007199254740993')]).toEqual([0, true]);
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([143, null]);
});
