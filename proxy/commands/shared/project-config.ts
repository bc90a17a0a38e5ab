import { resolve } from 'node:path';
import { usageError } from '@/proxy/cli/exit-code';
import { buildPresets, type FoundProject, withoutModelKeys } from '@/proxy/cli/presets';
import type { ServerOptions } from '@/proxy/cli/server-options';
import { type DecisionStore, type FoundFile, foundFile, keptDecisions } from '@/proxy/files/decisions';
import { readNamedFile } from '@/proxy/files/user-files';
import type { Asking } from './ask-inputs';
import { mayUse } from './consent';
import { shownEntry } from './shown-entry';

/** Name of the config that a project brings along. Anyone who wrote the project wrote its commands. */
export const PROJECT_CONFIG = '.mcp.json';

/** Bytes of a config. */
const CONFIG_BYTES = 1024 * 1024;

/**
 * Finds the config of a folder, by its usual name or another; undefined if there is none. Throws an ExitError if it
 * can’t be read.
 */
export async function findProjectConfig(folder: string, name: string = PROJECT_CONFIG): Promise<FoundFile | undefined> {
  const path = resolve(folder, name);
  const { text, wrong } = await readNamedFile(path, { most: CONFIG_BYTES });
  if (wrong !== undefined)
    throw usageError(`Can’t use \`${path}\`. ${wrong} Move it away, or name another with \`--config\`.`);
  if (text === undefined) return undefined;
  return foundFile(path, text);
}

/**
 * Asks whether the servers of a project’s config may be started, once for each content. `shown` has a line for each
 * server. Resolves with false, and says why, if not.
 */
export function mayUseProject(
  config: FoundFile,
  shown: readonly string[],
  asking: Asking,
  store: DecisionStore = keptDecisions(),
): Promise<boolean> {
  return mayUse('servers', config, shown, asking, store);
}

/**
 * Asks about the project’s config that a named server is in: somebody else may have written it. Rejects with an
 * ExitError unless a person agrees.
 */
export async function agreeTo(
  project: FoundProject | undefined,
  options: ServerOptions,
  home: string,
  asking: Asking,
): Promise<void> {
  if (!project) return;
  const { path, entries } = project;
  const config = await findProjectConfig('.', path);
  const again = await buildPresets(options, withoutModelKeys(home));
  // The decision is about this content, so it has to be the content that is started.
  if (!config || 'wrong' in again || JSON.stringify(again.project) !== JSON.stringify(project))
    throw changedConfig(path);
  if (await mayUseProject(config, entries.flatMap(shownEntry), asking)) return;
  throw usageError(`\`${options.server}\` is in \`${path}\`, a project’s config that you did not agree to use.`);
}

/** Says that what a person agreed to is no longer there. */
export function changedConfig(path: string): Error {
  return usageError(`\`${path}\` has changed in the meantime. Start again to look at it.`);
}
