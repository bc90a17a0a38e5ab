import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { EXIT, usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, lastValue, type RunCommand } from '@/proxy/cli/grammar';
import { terminalJson } from '@/proxy/commands/shared/format-content';
import { ownContext } from '@/proxy/servers/discovery';
import { userPath } from '@/proxy/servers/host-places';
import { PROJECT_FOLDER } from '@/proxy/servers/hosts';
import type { OwnAction, OwnPlace } from '../install/installer';
import { OWN_NAME } from '../install/own-entry';
import { type Changing, diffLine, hostNamed, ownInstaller, RELOAD_ADVICE } from './host-servers';

/** Adds `mcp-inspect mcp` to the config of a host, or removes it. */
export const run: RunCommand = async (context) => {
  const { request, printText, printNote } = context;
  const host = hostNamed(request.words[0]!);
  const installer = ownInstaller(context);
  const action: OwnAction = request.command === 'mcp add' ? 'add' : 'remove';
  const places = placesFor({ host, context });
  const noted = action === 'remove' ? (await installer.installs()).filter((one) => one.added !== undefined) : [];
  const paths = noted
    .filter((one) => one.host === host.id)
    .map(({ path, entry }) => ({ path, key: entry.slice(0, -1) }));
  const given = lastValue(request.given, 'config');
  const wanted = given === undefined && paths.length > 0 ? paths.map((one) => ({ host, ...one })) : [usual(places)];
  const json = request.given.has('json');
  const configs: object[] = [];
  for (const place of wanted) {
    const plan = await installer.planOwn(place, action);
    if (plan.isDone) {
      printNote(`\`${plan.path}\`: ${plan.why}`);
      continue;
    }
    if (plan.why !== undefined) throw usageError(`Nothing was changed in \`${plan.path}\`. ${plan.why}`);
    const diff = plan.diff.map(diffLine);
    if (request.given.has('dry-run')) {
      if (json) configs.push({ path: plan.path, servers: [{ name: OWN_NAME, diff }] });
      else printText([plan.path, ...diff.map((line) => `  ${line}`)].join('\n'));
      continue;
    }
    const { path, backup } = await installer.changeOwn(place, action);
    if (json) configs.push({ path, ...(backup !== undefined && { backup }), servers: [{ name: OWN_NAME, diff }] });
    else printText(`${action === 'add' ? 'Added mcp-inspect to' : 'Removed mcp-inspect from'} ${path}`);
    if (backup !== undefined) printNote(`The config as it was is in ${backup}`);
    printNote(RELOAD_ADVICE);
    if (action === 'add') noteOwnFolder(context);
  }
  if (json) printText(terminalJson({ written: !request.given.has('dry-run'), configs }));
  return EXIT.fine;
};

/** Returns the places of the user’s own configs, or that of `--config`. Those of a project are for everybody in it. */
function placesFor({ host, context }: Pick<Changing, 'host' | 'context'>): readonly OwnPlace[] {
  const own = host.files.filter(({ project, key }) => !project && !key.includes(PROJECT_FOLDER));
  const file = lastValue(context.request.given, 'config');
  if (file !== undefined) return own.slice(0, 1).map(({ key }) => ({ host, path: resolve(file), key }));
  const machine = ownContext();
  return own
    .map((one) => ({ host, path: userPath(one, machine), key: one.key }))
    .filter(({ path }) => basename(path) !== '*');
}

/** Returns the first place whose config exists. Throws an ExitError. */
function usual(places: readonly OwnPlace[]): OwnPlace {
  const [first] = places;
  if (!first) throw usageError('mcp-inspect can’t add an entry to the configs of this host. Name one with `--config`.');
  const found = places.find(({ path }) => existsSync(path));
  if (found) return found;
  throw usageError(
    `${first.host.title} has no config at \`${first.path}\`. Start the host once, or create the file with \`{}\` in it.`,
  );
}

/** Says that a host does not pass on our folder, which entries don't name: they would then be of one machine. */
export function noteOwnFolder({ printNote }: Pick<CommandContext, 'printNote'>): void {
  const folder = process.env.MCP_INSPECT_HOME;
  if (!folder) return;
  printNote(`MCP_INSPECT_HOME is ${folder} here, which hosts don’t know: they use the default data folder.`);
  printNote('Add it to `env` of the entry, or to the environment of the host, to use this folder there too.');
}
