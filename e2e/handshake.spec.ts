import { expect, hostileCommand, runBin } from './bin';
import { test } from './shared-bin';
import { Workbench } from './workbench';

test('no handshake, a refused one, and one without an answer', async ({ visit }) => {
  await test.step('"No handshake" sends nothing by itself; Raw sends any message, initialize too', async () => {
    const { page } = await visit([]);
    const bench = new Workbench(page);
    await bench.field('Command line, URL or JSON config').fill(hostileCommand('honest').join(' '));
    await bench.options();
    await page.getByRole('checkbox', { name: 'No handshake' }).check();
    await bench.button('Connect').click();
    await expect(page.getByText('Connected without a handshake.')).toBeVisible();
    await expect(bench.rows.filter({ hasText: 'to server' })).toHaveCount(0);
    await bench.button('Write a message').click();
    await expect(page.locator('.monaco-editor')).toContainText('"initialize"');
    await bench.button('Send').click();
    await expect(bench.result).toContainText('hostile-honest');
    await expect(bench.rows.filter({ hasText: 'to server' })).toHaveCount(1);
    await bench.panel('Server');
    await expect(bench.region('Identity')).toContainText('no handshake');
    await expect(bench.region('Identity')).toContainText('hostile-honest');
  });

  await test.step('after a refused handshake Raw stays usable until Disconnect', async () => {
    const { page } = await visit(['--', ...hostileCommand('refuses-initialize')]);
    const bench = new Workbench(page);
    await expect(page.getByText(/The server refused initialize/).first()).toBeVisible();
    await expect(bench.top).toContainText('handshake failed');
    await bench.button('Write a message').click();
    await bench.choice('Template').selectOption('tools/list');
    await bench.button('Send').click();
    await expect(bench.outcome).toContainText('ok');
    await bench.disconnect();
    await expect(bench.top).toContainText('closed');
  });

  await test.step('while nothing answers, the page says so', async () => {
    const { page } = await visit(['--', ...hostileCommand('silent')]);
    await expect(page.getByText('No MCP response yet')).toBeVisible();
    const probe = new Workbench(page).rows.filter({ hasText: 'probe by mcp-inspect' });
    await expect(probe).toContainText('in flight');
  });
});

test('a server that ignores the probe opens after 2 s, the next time at once', async ({ open }) => {
  const { page } = await open(['--', ...hostileCommand('ignores-unknown')]);
  const bench = new Workbench(page);
  await bench.connected();
  await expect(bench.rows.filter({ hasText: 'No response to server/discover for 2 s' })).toHaveCount(1);
  await bench.panel('Problems');
  await expect(bench.view).toContainText('No problems');
  await bench.restart();
  await expect(bench.rows.filter({ hasText: 'protocol era from last time: legacy' })).toHaveCount(1);
  await expect(bench.rows.filter({ hasText: 'server/discover' })).toHaveCount(0);

  const listed = await runBin([
    'list',
    'tools',
    '--record',
    test.info().outputPath('again.mcpr.jsonl'),
    '--',
    ...hostileCommand('ignores-unknown'),
  ]);
  expect(listed).toMatchObject({ ended: 0, stdout: expect.stringContaining('echo') });
});

test('a traceback is printed once, with the reason for two starts, in the terminal and on the page', async ({
  open,
}) => {
  const why = 'The server was started twice: it exited before it answered server/discover';
  const { ended, stderr } = await runBin(['list', '--', ...hostileCommand('fails-at-import')]);
  expect(ended).toBe(3);
  expect(stderr.match(/^stderr \| ModuleNotFoundError/gm)).toHaveLength(1);
  expect(stderr).toContain(why);

  const { page } = await open(['--', ...hostileCommand('fails-at-import')]);
  const stderrShown = page.getByRole('region', { name: 'stderr' });
  await expect(stderrShown).toContainText(why);
  await expect(stderrShown).toContainText('It printed the same both times.');
  expect((await stderrShown.innerText()).match(/ModuleNotFoundError/g)).toHaveLength(1);
});

test('raw without a handshake sends its messages in order, and nothing else', async () => {
  const initialize = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}';
  const batch = '[{"jsonrpc":"2.0","id":"a","method":"x"},{"jsonrpc":"2.0","id":"b","method":"y"}]';
  const { ended, stdout } = await runBin([
    'raw',
    '--protocol',
    'none',
    initialize,
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    batch,
    '--',
    ...hostileCommand('batches'),
  ]);
  expect(ended).toBe(0);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([{ id: 1, result: { protocolVersion: '2025-03-26' } }, [{ id: 'a' }, { id: 'b' }]]);
});
