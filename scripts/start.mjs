// `npm start [-- arguments]`: makes the checkout ready, then is mcp-inspect itself, in this process. Without a server
// named it connects the demo.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensure } from './ensure.mjs';

const cli = join(import.meta.dirname, '..', 'dist', 'cli.js');

try {
  await ensure();
  // npm runs scripts in the project's folder; paths in the arguments are meant from where the person stands.
  if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
  process.argv = [process.argv[0], cli, '--demo', ...process.argv.slice(2)];
  await import(pathToFileURL(cli).href);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
