import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { usageError } from '@/proxy/cli/exit-code';

/** The newest version of the suite that was tried, which npx downloads if it may. */
const TESTED = '0.2.0-alpha.12';
const PACKAGE = '@modelcontextprotocol/conformance';
/** The oldest Node that the suite runs on. */
const NODE = 22;

/** A program that runs the suite. */
export interface Suite {
  readonly command: string;
  readonly args: readonly string[];
}

/** The facts that decide how the suite is run. */
interface Surroundings {
  readonly cwd: string;
  /** Our own Node. */
  readonly node: string;
  readonly nodeVersion: string;
  readonly platform: string;
  readonly arch: string;
  exists(path: string): boolean;
}

export const SURROUNDINGS = (): Surroundings => ({
  cwd: process.cwd(),
  node: process.execPath,
  nodeVersion: process.versions.node,
  platform: process.platform,
  arch: process.arch,
  exists: existsSync,
});

/**
 * Finds the conformance suite in `node_modules` of the working directory or a folder above it. `mayFetch`: else lets
 * npx download it. Throws an ExitError without it, or without a Node that is new enough.
 */
export function findSuite(mayFetch: boolean, { cwd, node, nodeVersion, platform, arch, exists }: Surroundings): Suite {
  const isNew = Number(nodeVersion.split('.')[0]) >= NODE;
  const tooOld = `The conformance suite needs Node ${NODE} or newer, but this is ${nodeVersion}.`;
  const modules = foldersAbove(cwd).find((folder) => exists(join(folder, PACKAGE, 'dist/index.js')));
  if (modules !== undefined) {
    // The npm package `node` installs one of these.
    const packaged = ['node/bin/node', `node-${platform}-${arch}/bin/node`].map((path) => join(modules, path));
    const command = isNew ? node : packaged.find(exists);
    if (command === undefined) {
      throw usageError(`${tooOld} Run mcp-inspect with a newer Node, or \`npm install --save-dev node@${NODE}\`.`);
    }
    return { command, args: [join(modules, PACKAGE, 'dist/index.js')] };
  }
  if (!mayFetch) {
    throw usageError(
      `\`--conformance\` needs ${PACKAGE}, which is not installed here. Run \`npm install --save-dev ${PACKAGE}@${TESTED}\`, or write \`--conformance fetch\` so that npx downloads it.`,
    );
  }
  if (!isNew) throw usageError(`${tooOld} Run mcp-inspect with a newer Node.`);
  return { command: 'npx', args: ['-y', `${PACKAGE}@${TESTED}`] };
}

/** Lists `node_modules` of a folder and of all folders above it, the nearest first. */
function foldersAbove(folder: string): readonly string[] {
  const parent = dirname(folder);
  return [join(folder, 'node_modules'), ...(parent === folder ? [] : foldersAbove(parent))];
}
