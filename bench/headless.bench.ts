/**
 * Cost of a call from the command line: `call echo` on the demo server, from start to exit. The baselines are
 * `node -e 0`, and a few lines of plain Node that start the server and make the same two requests.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fromRoot, quantile } from './inspected';

const ROUNDS = 15;
const SERVER = fromRoot('examples/demo-server/server.mjs');

/** The least that any client must do: discover, call, and read the responses. */
const BARE_CLIENT = `
const server = require('node:child_process').spawn(process.execPath, [${JSON.stringify(SERVER)}], { stdio: ['pipe', 'pipe', 'ignore'] });
const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientInfo': { name: 'bare', version: '0' }, 'io.modelcontextprotocol/clientCapabilities': {} };
const send = (id, method, params) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } }) + '\\n');
let text = '';
server.stdout.on('data', (chunk) => {
  text += chunk;
  for (let end = text.indexOf('\\n'); end >= 0; end = text.indexOf('\\n')) {
    const { id, error } = JSON.parse(text.slice(0, end));
    text = text.slice(end + 1);
    if (error) throw new Error(JSON.stringify(error));
    if (id === 1) send(2, 'tools/call', { name: 'echo', arguments: {} });
    if (id === 2) server.stdin.end();
  }
});
send(1, 'server/discover', {});
`;

async function timed(...args: string[]): Promise<number> {
  const begin = performance.now();
  const [code] = await once(spawn(process.execPath, args, { stdio: 'ignore' }), 'exit');
  if (code !== 0) throw new Error(`${args[0]} … exited with ${code}`);
  return performance.now() - begin;
}

const times = { node: [] as number[], bare: [] as number[], ours: [] as number[] };
for (let round = 0; round < ROUNDS; round++) {
  times.node.push(await timed('-e', '0'));
  times.bare.push(await timed('-e', BARE_CLIENT));
  times.ours.push(await timed(fromRoot('dist/cli.js'), 'call', 'echo', '--', process.execPath, SERVER));
}
const [node, bare, ours] = [times.node, times.bare, times.ours].map((values) => quantile(values, 0.5)) as [
  number,
  number,
  number,
];
console.log(
  `call        node -e 0 ${node.toFixed(0)} ms  bare client ${bare.toFixed(0)} ms  call ${ours.toFixed(0)} ms  ` +
    `ratio to node ${(ours / node).toFixed(2)}, to the bare client ${(ours / bare).toFixed(2)} (target ≤ 2)`,
);
