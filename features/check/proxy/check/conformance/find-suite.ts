import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { usageError } from '@/proxy/cli/exit-code';
import { dataFolder } from '@/proxy/files/data-folder';
import { installLine, moduleFolders } from '@/proxy/files/module-folders';

/** The newest version of the suite that was tried, which npx downloads if it may. */
const TESTED = '0.2.0-alpha.12';
const PACKAGE = '@modelcontextprotocol/conformance';
/** The oldest Node that the suite runs on. */
const NODE = 22;

/** A program that runs the suite. */
export interface ConformanceSuite {
  readonly command: string;
  readonly args: readonly string[];
  /** Folder that it runs in: npx obeys the settings and packages of its own. */
  readonly cwd: string;
}

/** The facts that decide how the suite is run. */
interface Surroundings {
  /** Folders of packages whose code may run. */
  readonly folders: readonly string[];
  /** The folder of mcp-inspect, which no project can write to. */
  readonly data: string;
  /** Our own Node. */
  readonly node: string;
  readonly nodeVersion: string;
  readonly platform: string;
  readonly arch: string;
  exists(path: string): boolean;
}

export const SURROUNDINGS = (): Surroundings => ({
  folders: moduleFolders(),
  data: dataFolder(),
  node: process.execPath,
  nodeVersion: process.versions.node,
  platform: process.platform,
  arch: process.arch,
  exists: existsSync,
});

/**
 * Finds the conformance suite beside mcp-inspect or in its data folder. `mayFetch`: else lets npx download it. Throws
 * an ExitError without it, or without a Node that is new enough.
 */
export function findSuite(mayFetch: boolean, surroundings: Surroundings): ConformanceSuite {
  const { folders, data, node, nodeVersion, platform, arch, exists } = surroundings;
  const isNew = Number(nodeVersion.split('.')[0]) >= NODE;
  const tooOld = `The conformance suite needs Node ${NODE} or newer, but this is ${nodeVersion}.`;
  const modules = folders.find((folder) => exists(join(folder, PACKAGE, 'dist/index.js')));
  if (modules !== undefined) {
    // The npm package `node` installs one of these.
    const packaged = ['node/bin/node', `node-${platform}-${arch}/bin/node`].map((path) => join(modules, path));
    const command = isNew ? node : packaged.find(exists);
    if (command === undefined) {
      throw usageError(`${tooOld} Run mcp-inspect with a newer Node, or \`${installLine(`node@${NODE}`, data)}\`.`);
    }
    return { command, args: [join(modules, PACKAGE, 'dist/index.js')], cwd: data };
  }
  if (!mayFetch) {
    throw usageError(
      `\`--conformance\` needs ${PACKAGE}, which is not installed beside mcp-inspect. Run \`${installLine(`${PACKAGE}@${TESTED}`, data)}\`, or write \`--conformance fetch\` so that npx downloads it.`,
    );
  }
  if (!isNew) throw usageError(`${tooOld} Run mcp-inspect with a newer Node.`);
  return { command: 'npx', args: ['-y', `${PACKAGE}@${TESTED}`], cwd: data };
}
