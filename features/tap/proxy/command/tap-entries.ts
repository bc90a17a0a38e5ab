import { basename } from 'node:path';
import { UPLOADS } from '@/features/recording-stores';
import type { TapAction } from '@/lib/wire/api';
import { EXIT } from '@/proxy/cli/exit-code';
import type { CommandContext, RunCommand } from '@/proxy/cli/grammar';
import { terminalJson } from '@/proxy/commands/shared/format-content';
import type { FoundServer } from '@/proxy/servers/discovery';
import { missingFile, tapOf } from '@/proxy/servers/tap-words';
import type { ConfigChanged, ConfigPlan } from '../install/installer';
import {
  byConfig,
  type Changing,
  chosenServers,
  diffLine,
  diffText,
  type HostServers,
  hostNamed,
  ownInstaller,
  RELOAD_ADVICE,
  refuseUnfit,
  serversOf,
} from './host-servers';
import { noteOwnFolder } from './own-entry';

/** Puts a tap around the commands of servers in the configs of a host, or puts the servers’ own commands back. */
export const run: RunCommand = async (context) => {
  const { command, words, given } = context.request;
  const host = hostNamed(words[0]!);
  const upload = UPLOADS?.read((name) => given.get(name));
  // A host would show a mistake only in its log.
  const tapOptions = upload && (await UPLOADS?.tapOptions(upload));
  const changing = { host, context, installer: ownInstaller(context, tapOptions) };
  const found = await serversOf(host, context, changing.installer);
  if (command === 'tap add') {
    const chosen = await chosenServers(found.servers, { ...found, isOffered, host, context, verb: 'tap' });
    await changeConfigs(chosen, 'tap', changing);
  } else await removeTaps(found, changing);
  return EXIT.fine;
};

async function removeTaps({ servers, skipped }: HostServers, changing: Changing): Promise<void> {
  const { host, context } = changing;
  const isNamed = context.request.words.length > 1;
  // A tapped one comes first if several configs have the server. A named one that is not tapped gets a sentence.
  const tapped = servers.filter(({ entry }) => tapOf(entry));
  const offered = isNamed ? [...tapped, ...servers.filter((one) => !tapped.includes(one))] : tapped;
  const chosen = await chosenServers(offered, { isOffered: () => true, host, context, verb: 'untap', skipped });
  // It is restored in every config that has it.
  const all = isNamed ? chosen.flatMap((one) => sameName(one.entry.name, tapped, one)) : chosen;
  await changeConfigs(all, 'untap', changing);
}

function sameName<T extends { readonly entry: { readonly name: string } }>(
  name: string,
  tapped: readonly T[],
  otherwise: T,
): readonly T[] {
  const same = tapped.filter(({ entry }) => entry.name === name);
  return same.length > 0 ? same : [otherwise];
}

/** Returns true for a server that a question offers: one without a tap, or with one that can’t start. */
function isOffered({ entry }: FoundServer): boolean {
  const tap = tapOf(entry);
  return entry.target.transport === 'stdio' && (!tap || missingFile(tap) !== undefined);
}

/** Changes the configs of these servers, or with `--dry-run` only shows how. Throws an ExitError or a Failure. */
async function changeConfigs(
  servers: readonly FoundServer[],
  action: TapAction,
  { context, installer }: Changing,
): Promise<void> {
  const { request, printText, printNote } = context;
  const configs = byConfig(servers);
  const plans: ConfigPlan[] = [];
  for (const config of configs) plans.push(await installer.plan(config, action));
  if (!request.given.has('all')) refuseUnfit(plans, action);
  for (const { server, why } of plans.flatMap(({ unchanged }) => unchanged)) {
    printNote(`mcp-inspect: \`${server.entry.name}\` in ${server.path}: ${why}`);
  }
  const planned = plans.filter(({ changes }) => changes.length > 0);
  const [isDry, json] = [request.given.has('dry-run'), request.given.has('json')];
  const changes: ConfigChanged[] = isDry ? planned : [];
  if (!isDry) {
    for (const plan of planned) {
      const changed = await installer.change(
        plan.changes.map(({ server }) => server),
        action,
      );
      changes.push(changed);
      if (!json) report(changed, action, context);
    }
  }
  if (json) printText(changesJson(changes, isDry));
  else if (isDry) for (const plan of planned) printText(diffText(plan));
  if (isDry) return;
  if (planned.length === 0) return;
  printNote(RELOAD_ADVICE);
  if (action === 'tap') noteOwnFolder(context);
}

/** Formats the changes of configs as one line of JSON. */
function changesJson(changes: readonly ConfigChanged[], isDry: boolean): string {
  return terminalJson({
    written: !isDry,
    configs: changes.map(({ path, changes: entries, backup }) => ({
      path,
      ...(backup !== undefined && { backup }),
      servers: entries.map(({ server, diff }) => ({ name: server.entry.name, diff: diff.map(diffLine) })),
    })),
  });
}

const DONE: Readonly<Record<TapAction, string>> = { tap: 'Tapped', untap: 'Restored' };

function report({ path, changes, backup }: ConfigChanged, action: TapAction, { printText, printNote }: CommandContext) {
  for (const { server } of changes) printText(`${DONE[action]} \`${server.entry.name}\` in ${path}`);
  if (backup !== undefined) printNote(`The config as it was is in ${backup}`);
  if (action === 'tap' && changes.some(({ server }) => server.project !== undefined)) {
    printNote(
      `${basename(path)} belongs to the project, and now has paths of this machine. Don’t commit it like that.`,
    );
  }
}
