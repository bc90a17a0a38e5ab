// `npm start [-- arguments]`: makes the checkout ready, then runs mcp-inspect in this process. Without a server it
// connects to the demo.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensure } from './ensure.mjs';

const cli = join(import.meta.dirname, '..', 'dist', 'cli.js');

try {
  await ensure();
  // npm runs scripts in the project's folder, but paths in the arguments are relative to the person's folder.
  if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
  process.argv = [process.argv[0], cli, '--demo', ...process.argv.slice(2)];
  await import(pathToFileURL(cli).href);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
