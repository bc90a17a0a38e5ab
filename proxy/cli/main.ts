#!/usr/bin/env node
import { parseArguments } from './args';
import { helpText } from './help';

/** Put in by the build, from package.json. */
declare const MCP_INSPECT_VERSION: string;

/** Exit code for a command line that makes no sense. */
const WRONG = 2;

const parsed = parseArguments(process.argv.slice(2));
if (parsed.kind === 'help') process.stdout.write(helpText());
else if (parsed.kind === 'version') process.stdout.write(`${MCP_INSPECT_VERSION}\n`);
else {
  const wrong = parsed.kind === 'wrong' ? parsed.sentence : await run(parsed.options);
  if (wrong !== undefined) {
    process.stderr.write(`mcp-inspect: ${wrong}\n`);
    process.exitCode = WRONG;
  }
}

/** Loads what only a run needs, so that `--help` and `--version` answer at once. Returns what is wrong, if anything is. */
async function run(options: Extract<typeof parsed, { kind: 'run' }>['options']): Promise<string | undefined> {
  // npm only warns about `engines`. This property came with Node 20.11, and nothing works without it.
  if (!import.meta.dirname) return `Node ${process.versions.node} is too old: mcp-inspect needs Node 20.19 or newer.`;
  const { runInspector } = await import('./run');
  return runInspector(options, MCP_INSPECT_VERSION, import.meta.dirname);
}
