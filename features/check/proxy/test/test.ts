import { type ExitCode, printFailure, usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, type CommandRequest, isGiven, type ParsedOptions } from '@/proxy/cli/grammar';
import { readWatch } from '@/proxy/cli/page-options';
import type { Status } from '@/proxy/cli/status-line';
import { endWith, exitCodeOf, type ServerCommand } from '@/proxy/commands/headless/on-server';
import { checkReports } from '@/proxy/commands/shared/report-files';
import { findTestFiles } from './find-files';
import { endTests, prepareFile, runTests } from './run-tests';
import type { FileTest } from './tested';

/** Plays pinned calls and recorded clients on a server, and compares the answers. */
export const run: ServerCommand = Object.assign(
  async (context: CommandContext): Promise<ExitCode> => {
    try {
      const { given } = context.request;
      requireTogether(given);
      if (given.has('add')) return await (await import('./add-pins')).addPins(context);
      if (given.has('minimise')) return await (await import('./minimise/minimise')).minimise(context, endWith);
      checkReports(given, 'report.junit');
      if (readWatch(given).on) return await (await import('./watch-tests')).watchTests(context);
      return await runTests(context);
    } catch (error) {
      return printFailure(error, exitCodeOf);
    }
  },
  { prepare },
);

/** Options that mean something only beside another one. */
const BESIDE: Readonly<Record<string, string>> = { 'fail-on': 'minimise', jobs: 'minimise', out: 'minimise' };
/** Options that exclude each other. */
const WAYS = ['add', 'minimise', 'update', 'watch'];
const OF_COMPARING = ['record', 'timeout', 'compare', 'ignore', 'report'];
/** Options without effect beside those that do not compare. */
const UNUSED: Readonly<Record<string, readonly string[]>> = {
  add: OF_COMPARING,
  minimise: [...OF_COMPARING, 'since', 'limit'],
};

/** Refuses options that contradict each other. Throws an ExitError. */
function requireTogether(given: ParsedOptions): void {
  for (const [name, needed] of Object.entries(BESIDE)) {
    if (isGiven(given, name) && !given.has(needed))
      throw usageError(`\`--${name}\` belongs to \`--${needed}\`: add it.`);
  }
  const [one, other] = WAYS.filter((name) => given.has(name));
  if (other !== undefined) throw usageError(`\`--${one}\` and \`--${other}\` can’t be combined: remove one of them.`);
  const unused = UNUSED[one ?? '']?.find((name) => isGiven(given, name));
  if (unused !== undefined) throw usageError(`\`--${unused}\` has no effect beside \`--${one}\`: remove it.`);
}

/** Plays one file as {@link run} does. */
async function prepare(request: CommandRequest, status: Status) {
  const { given } = request;
  const [file] = await findTestFiles({ version: '', request });
  const test = await prepareFile(file!, given, status);
  const play: FileTest['play'] = async (server) => {
    const code = await test.play(server);
    await endTests([test.tested()!], given, server.out);
    return code;
  };
  return Object.assign(play, { connect: test.play.connect });
}
