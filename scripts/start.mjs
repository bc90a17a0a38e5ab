// `npm start [-- arguments]`: makes the checkout ready, then is mcp-inspect itself, in this process. Without a server
// named it connects the demo.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensure } from './ensure.mjs';

const cli = join(import.meta.dirname, '..', 'dist', 'cli.js');

try {
  await ensure();
  process.argv = [process.argv[0], cli, '--demo', ...process.argv.slice(2)];
  await import(pathToFileURL(cli).href);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
