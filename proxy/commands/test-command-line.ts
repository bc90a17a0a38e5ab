import type { ExitCode } from '@/proxy/cli/exit-code';
import { type CommandRequest, parseCommandLine } from '@/proxy/cli/grammar';
import { styledText } from '@/proxy/cli/output';
import type { CommandAction, ServerCommand } from './headless/on-server';
import { COMMANDS } from './registry';

/** Parses a command line that runs something. Every word counts as a program. */
export function parseRun(argv: readonly string[], isProgram = (_: string) => true) {
  const line = parseCommandLine(argv, COMMANDS, isProgram);
  if (line.kind !== 'run') throw new Error(`It asks for ${line.kind}.`);
  return line;
}

/** The request of a command line. */
export function requestOf(...argv: string[]): CommandRequest {
  return parseRun(argv).request;
}

/** The action of a subcommand that connects to a server. */
export async function prepareAction(...argv: string[]): Promise<CommandAction> {
  const { command, request } = parseRun(argv);
  const { run } = await command.load();
  return (run as ServerCommand).prepare(request, { show: () => {}, end: () => {} });
}

/** Runs a subcommand without a server and keeps what it prints. Rejects as the subcommand does. */
export async function runCommand(
  argv: readonly string[],
  home = '',
): Promise<{ code: ExitCode; stdout: string; notes: string[]; status: string[] }> {
  const { command, request } = parseRun(argv);
  const { run } = await command.load();
  const stdout: string[] = [];
  const notes: string[] = [];
  const status: string[] = [];
  const code = await run({
    request,
    version: '1',
    home,
    printText: (text) => stdout.push(text),
    printLines: (lines) => stdout.push(styledText(lines, false)),
    printNote: (line) => notes.push(line),
    status: { show: (text) => status.push(text), end: () => {} },
  });
  return { code, stdout: stdout.join('\n'), notes, status };
}
