import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { CheckedSource } from '@/features/check/lib/report';
import { usageError } from '@/proxy/cli/exit-code';
import { type CommandRequest, lastValue } from '@/proxy/cli/grammar';
import { repositoryRoot } from '@/proxy/files/repository-folders';

/** Returns where a source is in the repository, for code scanning. */
export type Locate = (source: CheckedSource) => Pick<CheckedSource, 'location'>;

/** Files that may name a server at a URL or one of a package, the likeliest first. */
const MANIFESTS = ['server.json', '.mcp.json', '.vscode/mcp.json', '.cursor/mcp.json', 'mcp-inspect.config.json'];

/**
 * Finds the file of the repository that stands for what is checked: that of `--location`, the config, the program, or a
 * file that lists servers. Undefined if no report needs it. Throws an ExitError if SARIF does, and there is none.
 */
export function readLocation(request: CommandRequest, cwd = process.cwd()): Locate | undefined {
  const { given, server, words } = request;
  const isSarif = given.has('report.sarif');
  const named = lastValue(given, 'location');
  if (named !== undefined && !isSarif && !given.has('report.github')) {
    throw usageError('`--location` is the file that a report names: add `--report sarif=FILE` or `--report github`.');
  }
  if (!isSarif && !given.has('report.github')) return undefined;
  const root = repositoryRoot(realpathSync(cwd));
  const within = (path: string): string | undefined => pathWithin(root, resolve(cwd, path));
  const fallback = named === undefined ? guessed([lastValue(given, 'config'), ...server], within, root) : within(named);
  if (named !== undefined && fallback === undefined) {
    throw usageError(`\`${named}\` is not a file in \`${root}\`. Check the path after \`--location\`.`);
  }
  const isPlaced = words.length > 0 && words.every((word) => within(word) !== undefined);
  if (isSarif && fallback === undefined && !isPlaced) throw usageError(NEEDS_LOCATION);
  return ({ file }) => {
    const location = (file !== undefined && within(file)) || fallback;
    return location === undefined ? {} : { location };
  };
}

const NEEDS_LOCATION =
  'Code scanning takes only results that are in a file of the repository, and none is known here: name the file that starts or lists the server with `--location FILE`.';

function guessed(
  words: readonly (string | undefined)[],
  within: (path: string) => string | undefined,
  root: string,
): string | undefined {
  const files = [...words, ...MANIFESTS, ...MANIFESTS.map((name) => join(root, name))];
  for (const file of files) {
    const found = file === undefined ? undefined : within(file);
    if (found !== undefined && !found.split('/').includes('node_modules')) return found;
  }
  return undefined;
}

/** Returns the path of a file from a folder, with slashes; undefined if it is not a file in it. */
function pathWithin(root: string, file: string): string | undefined {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const path = relative(root, realpathSync(file));
  if (path === '' || isAbsolute(path) || path.split(sep)[0] === '..') return undefined;
  return path.split(sep).join('/');
}
