import { existsSync, readFileSync } from 'node:fs';
import { EXIT, ExitError, FILE_LIMIT, printFailure, stdoutEnd, storeExitCode, usageError } from '@/proxy/cli/exit-code';
import { type CommandLine, parseCommandLine } from '@/proxy/cli/grammar';
import { commandHelp, helpText, topicHelp } from '@/proxy/cli/help';
import { SETTINGS_FILE } from '@/proxy/cli/options';
import { printLines, printNote, printText } from '@/proxy/cli/output';
import { statusLine } from '@/proxy/cli/status-line';
import { COMMANDS } from './registry';

/** The build replaces it with the version in package.json. */
declare const MCP_INSPECT_VERSION: string;

/** Runs the command line of this process. `home` is the folder of the built bin. */
export async function main(home: string | undefined): Promise<void> {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error) => {
    // A command with servers ends them first. The page needs no stdout once it has printed its link.
    if (process.stdout.listenerCount('error') > 1) return;
    const { exitCode, sentence } = stdoutEnd(error);
    if (sentence !== undefined) printNote(sentence);
    process.exit(exitCode);
  });
  try {
    const argv = process.argv.slice(2);
    await run(await withSettings(argv, parseCommandLine(argv, COMMANDS)), home);
  } catch (error) {
    process.exitCode = printFailure(error, (failure) => storeExitCode(failure) ?? EXIT.usage);
  }
}

/** Adds options of the team’s settings, if there are any and the command takes them. */
async function withSettings(argv: readonly string[], line: CommandLine): Promise<CommandLine> {
  if (line.kind !== 'run' || !line.command.options.some(({ name }) => name === 'settings')) return line;
  if (!line.request.given.has('settings') && !existsSync(SETTINGS_FILE)) return line;
  return (await import('./shared/team-options')).withTeamOptions(argv, line, COMMANDS);
}

/** Loading the code alone opens more files at once with Node 20. With fewer, a page and its server fail later. */
const LEAST_OPEN_FILES = 64;

/** Returns how many files this process may have open, if the system says so in `/proc`. */
function mostOpenFiles(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1');
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Loads a subcommand's code only to run it, so that `--help` and `--version` answer at once. */
async function run(line: CommandLine, home: string | undefined): Promise<void> {
  if (line.kind === 'help') {
    const { command, topic } = line;
    const text = topic ? topicHelp(topic, COMMANDS) : command ? commandHelp(command, COMMANDS) : helpText(COMMANDS);
    process.stdout.write(text);
    return;
  }
  if (line.kind === 'version') {
    process.stdout.write(`${MCP_INSPECT_VERSION}\n`);
    return;
  }
  // npm only warns about `engines`. This property came with Node 20.11, and nothing works without it.
  if (!home) throw usageError(`Node ${process.versions.node} is too old: mcp-inspect needs Node 20.19 or newer.`);
  if (mostOpenFiles() < LEAST_OPEN_FILES) throw new ExitError(EXIT.internal, FILE_LIMIT);
  const command = await line.command.load();
  process.exitCode = await command.run({
    request: line.request,
    version: MCP_INSPECT_VERSION,
    home,
    printText,
    printLines,
    printNote,
    status: statusLine,
  });
}
