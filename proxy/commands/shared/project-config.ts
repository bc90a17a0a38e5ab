import { EXIT, ExitError, usageError } from '@/proxy/cli/exit-code';
import { type AgreeToProject, type StartContext, startContext, withoutModelKeys } from '@/proxy/cli/presets';
import type { ServerOptions } from '@/proxy/cli/server-options';
import { type DecisionStore, foundFile, keptDecisions } from '@/proxy/files/decisions';
import { isWithin, repositoryRoot } from '@/proxy/files/repository-folders';
import { type NamedFile, readNamedFile } from '@/proxy/files/user-files';
import { dotenvVariables, ENV_FILE_BYTES } from '@/proxy/servers/config-file';
import type { Asking } from './ask-inputs';
import { mayUse } from './consent';
import { shownEntry, shownEnvFile } from './shown-entry';

/** Name of the config that a project brings along. Anyone who wrote the project wrote its commands. */
export const PROJECT_CONFIG = '.mcp.json';

/** A person did not agree to the config of a project. */
export class NotAgreed extends ExitError {}

/**
 * Returns how the servers of a command line are looked up. A config that nobody named gets no keys of models, and needs
 * an answer if there is `asking`.
 */
export function aroundServer(options: ServerOptions, home: string, asking: Asking | undefined): StartContext {
  if (options.config !== undefined) return startContext(home);
  return { ...withoutModelKeys(home), agree: asking && agreeBy(asking) };
}

/**
 * Returns a function that asks whether a project’s servers may start, once for each content of its config and of the
 * files of variables in the project: what is read for that is what the servers get.
 */
export function agreeBy(asking: Asking, store: DecisionStore = keptDecisions()): AgreeToProject {
  return async ({ path, text, entries, servers }) => {
    const open = servers.find(({ name, envFile, inputs }) => {
      const entry = entries.find((one) => one.name === name);
      return inputs.length > 0 && envFile === undefined && entry?.envFile !== undefined;
    });
    if (open) throw usageError(`The path of the \`envFile\` of \`${open.name}\` has an input. ${NAME_IT} \`${path}\`.`);
    const within = repositoryRoot(process.cwd());
    const files = new Map<string, NamedFile>();
    for (const { envFile } of servers) {
      // Strangers did not write what is elsewhere. It is read once a person has agreed to its path.
      if (envFile === undefined || !isWithin(within, envFile.path)) continue;
      files.set(envFile.path, await readNamedFile(envFile.path, { most: ENV_FILE_BYTES, within }));
    }
    const read = [...files].map(([name, file]) => [name, file.text]);
    const content = read.length === 0 ? text : JSON.stringify([text, ...read]);
    const variables = [...files].flatMap(([name, file]) => shownEnvFile(name, dotenvVariables(file.text)));
    const shown = [...entries.flatMap(shownEntry), ...variables];
    if (await mayUse('servers', foundFile(path, content), shown, asking, store)) return files;
    const names = servers.map(({ name }) => `\`${name}\``).join(', ');
    throw new NotAgreed(EXIT.usage, `${names} is in \`${path}\`, a project’s config that you did not agree to use.`);
  };
}

const NAME_IT = 'Only a config that you name may have that: add `--config` with';
