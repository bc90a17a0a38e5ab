import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { certificateFile, keyFile } from '../proxy/connection/fixtures/tls-fixture';
import { demoCommand, expect, type RunningBin, test } from './bin';
import { Workbench } from './workbench';

const NGINX = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'].find(
  existsSync,
);
test.skip(NGINX === undefined, 'needs nginx: install nginx-light');

const APPS = join(import.meta.dirname, 'servers/apps-server.mjs');
const USER = { username: 'ada', password: 'correct horse' };

/** Returns the block of nginx's configuration that a document shows. */
function configurationIn(document: string): string {
  const text = readFileSync(join(import.meta.dirname, '../docs', document), 'utf8');
  return /```nginx\n(.*?)```/s.exec(text)![1]!;
}

/** Returns a port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs nginx with these servers until the function that it returns is called. */
async function startNginx(folder: string, servers: string, port: number): Promise<() => Promise<void>> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'users'), `${USER.username}:{PLAIN}${USER.password}\n`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const file = join(folder, 'nginx.conf');
  const outer = `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}\n`;
  writeFileSync(file, `${outer}http { access_log off; ${temporary.join(' ')}\n${servers}\n}\n`);
  const child = spawn(NGINX!, ['-p', folder, '-c', file, '-e', `${folder}/error.log`], { stdio: 'inherit' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        (error) => !/ECONNREFUSED/.test(String(error.cause?.code)),
      ),
    )
    .toBe(true);
  return async () => {
    child.kill('SIGTERM');
    await ended;
  };
}

const portOf = (bin: RunningBin): number =>
  Number(/^Listening on http:\/\/127\.0\.0\.1:(\d+)\/$/m.exec(bin.stdout())![1]);

/** Uses a page behind nginx: its files, workers, sockets, API, uploads and frames. */
async function usePage(browser: Browser, link: string, folder: string): Promise<void> {
  const strangers = await browser.newContext({ ignoreHTTPSErrors: true });
  const refused = await (await strangers.newPage()).goto(link);
  expect(refused?.status()).toBe(401);
  await strangers.close();

  const context = await browser.newContext({ ignoreHTTPSErrors: true, httpCredentials: USER });
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('response', (response) => {
    // The browser is asked for the password once.
    if (response.status() >= 400 && response.status() !== 401) wrong.push(`${response.status()} ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText !== 'net::ERR_ABORTED')
      wrong.push(`${request.failure()?.errorText} ${request.url()}`);
  });
  page.on('pageerror', (error) => wrong.push(error.message));
  await page.goto(link);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('echo');
  await bench.group('View of the arguments').getByRole('button', { name: 'JSON' }).click();
  await bench.edit('{"message":"through nginx"}');
  await bench.call();
  await expect(bench.result).toContainText('through nginx');
  await bench.filter('/tools.call/');
  await expect(bench.rows).toHaveCount(1);
  await importLarge(page, bench, folder);

  await bench.addServer();
  const form = page.getByRole('dialog', { name: 'Add server' });
  await form.getByRole('textbox').first().fill(`"${process.execPath}" "${APPS}"`);
  await form.getByRole('button', { name: 'Connect', exact: true }).click();
  await bench.connected();
  await bench.tool('show-good');
  await page.getByRole('group', { name: 'View of the result' }).getByRole('button', { name: 'App' }).click();
  await bench.button('Load app').click();
  await bench.button('Start app').click();
  await expect(page.frameLocator('iframe[title="App of show-good"]').getByText('host mcp-inspect')).toBeVisible();
  await page.reload();
  await bench.connected();
  expect(wrong).toEqual([]);
  await context.close();
}

/** Imports a recording of more than a megabyte, nginx's own limit of a body, and opens it. */
async function importLarge(page: Page, bench: Workbench, folder: string): Promise<void> {
  const file = join(folder, 'large.mcpr.jsonl');
  const header = {
    mcpr: 2,
    id: 'large',
    at: '2026-01-31T12:00:00.000Z',
    by: 'x',
    mode: 'client',
    name: 'large',
    transport: 'stdio',
  };
  const line = (n: number) =>
    JSON.stringify({ n, t: n, c: 'stderr', d: '<', text: `${n} ${'lorem ipsum '.repeat(20_000)}` });
  writeFileSync(
    file,
    [
      JSON.stringify({ ...header, redaction: { policy: 'capture/1' } }),
      ...Array.from({ length: 9 }, (_, at) => line(at + 1)),
      '',
    ].join('\n'),
  );
  await bench.button('Recordings').click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /^Import/ }).click();
  await (await chooser).setFiles(file);
  await expect(bench.recordings.filter({ hasText: 'imported' })).toHaveCount(1);
  await page.goBack();
}

test('nginx with TLS, a password and a host name of its own, as docs/hosting.md has it', async ({ start, browser }, {
  outputDir,
}) => {
  const port = await freePort();
  const at = `https://localhost:${port}`;
  const bin = await start(['--page', `url=${at}`, '--', ...demoCommand()]);
  const folder = join(outputDir, 'nginx');
  const servers = configurationIn('hosting.md')
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('mcp.example.com', 'localhost')
    .replace('/etc/nginx/mcp.crt', certificateFile('server'))
    .replace('/etc/nginx/mcp.key', keyFile('server'))
    .replace('/etc/nginx/mcp.users', `${folder}/users`)
    .replace('127.0.0.1:6270', `127.0.0.1:${portOf(bin)}`);
  const stop = await startNginx(folder, servers, port);
  await usePage(browser, bin.link, outputDir);
  await stop();
});

test('nginx with a password and a path, as docs/public-url.md has it', async ({ start, browser }, { outputDir }) => {
  const port = await freePort();
  const at = `http://localhost:${port}`;
  const bin = await start(['--page', `url=${at}/tools/mcp`, '--', ...demoCommand()]);
  const folder = join(outputDir, 'nginx');
  const location = configurationIn('public-url.md').replace('127.0.0.1:6270;', `127.0.0.1:${portOf(bin)};`);
  const password = `auth_basic x; auth_basic_user_file ${folder}/users;`;
  const stop = await startNginx(folder, `server { listen 127.0.0.1:${port}; ${password}\n${location} }`, port);
  await usePage(browser, bin.link, outputDir);
  await stop();
});
