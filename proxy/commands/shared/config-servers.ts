import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import { usageError } from '@/proxy/cli/exit-code';
import { buildPresets, startContext } from '@/proxy/cli/presets';
import type { ServerOptions } from '@/proxy/cli/server-options';
import { type Launch, type Preset, prepareLaunch } from '@/proxy/connection/launch';
import { givenRules } from './given-rules';

/** A server of a config, by its name there. */
export interface NamedServer {
  readonly name: string;
  /** Returns how to connect to it, or why nobody can. */
  launch(): Promise<Launch | Failure>;
}

/** Most servers that run at a time. */
export const MOST_JOBS = 32;

/** Throws an ExitError unless the command line names a config and no server of it. */
export function requireConfigAlone({ config, server, target, demo }: ServerOptions, command: string): void {
  if (config === undefined)
    throw usageError(`\`${command} --all\` is for every server of a config: add \`--config FILE\`.`);
  if (server !== undefined || target || demo) throw usageError('`--all` and a server are given: remove one of them.');
}

/** Lists the servers of a config that it does not disable. Throws an ExitError if there are none. */
export async function configServers(
  options: ServerOptions,
  home: string,
  printNote: (text: string) => void,
  around = startContext(home),
): Promise<readonly NamedServer[]> {
  const found = await buildPresets(options, around);
  if ('wrong' in found) throw usageError(found.wrong);
  for (const sentence of found.notes) printNote(`mcp-inspect: ${sentence}`);
  const listed = found.presets.filter(({ shown }) => shown.origin === 'config');
  const enabled = listed.filter(({ shown }) => !shown.disabled);
  for (const { shown } of listed.filter((one) => !enabled.includes(one)))
    printNote(`mcp-inspect: \`${nameOf(shown)}\` is disabled in its config, so it was left out.`);
  if (enabled.length === 0) throw usageError(`\`${options.config}\` has no server that is enabled.`);
  const rules = await givenRules(options);
  return enabled.map(({ shown }) => ({
    name: nameOf(shown),
    launch: async () => {
      const launch = await launchOf(shown, found.presets);
      return 'advice' in launch ? launch : { ...launch, ...rules };
    },
  }));
}

function nameOf({ name, target, id }: Preset['shown']): string {
  return target.name ?? name ?? id;
}

async function launchOf(shown: Preset['shown'], presets: readonly Preset[]): Promise<Launch | Failure> {
  if (shown.problem !== undefined) return unusable(shown.problem);
  const asked = shown.inputs?.map(({ id }) => `\`--input ${id}=VALUE\``) ?? [];
  if (asked.length > 0) return unusable(`The config asks for a value: give ${asked.join(' ')}.`);
  try {
    const launch = await prepareLaunch({ ...shown.target, base: shown.id }, shown.protocol, presets);
    return { ...launch, name: nameOf(shown) };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return unusable(`${error.message} ${error.advice}`);
  }
}

function unusable(message: string): Failure {
  return { code: 'config-entry', message, advice: 'Correct the entry in the config.' };
}

/** Works on all items, `jobs` at a time. Resolves with the results in the order of the items. */
export async function sideBySide<T, R>(
  items: readonly T[],
  jobs: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at]!);
  };
  await Promise.all(Array.from({ length: Math.min(jobs, items.length) }, worker));
  return results;
}
