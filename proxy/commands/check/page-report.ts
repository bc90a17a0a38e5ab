import { usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, type GivenOptions, lastValue } from '@/proxy/cli/grammar';
import { numberedPath } from './session-recordings';

/** Reads `--html`. Throws an ExitError. */
export function readPagePath(given: GivenOptions): string | undefined {
  const path = lastValue(given, 'html');
  if (path === undefined || /\.html?$/.test(path)) return path;
  throw usageError(`\`--html\` needs a file name that ends in \`.html\`: \`${path}\`.`);
}

/**
 * Writes each recording as a page with its viewer, opened on the problems, with secrets masked as `share` does: the
 * first one to `path`, the others beside it. Throws an ExitError or a Failure.
 */
export async function writePages(path: string, recordings: readonly string[], context: CommandContext): Promise<void> {
  const { sharePage } = await import('../share/share');
  for (const [at, recording] of recordings.entries()) {
    const page = numberedPath(path, at + 1);
    await sharePage(recording, page, 'problems', context);
    context.printNote(`mcp-inspect: \`${page}\` shows the messages and the problems of the rules.`);
  }
}
