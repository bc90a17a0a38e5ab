import { readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { quote } from 'shlex';
import { ModelError } from '@/features/chat/lib/model';
import { loadScript, SCRIPTED } from '@/features/chat/proxy/command/load-script';
import type { PageModels } from '@/features/chat/proxy/page-models';
import { uniqueNames } from '@/features/chat/proxy/unique-names';
import type { EvalSetup, PlannedServer } from '@/features/evals/lib/evals-api';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { maskedUrl } from '@/lib/transports/masking';
import { ConnectionError } from '@/lib/transports/transport';
import { systemClock } from '@/lib/wire/clock';
import type { ConnectionSummary } from '@/lib/wire/command';
import { entryOf } from '@/lib/wire/command';
import { usageError } from '@/proxy/cli/exit-code';
import { withoutModelKeys } from '@/proxy/cli/presets';
import type { PageHub } from '@/proxy/commands/inspect/page-hub';
import type { PageCore } from '@/proxy/commands/inspect/page-part';
import { configServers, type NamedServer } from '@/proxy/commands/shared/config-servers';
import { runWithin } from '@/proxy/commands/shared/time-limit';
import type { Launch } from '@/proxy/connection/launch';
import { maskedTarget } from '@/proxy/connection/masked-target';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { isWithin } from '@/proxy/files/repository-folders';
import { readNamedFile, readStartNow } from '@/proxy/files/user-files';
import { openFile } from '@/proxy/recorder/open-file';
import { CASES_BYTES, planCases } from './command/eval-plan';
import { attemptRecordings } from './command/run-log';
import { evalsFolder, KeptEvals } from './kept-evals';
import { PageEvals, type PreparedEval } from './page-evals';

/** Files with cases that are listed, and files that are looked at for them. */
const MOST_FILES = 50;
const MOST_LOOKED_AT = 500;
/** How deep folders are searched. */
const MOST_DEPTH = 2;
/** Bytes at the start of a file that are searched for its cases. */
const START_BYTES = 16 * 1024;

/** The parts of the page's server that evals need. */
type EvalsCore = Pick<PageCore, 'hub' | 'version' | 'home' | 'recorder' | 'confirmation' | 'printNote'>;

/** Creates the evals of the page. */
export function createPageEvals(core: EvalsCore, models: PageModels): PageEvals {
  const { hub, version, recorder, printNote } = core;
  const opened = new Map<string, string>();
  return new PageEvals({
    clock: systemClock,
    kept: recorder && new KeptEvals(evalsFolder(ownRecordingsFolder())),
    files: async () => casesFiles(process.cwd()),
    readFile: readCasesHere,
    prepare: (setup) => prepare(setup, core, models),
    within: runWithin,
    recording: (writer, secrets) =>
      // An attempt that was stopped has left its recording.
      attemptRecordings(writer?.folder, version, secrets, printNote, writer ? [`part${writer.part}`] : []),
    async open(path) {
      const known = opened.get(path);
      if (known !== undefined && hub.connections().some(({ id }) => id === known)) return known;
      const { id } = await hub.openFile(await openFile(path));
      opened.set(path, id);
      return id;
    },
    print: printNote,
  });
}

/** Finds the models and servers of cases. Rejects with a Failure or an ExitError. */
async function prepare(
  setup: EvalSetup,
  { version, home, confirmation, hub, printNote }: EvalsCore,
  models: PageModels,
): Promise<PreparedEval> {
  const secrets = new CaptureRedactor(models.keys());
  const given = new Map<string, readonly string[]>();
  if (setup.models && setup.models.length > 0) given.set('model', setup.models);
  if (setup.repeats !== undefined) given.set('times', [String(setup.repeats)]);
  let entries: readonly NamedServer[] = [];
  let isConfig = false;
  const plan = await planCases({ file: setup.name, folder: folderOf(setup.name), text: setup.text }, given, {
    home,
    version,
    client: undefined,
    settings: { limits: {} },
    secrets,
    printNote,
    async loadModel(name, folder) {
      if (!name.startsWith(SCRIPTED)) return models.load({ ...NO_SETTINGS, model: name });
      if (!isWithin(process.cwd(), resolve(folder, name.slice(SCRIPTED.length))))
        throw new ModelError(...SCRIPT_ELSEWHERE);
      return loadScript(name, folder);
    },
    async listServers(asked, config) {
      isConfig = config !== undefined;
      if (config !== undefined && !isWithin(process.cwd(), config))
        throw usageError('The config of the cases is not in the working directory: run them with `mcp-inspect eval`.');
      entries =
        config === undefined
          ? connectedServers(hub)
          : await configServers(asked, home, printNote, withoutModelKeys(home));
      return entries;
    },
  });
  const used = entries.filter(({ name }) => plan.servers.includes(name));
  const launches = await Promise.all(used.map(async ({ name, launch }) => ({ name, launch: await launch() })));
  const servers: PlannedServer[] = launches.map(({ name, launch }) => ({
    name,
    isConnected: !isConfig,
    what: 'transport' in launch ? whatStarts(launch) : launch.message,
  }));
  return {
    plan,
    servers,
    secrets,
    async agree() {
      for (const { launch } of launches) {
        if (!('transport' in launch)) throw new ConnectionError(launch);
        if (launch.transport !== 'stdio') continue;
        const { command, args, cwd } = launch;
        await confirmation?.confirm(launch, { transport: 'stdio', command, args, cwd });
      }
    },
  };
}

const NO_SETTINGS = {
  toolMode: 'native',
  limits: { calls: 1, outputTokens: 1, seconds: 1, resultChars: 1 },
  servers: [],
} as const;

const SCRIPT_ELSEWHERE = [
  'bad-script',
  'The script is not in the working directory.',
  'Move it there, or run the cases with `mcp-inspect eval`.',
] as const;

/** Returns the command line or URL of a launch, without the secrets in it. */
function whatStarts(launch: Launch): string {
  if (launch.transport !== 'stdio') return maskedUrl(launch.url);
  const { command, args } = maskedTarget({ transport: 'stdio', command: launch.command, args: launch.args });
  return [command, ...args].map((word) => quote(word)).join(' ');
}

/** Returns the servers that are connected now, with names that differ. Each is started again, as it was. */
function connectedServers(hub: PageHub): readonly NamedServer[] {
  const newest = new Map<string, ConnectionSummary>();
  for (const one of hub.connections()) {
    if (!one.recording && one.trial === undefined) newest.set(entryOf(one), one);
  }
  const nameOnce = uniqueNames();
  return [...newest].flatMap(([entry, { name, state }]) => {
    if (state !== 'open') return [];
    const unique = nameOnce(name);
    return { name: unique, launch: async () => ({ ...hub.newestRunOf(entry).launch, name: unique }) };
  });
}

/** Returns the folder that the paths of cases are relative to. Text that was typed or uploaded is in none. */
function folderOf(name: string): string {
  const path = resolve(name);
  return isWithin(process.cwd(), path) ? dirname(path) : process.cwd();
}

/** Reads a listed file of cases. Rejects with an ExitError. */
async function readCasesHere(name: string): Promise<string> {
  // The page must not read other files, such as `.env`.
  const { text, wrong } = casesFiles(process.cwd()).includes(name)
    ? await readNamedFile(resolve(name), { most: CASES_BYTES })
    : { text: undefined, wrong: 'It is not in the list of files with cases.' };
  if (text === undefined)
    throw usageError(`\`${name.slice(0, 200)}\` can’t be read: ${wrong ?? 'there is no such file.'}`);
  return text;
}

/** Lists the files below a folder that begin like files of cases. */
function casesFiles(root: string): readonly string[] {
  const found: string[] = [];
  let left = MOST_LOOKED_AT;
  const look = (folder: string, depth: number): void => {
    for (const entry of entriesOf(folder)) {
      if (left <= 0 || found.length >= MOST_FILES) return;
      const path = join(folder, entry.name);
      if (entry.isDirectory() && depth < MOST_DEPTH && !/^\.|^node_modules$/.test(entry.name)) look(path, depth + 1);
      if (!entry.isFile() || !/\.(?:ya?ml|json)$/i.test(entry.name)) continue;
      left--;
      if (/^(?:cases:|\s*"cases"\s*:)/m.test(readStartNow(path, START_BYTES))) found.push(relative(root, path));
    }
  };
  look(root, 0);
  return found.sort();
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
