// `npm run dev [-- arguments]`: the page from `next dev`, which reloads as its source changes, and our proxy behind it.
// The proxy and the workers are rebuilt when their source changes, and the proxy starts again. Browsers talk to one
// server of ours. It forwards the proxy's paths to the proxy and the rest to Next, under the host that each of them
// expects, so the guard needs no exception for development.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, watch, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { buildStep } from './build.mjs';
import { STEPS } from './build-steps.mjs';
import { ensureInstalled } from './ensure.mjs';
import { isFresh } from './freshness.mjs';

const root = join(import.meta.dirname, '..');
const NEXT_PORT = 6268;
const PORT = 6269;
/** Paths that the proxy answers; all others are Next's. */
const PROXY_PATH = /^\/(?:api\/|ws$|launch$|host\.json$)/;

/** Built before the start, and again when their source changes. Next builds the page itself. */
const WATCHED = ['direct', 'workers', 'proxy'];
const SOURCE_FOLDERS = ['features', 'lib', 'proxy'];
/** Milliseconds without a change before a rebuild, because editors write several files at once. */
const QUIET_MS = 150;

await ensureInstalled('.');
await Promise.all(['monaco', ...WATCHED].map((name) => buildStep(name)));
const page = join(root, 'dist/ui/index.html');
if (!existsSync(page)) {
  // The proxy needs a page of its own to start; nobody sees this one.
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
let proxyPort;
let proxy = startProxy();
let ending = false;

/** Starts the built proxy and prints its link with our port. A restarted proxy gets the same port again. */
function startProxy() {
  const child = spawn(process.execPath, ['dist/cli.js', '--no-open', '--port', String(proxyPort ?? 0), ...args], {
    cwd: root,
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  child.stdout.setEncoding('utf8').on('data', (text) => {
    proxyPort ??= /^http:\/\/127\.0\.0\.1:(\d+)/m.exec(text)?.[1];
    process.stdout.write(proxyPort ? text.replaceAll(`127.0.0.1:${proxyPort}`, `127.0.0.1:${PORT}`) : text);
  });
  child.on('exit', (code) => {
    if (child === proxy) end(code ?? 1);
  });
  return child;
}

async function restartProxy() {
  const old = proxy;
  proxy = undefined;
  const gone = new Promise((resolve) => old.once('exit', resolve));
  old.kill('SIGTERM');
  await gone;
  if (!ending) proxy = startProxy();
}

let building = Promise.resolve();
let timer;
const watchers = SOURCE_FOLDERS.map((folder) =>
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      building = building.then(rebuild);
    }, QUIET_MS);
  }),
);

/** Builds what is stale, and restarts the proxy if it was built. After a failed build the old one keeps running. */
async function rebuild() {
  const stale = WATCHED.filter((name) => !isFresh(STEPS[name]));
  const built = await Promise.all(
    stale.map((name) =>
      buildStep(name).then(
        () => name,
        (error) => void process.stderr.write(`${error.message}\n`),
      ),
    ),
  );
  if (ending) return;
  if (built.includes('proxy')) {
    await restartProxy();
    process.stderr.write('The proxy was restarted. Open the new link.\n');
  } else if (built.some(Boolean)) process.stderr.write('The workers were rebuilt. Reload the page.\n');
}

next.on('exit', (code) => end(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => end(0));

/** Ends all processes that we started. The proxy ends its servers first. */
function end(code) {
  if (ending) return;
  ending = true;
  process.exitCode = code;
  front.close();
  front.closeAllConnections();
  for (const child of [next, proxy]) child?.kill('SIGTERM');
  for (const watcher of watchers) watcher.close();
}

/** Forwards a request to the proxy or Next. Our own Origin is replaced with that of the target; others stay. */
function forward(incoming) {
  const port = PROXY_PATH.test(incoming.url.split('?')[0]) ? proxyPort : NEXT_PORT;
  const host = `127.0.0.1:${port}`;
  const headers = { ...incoming.headers, host };
  if (headers.origin === `http://127.0.0.1:${PORT}`) headers.origin = `http://${host}`;
  return request({ host: '127.0.0.1', port, method: incoming.method, path: incoming.url, headers });
}

const front = createServer((incoming, outgoing) => {
  const forwarded = forward(incoming);
  forwarded.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers);
    answer.pipe(outgoing);
  });
  forwarded.on('error', () => outgoing.destroy());
  incoming.pipe(forwarded);
});

front.on('upgrade', (incoming, socket, head) => {
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

front.listen(PORT, '127.0.0.1');
