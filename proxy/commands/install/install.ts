import { basename } from 'node:path';
import type { TapAction } from '@/lib/wire/api';
import { EXIT } from '@/proxy/cli/exit-code';
import type { CommandContext, RunCommand } from '@/proxy/cli/grammar';
import type { ConfigChanged, ConfigPlan } from '@/proxy/install/installer';
import { readUploadWords } from '@/proxy/recorder/upload-words';
import type { FoundServer } from '@/proxy/servers/discovery';
import { missingFile, tapOf } from '@/proxy/servers/tap-words';
import {
  byConfig,
  type Changing,
  chosenServers,
  diffText,
  hostNamed,
  ownInstaller,
  RELOAD_ADVICE,
  refuseUnfit,
  serversOf,
} from './host-servers';
import { changeOwnEntry, noteOwnFolder } from './own-entry';

/** Puts a tap around the commands of servers in the configs of a host. */
export const run: RunCommand = async (context) => {
  const host = hostNamed(context.request.words[0]!);
  const upload = readUploadWords((name) => context.request.given.get(name));
  // A host would show a mistake only in its log.
  const tapOptions = upload && (await (await import('../push/given-order')).tapOptionsFor(upload));
  const installer = ownInstaller(context, tapOptions);
  if (context.request.given.has('mcp')) return changeOwnEntry('add', { host, context, installer });
  const { servers, skipped } = await serversOf(host, context, installer);
  const chosen = await chosenServers(servers, { isOffered, host, context, verb: 'tap', skipped });
  await changeConfigs(chosen, 'tap', { host, context, installer });
  return EXIT.fine;
};

/** Returns true for a server that a question offers: one without a tap, or with one that can’t start. */
function isOffered({ entry }: FoundServer): boolean {
  const tap = tapOf(entry);
  return entry.target.transport === 'stdio' && (!tap || missingFile(tap) !== undefined);
}

/** Changes the configs of these servers, or with `--dry-run` only shows how. Throws an ExitError or a Failure. */
export async function changeConfigs(
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
  if (request.given.has('dry-run')) {
    for (const plan of planned) printText(diffText(plan));
    return;
  }
  for (const plan of planned) {
    const changed = await installer.change(
      plan.changes.map(({ server }) => server),
      action,
    );
    report(changed, action, context);
  }
  if (planned.length === 0) return;
  printNote(RELOAD_ADVICE);
  if (action === 'tap') noteOwnFolder(context);
}

const DONE: Readonly<Record<TapAction, string>> = { tap: 'Tapped', untap: 'Restored' };

function report({ path, changes, backup }: ConfigChanged, action: TapAction, { printText, printNote }: CommandContext) {
  for (const { server } of changes) printText(`${DONE[action]} \`${server.entry.name}\` in ${path}`);
  if (backup !== undefined) printNote(`The config as it was is in ${backup}`);
  if (action === 'tap' && changes.some(({ server }) => server.isProject)) {
    printNote(
      `${basename(path)} belongs to the project, and now has paths of this machine. Don’t commit it like that.`,
    );
  }
}
