// Runs a driver of the conformance suite with an HTTP tap in front of the suite's server. Arguments: the driver, and
// the server's URL, which the suite appends. Ends as the driver does.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const cli = join(import.meta.dirname, '../../dist/cli.js');
const [driver, url] = process.argv.slice(2);
const home = mkdtempSync(join(tmpdir(), 'mcp-inspect-conformance-'));
const tap = spawn(process.execPath, [cli, 'tap', '--http', url], {
  env: { ...process.env, MCP_INSPECT_HOME: home },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const tapped = await new Promise((resolve, reject) => {
  let printed = '';
  tap.once('exit', () => reject(new Error('The tap ended.')));
  tap.stdout.on('data', (chunk) => {
    printed += chunk;
    if (printed.includes('\n')) resolve(printed.trim());
  });
});
const client = spawn(process.execPath, [driver, tapped], { stdio: 'inherit' });
const [code] = await new Promise((resolve) => client.once('exit', (...how) => resolve(how)));
tap.removeAllListeners('exit');
const gone = new Promise((resolve) => tap.once('exit', resolve));
tap.kill();
await gone;
rmSync(home, { recursive: true, force: true });
process.exit(code ?? 1);
