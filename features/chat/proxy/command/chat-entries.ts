import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { usageError } from '@/proxy/cli/exit-code';
import type { CommandRequest } from '@/proxy/cli/grammar';
import { withoutModelKeys } from '@/proxy/cli/presets';
import { readServerOptions, type ServerOptions } from '@/proxy/cli/server-options';
import { findLaunch } from '@/proxy/commands/headless/on-server';
import { type Asking, terminalQuestions } from '@/proxy/commands/shared/ask-inputs';
import { configServers, type NamedServer } from '@/proxy/commands/shared/config-servers';
import { agreeBy, NotAgreed, PROJECT_CONFIG } from '@/proxy/commands/shared/project-config';

/** The servers that a command line names, and the options that they share. */
export interface ChatEntries {
  readonly options: ServerOptions;
  readonly entries: readonly NamedServer[];
}

/**
 * Finds the servers of a chat: the one that is named, those of `--config`, or those of the user’s and the project’s
 * `.mcp.json`. Throws an ExitError if there are none.
 */
export async function chatEntries(
  request: CommandRequest,
  home: string,
  asking: Asking = { ask: terminalQuestions(), printNote: () => {} },
): Promise<ChatEntries> {
  const options = readServerOptions(request);
  const wanted = request.given.get('server') ?? [];
  if (options.target || options.demo || wanted.length > 0) {
    const named = wanted.length > 0 ? wanted.map((server) => ({ ...options, server })) : [options];
    const launches = await inOrder(named, (one) => findLaunch(one, home, one.protocol, asking));
    const names = uniqueNames(launches.map(({ name }) => name));
    return { options, entries: launches.map((launch, at) => ({ name: names[at]!, launch: async () => launch })) };
  }
  if (options.config !== undefined) return { options, entries: await configServers(options, home, asking.printNote) };
  const entries = await ownEntries(options, home, asking);
  if (entries.length > 0) return { options, entries };
  throw usageError(
    `No server is named: give \`--config FILE\`, \`--server NAME\`, or a command after \`--\`. Or list servers in \`~/${PROJECT_CONFIG}\`.`,
  );
}

/** Reads the default configs. The project’s one comes first, since it is the more specific. */
async function ownEntries(options: ServerOptions, home: string, asking: Asking): Promise<readonly NamedServer[]> {
  const users = join(homedir(), PROJECT_CONFIG);
  const found: NamedServer[] = [];
  const project = resolve(PROJECT_CONFIG);
  if (project !== users && existsSync(project)) {
    const around = { ...withoutModelKeys(home), agree: agreeBy(asking) };
    const own = configServers({ ...options, config: project }, home, asking.printNote, around);
    found.push(...(await own.catch(noneIfRefused)));
  }
  if (existsSync(users)) {
    const names = new Set(found.map(({ name }) => name));
    for (const entry of await configServers({ ...options, config: users }, home, asking.printNote)) {
      if (names.has(entry.name))
        asking.printNote(`mcp-inspect: \`${entry.name}\` is that of the project, not of \`${users}\`.`);
      else found.push(entry);
    }
  }
  return found;
}

function noneIfRefused(error: unknown): readonly NamedServer[] {
  if (error instanceof NotAgreed) return [];
  throw error;
}

/** Numbers names that come again: two hosts may have a server of the same name. */
function uniqueNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name}-${number}`;
    taken.add(free);
    return free;
  });
}

async function inOrder<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
