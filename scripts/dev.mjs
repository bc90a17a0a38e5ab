// `npm run dev [-- arguments]`: the page from `next dev`, reloading as its source changes, and our proxy behind it.
// Browsers talk to one door of our own. It hands the proxy's paths to the proxy and the rest to Next, under the names that
// each of them expects, so that the guard needs no exception for development.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { buildStep } from './build.mjs';
import { ensureInstalled } from './ensure.mjs';

const root = join(import.meta.dirname, '..');
const NEXT_PORT = 6268;
const PORT = 6269;
/** What the proxy answers; all else is Next's. */
const PROXY_PATH = /^\/(?:api\/|ws$|launch$|host\.json$)/;

await ensureInstalled('.');
await Promise.all([buildStep('monaco'), buildStep('direct'), buildStep('workers'), buildStep('proxy')]);
const page = join(root, 'dist/ui/index.html');
if (!existsSync(page)) {
  // The proxy doesn't start without a page of its own; nobody sees this one.
  mkdirSync(join(page, '..'), { recursive: true });
  writeFileSync(page, '<!doctype html>');
}

const next = spawn(
  process.execPath,
  ['node_modules/next/dist/bin/next', 'dev', '--port', NEXT_PORT, '--hostname', '127.0.0.1'].map(String),
  {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
  },
);
const args = process.argv.length > 2 ? process.argv.slice(2) : ['--demo'];
const proxy = spawn(process.execPath, ['dist/cli.js', '--no-open', '--port', '0', ...args], {
  cwd: root,
  stdio: ['inherit', 'pipe', 'inherit'],
});
let proxyPort;
proxy.stdout.setEncoding('utf8').on('data', (text) => {
  proxyPort ??= /^http:\/\/127\.0\.0\.1:(\d+)/m.exec(text)?.[1];
  process.stdout.write(proxyPort ? text.replaceAll(`127.0.0.1:${proxyPort}`, `127.0.0.1:${PORT}`) : text);
});
for (const child of [next, proxy]) child.on('exit', (code) => end(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => end(0));

/** Ends what we started; the proxy ends its servers first. */
function end(code) {
  process.exitCode = code;
  door.close();
  door.closeAllConnections();
  for (const child of [next, proxy]) child.kill('SIGTERM');
}

/** Sends a request on. A page of this door becomes a page of the port behind it; pages of others stay what they are. */
function forward(incoming) {
  const port = PROXY_PATH.test(incoming.url.split('?')[0]) ? proxyPort : NEXT_PORT;
  const host = `127.0.0.1:${port}`;
  const headers = { ...incoming.headers, host };
  if (headers.origin === `http://127.0.0.1:${PORT}`) headers.origin = `http://${host}`;
  return request({ host: '127.0.0.1', port, method: incoming.method, path: incoming.url, headers });
}

const door = createServer((incoming, outgoing) => {
  const forwarded = forward(incoming);
  forwarded.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers);
    answer.pipe(outgoing);
  });
  forwarded.on('error', () => outgoing.destroy());
  incoming.pipe(forwarded);
});

door.on('upgrade', (incoming, socket, head) => {
  const forwarded = forward(incoming);
  forwarded.on('upgrade', (answer, behind, first) => {
    const lines = answer.rawHeaders.flatMap((name, index, all) =>
      index % 2 === 0 ? [`${name}: ${all[index + 1]}`] : [],
    );
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
    socket.write(first);
    behind.write(head);
    behind.pipe(socket).pipe(behind);
    for (const side of [socket, behind]) side.on('error', () => [socket, behind].map((one) => one.destroy()));
  });
  forwarded.on('response', () => socket.destroy());
  forwarded.on('error', () => socket.destroy());
  forwarded.end();
});

door.listen(PORT, '127.0.0.1');
