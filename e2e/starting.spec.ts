import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, hostileCommand, runBin } from './bin';
import { test } from './shared-bin';
import { Workbench } from './workbench';

/** A command that prints lines on stdout, and waits. */
const printing = (...lines: string[]) => [
  process.execPath,
  '-e',
  `${lines.map((line) => `console.log(${JSON.stringify(line)})`).join(';')};setInterval(() => {}, 1000)`,
];

test('after a second the page says what a program printed, and what happens next', async ({ open }) => {
  const { page } = await open(['--', ...printing('debug: loading', 'debug: ready', 'debug: waiting')]);
  const bench = new Workbench(page);
  await expect(page.getByText('No MCP response yet')).toBeVisible();
  await expect(page.getByText('It printed 3 lines that aren’t MCP:')).toBeVisible();
  await expect(bench.region('Output that is not MCP')).toContainText('debug: loading');
  await expect(page.getByText(/It gives up in \d\d s\./)).toBeVisible();
  await expect(bench.view.getByText(/^\d+ s$/)).toBeVisible();
  await bench.button('Show in the log').click();
  await expect(bench.detail).toContainText('debug: loading');
});

test('it says that a program printed nothing', async ({ visit }) => {
  const { page } = await visit(['--', ...hostileCommand('silent')]);
  await expect(page.getByText('It has printed nothing yet.')).toBeVisible();
});

test('an address that a program printed is one click away', async ({ visit }) => {
  const asked: string[] = [];
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const { page } = await visit(['--', ...printing(`Listening on http://127.0.0.1:${port}/mcp`)]);
    const bench = new Workbench(page);
    await bench.button(`Connect to http://127.0.0.1:${port}/mcp`).click();
    await expect(page.getByText('The server found nothing at /mcp (HTTP 404).').first()).toBeVisible();
    expect(asked[0]).toBe('POST /mcp');
  } finally {
    server.close();
  }
});

test('a program that prints a line and ends: the line is shown below how it ended', async ({ visit }) => {
  const { page } = await visit(['--', process.execPath, '-e', 'console.log("hello")']);
  await expect(page.getByRole('alert').filter({ hasText: 'exited with code 0' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Output that is not MCP' })).toContainText('hello');
});

test('a program that returns its input is recognised', async ({ visit }) => {
  const { page } = await visit(['--', ...hostileCommand('mirror')]);
  await expect(page.getByText('The program returns what mcp-inspect sends').first()).toBeVisible();
});

test('a command that was not found leaves no recording', async ({ open }) => {
  const { page } = await open(['--', 'no-such-command-4711']);
  await expect(page.getByText('was not found').first()).toBeVisible();
  const folder = join(test.info().outputPath('home'), 'recordings');
  await expect.poll(() => (existsSync(folder) ? readdirSync(folder) : [])).toEqual([]);
});

test('after a crash, stderr is one click away', async ({ visit }) => {
  const { page } = await visit(['--', ...hostileCommand('exit-on-call')]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('echo');
  await bench.call();
  await expect(page.getByText('“Traceback: something is None”')).toBeVisible();
  await page.setViewportSize({ width: 1024, height: 600 });
  await bench.panel('Tools');
  await page.getByRole('button', { name: /^stderr \(/ }).click();
  await expect(bench.region('stderr')).toBeFocused();
  await expect(bench.region('stderr').getByText('Traceback: something is None')).toBeInViewport();
});

test('the terminal says after a second what a program printed, and quotes it at the end', async () => {
  const words = ['list', '--timeout', '4', '--'];
  const { ended, stderr } = await runBin([...words, ...printing('starting', 'Error: no token', 'bye')]);
  expect(ended).toBe(5);
  expect(stderr).toMatch(/^mcp-inspect: No MCP response yet\. The server printed 3 lines on stdout/m);
  expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
    /^mcp-inspect: The server did not respond within 4 seconds.* First: `starting`\. Then: `Error: no token`\./,
  );
  const missing = await runBin(['list', '--', process.execPath, 'missing-4711.js']);
  expect(missing.stderr.trimEnd().split('\n').at(-1)).toMatch(
    /`Error: Cannot find module '.+missing-4711\.js'`\. The server exited with code 1/,
  );
});
