#!/usr/bin/env node
import { expandHelp, isProgram, parseArguments } from './cli/args';
import { EXIT } from './cli/exit-code';
import { helpText, recordingsHelp } from './cli/help';
import { printNote } from './cli/output';
import type { RunOptions } from './cli/run-options';
import { findFileSubcommand, findSubcommand } from './cli/subcommands';

/** Put in by the build, from package.json. */
declare const MCP_INSPECT_VERSION: string;

const argv = expandHelp(process.argv.slice(2));
const onFiles = findFileSubcommand(argv);
const subcommand = onFiles ? undefined : findSubcommand(argv);
if (onFiles) {
  await orTooOld(async (home) => {
    const { runFileSubcommand } = await import('./commands/file-run');
    process.exitCode = await runFileSubcommand(onFiles, MCP_INSPECT_VERSION, home);
    return undefined;
  });
} else if (subcommand) {
  await orTooOld(async (home) => {
    const { runSubcommand } = await import('./commands/run');
    process.exitCode = await runSubcommand(subcommand, MCP_INSPECT_VERSION, home);
    return undefined;
  });
} else {
  const parsed = parseArguments(argv, (word) => isProgram(word, process.env, process.cwd()));
  if (parsed.kind === 'help') process.stdout.write(parsed.about ? recordingsHelp(parsed.about) : helpText());
  else if (parsed.kind === 'version') process.stdout.write(`${MCP_INSPECT_VERSION}\n`);
  else if (parsed.kind === 'wrong') complain(parsed.sentence);
  else if (parsed.kind === 'recordings') await orTooOld(printRecordings);
  else await orTooOld((home) => inspect(parsed.options, home));
}

async function inspect(options: RunOptions, home: string): Promise<string | undefined> {
  const { runInspector } = await import('./commands/inspect');
  return runInspector(options, MCP_INSPECT_VERSION, home);
}

async function printRecordings(): Promise<undefined> {
  const { recordingsText } = await import('./commands/recordings');
  process.stdout.write(await recordingsText(process.stdout.columns));
}

/**
 * Runs with the directory of the built bin what loads the code it needs by itself, so that `--help` and `--version` answer at
 * once and a subcommand loads nothing of the page. Tells what is wrong, if anything is.
 */
async function orTooOld(run: (home: string) => Promise<string | undefined>): Promise<void> {
  // npm only warns about `engines`. This property came with Node 20.11, and nothing works without it.
  const wrong = import.meta.dirname
    ? await run(import.meta.dirname)
    : `Node ${process.versions.node} is too old: mcp-inspect needs Node 20.19 or newer.`;
  if (wrong !== undefined) complain(wrong);
}

function complain(sentence: string): void {
  // It may name what stands on the command line, byte by byte.
  printNote(`mcp-inspect: ${sentence}`);
  process.exitCode = EXIT.usage;
}
