/**
 * Time to import an HTTP Archive of 256 MB, and how long other requests wait meanwhile. The baselines, in the same run,
 * are parsing the archive as a whole, and a server that does nothing else. `--mb=N` sets another size. Exits
 * with 1 if a request waits longer than the target.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TOKEN_HEADER } from '../lib/wire/api';
import { fromRoot, inspect } from './inspected';

const MB = Number(process.argv.find((word) => /^--mb=\d+$/.test(word))?.slice('--mb='.length) ?? 256);
/** Bytes of one response's text. */
const TEXT_BYTES = 10_000;
const file = join(process.env.MCP_INSPECT_HOME!, 'long.har');

/** Writes calls of a tool over Streamable HTTP. */
async function write(): Promise<void> {
  const out = createWriteStream(file);
  const put = async (text: string) => {
    if (!out.write(text)) await once(out, 'drain');
  };
  await put('{"log":{"version":"1.2","creator":{"name":"bench","version":"1"},"entries":[');
  const header = (name: string, value: string) => ({ name, value });
  for (let id = 1, bytes = 0; bytes < MB * 1024 * 1024; id++) {
    const body = {
      jsonrpc: '2.0',
      id,
      result: { content: [{ type: 'text', text: `${id} ${'x'.repeat(TEXT_BYTES)}` }] },
    };
    const sent = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'read', arguments: { id } } };
    const entry = JSON.stringify({
      startedDateTime: new Date(1_770_000_000_000 + id * 10).toISOString(),
      time: 5,
      request: {
        method: 'POST',
        url: 'https://mcp.example.com/mcp',
        headers: [header('content-type', 'application/json')],
        postData: { mimeType: 'application/json', text: JSON.stringify(sent) },
      },
      response: {
        status: 200,
        headers: [header('content-type', 'application/json')],
        content: { size: TEXT_BYTES, mimeType: 'application/json', text: JSON.stringify(body) },
      },
      timings: { send: 0, wait: 4, receive: 1 },
    });
    await put(`${id === 1 ? '' : ','}${entry}`);
    bytes += entry.length + 1;
  }
  out.end(']}}');
  await once(out, 'finish');
}

await write();
console.log(`${(statSync(file).size / 1e6).toFixed(0)} MB`);

const inspected = await inspect([process.execPath, fromRoot('bench/flood-server.mjs')], ['--record', 'off']);
const origin = `http://127.0.0.1:${inspected.port}`;
/** A server that does nothing else: how long it lets requests wait is due to the machine. */
const idle = spawn(process.execPath, [
  '-e',
  'require("http").createServer((_, r) => r.end("{}")).listen(0, "127.0.0.1", function () { console.log(this.address().port) })',
]);
const idlePort = Number(String((await once(idle.stdout, 'data'))[0]));
let importing = true;

/** Asks until the import is over. Resolves with the longest wait in ms, and when it began. */
async function ask(url: string): Promise<{ readonly ms: number; readonly at: number }> {
  let longest = { ms: 0, at: 0 };
  while (importing) {
    const at = performance.now();
    await (await fetch(url)).text();
    const ms = performance.now() - at;
    if (ms > longest.ms) longest = { ms, at };
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return longest;
}

const asking = Promise.all([ask(`${origin}/host.json`), ask(`http://127.0.0.1:${idlePort}/`)]);
const begin = performance.now();
const reply = await fetch(`${origin}/api/recordings/import`, {
  method: 'POST',
  headers: { 'content-type': 'application/octet-stream', [TOKEN_HEADER]: inspected.token, origin },
  body: createReadStream(file) as never,
  duplex: 'half',
} as RequestInit);
const arrived = performance.now();
// Lines of progress, then the id.
const answer = (await reply.text()).trimEnd().split('\n').at(-1)!;
const seconds = (performance.now() - begin) / 1000;
importing = false;
const [ours, others] = await asking;
idle.kill();
const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${inspected.process.pid}/status`, 'utf8'))?.[1];
console.log(`import      ${reply.status} in ${seconds.toFixed(1)} s  ${answer.slice(0, 200)}`);
const phase = ours.at < arrived ? 'while the archive arrived' : 'while it was converted';
console.log(`host.json   longest wait ${ours.ms.toFixed(0)} ms (target ≤ 100 ms), ${phase}`);
if (ours.ms > 100) process.exitCode = 1;
console.log(`baseline    longest wait of an idle server ${others.ms.toFixed(0)} ms`);
console.log(`memory      peak ${(Number(peak) / 1024).toFixed(0)} MiB`);
await inspected.stop();

const parsing = performance.now();
JSON.parse(readFileSync(file, 'utf8'));
console.log(`baseline    JSON.parse of the whole ${((performance.now() - parsing) / 1000).toFixed(1)} s`);
rmSync(file);
