import { dirname, resolve } from 'node:path';
import type { Model } from '@/features/chat/lib/model';
import { ModelError } from '@/features/chat/lib/model';
import { ChatServers } from '@/features/chat/proxy/command/chat-servers';
import type { CasesFile, EvalCase } from '@/features/evals/lib/eval-case';
import { CasesError, MOST_REPEATS, readCases } from '@/features/evals/lib/read-cases';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { closest } from '@/proxy/cli/closest';
import { usageError } from '@/proxy/cli/exit-code';
import { lastValue, type ParsedOptions, readCountOption } from '@/proxy/cli/grammar';
import { withoutModelKeys } from '@/proxy/cli/presets';
import { readServerOptions, type ServerOptions } from '@/proxy/cli/server-options';
import type { ClientOptions } from '@/proxy/commands/headless/client-options';
import { configServers, type NamedServer } from '@/proxy/commands/shared/config-servers';
import { readNamedFile } from '@/proxy/files/user-files';
import type { EvalPlan, EvalServers, EvalSettings } from '../eval-plan';

/** Bytes of a file of cases. */
export const CASES_BYTES = 4 * 1024 * 1024;

/** Runs of one file: cases × models × repetitions. All results are in memory, some kilobytes each. */
const MOST_RUNS = 10_000;

/** A text with cases. */
export interface CasesSource {
  /** As people named it. */
  readonly file: string;
  /** Folder that its paths are relative to. */
  readonly folder: string;
  readonly text: string;
}

/** How the models and servers of cases are found and started. */
export interface PlanContext {
  readonly home: string;
  readonly version: string;
  readonly client: ClientOptions | undefined;
  readonly settings: EvalSettings;
  readonly secrets: CaptureRedactor;
  /** Loads a model. A script is looked up in `folder`. Rejects with a ModelError. */
  loadModel(name: string, folder: string): Promise<Model>;
  /** Lists the servers of a config, or those to use without one. */
  listServers?(options: ServerOptions, config: string | undefined): Promise<readonly NamedServer[]>;
  printNote(line: string): void;
}

/** Reads a file of cases. Rejects with an ExitError. */
export async function readCasesFile(file: string, cwd = '.'): Promise<CasesSource> {
  const path = resolve(cwd, file);
  const { text, wrong } = await readNamedFile(path, { most: CASES_BYTES });
  if (text === undefined)
    throw usageError(`The cases in \`${file}\` can’t be read: ${wrong ?? 'there is no such file.'}`);
  return { file, folder: dirname(path), text };
}

/** Finds the models and servers of cases. Rejects with an ExitError that names the place. */
export async function planCases(source: CasesSource, given: ParsedOptions, context: PlanContext): Promise<EvalPlan> {
  const { file, folder } = source;
  const settings = parseCases(source);
  const repeat = lastValue(given, 'times');
  const named = (given.get('model') ?? []).map((name) => ({ name, from: '.' }));
  const wanted = named.length > 0 ? named : settings.models.map((name) => ({ name, from: folder }));
  if (wanted.length === 0)
    throw usageError(`\`${file}\` names no model: give \`--model PROVIDER:MODEL\`, or write \`model:\` into the file.`);
  const models: Model[] = [];
  for (const { name, from } of wanted) models.push(await loadModel(context, name, from));
  const repeats = repeat === undefined ? (settings.repeat ?? 1) : readCountOption('times', repeat, MOST_REPEATS);
  const runs = settings.cases.length * models.length * repeats;
  if (runs > MOST_RUNS)
    throw usageError(
      `\`${file}\` asks for ${shownCount(runs)} runs, more than ${shownCount(MOST_RUNS)}: choose fewer cases, models or repeats.`,
    );
  const { options, servers } = await findServers(source, settings, given, context);
  const used = usedServers(file, settings.cases, servers);
  return {
    file,
    settings,
    models,
    repeats,
    given: context.settings,
    servers: used.map(({ name }) => name),
    newServers: (recordIn) => serversOf(used, options, recordIn, context),
  };
}

function shownCount(count: number): string {
  return count.toLocaleString('en');
}

/** Reads cases. Throws an ExitError. */
function parseCases({ file, text }: CasesSource): CasesFile {
  try {
    return readCases(text);
  } catch (error) {
    if (error instanceof CasesError) throw usageError(`\`${file}\`: ${error.message}`);
    throw error;
  }
}

async function loadModel({ loadModel: load }: PlanContext, name: string, folder: string): Promise<Model> {
  try {
    return await load(name, folder);
  } catch (error) {
    if (error instanceof ModelError) throw usageError(`${error.message} ${error.advice}`);
    throw error;
  }
}

async function findServers(
  { file, folder }: CasesSource,
  settings: CasesFile,
  given: ParsedOptions,
  { home, printNote, listServers }: PlanContext,
): Promise<{ readonly options: ServerOptions; readonly servers: readonly NamedServer[] }> {
  const config =
    lastValue(given, 'config') ?? (settings.config === undefined ? undefined : resolve(folder, settings.config));
  if (config === undefined && !listServers)
    throw usageError(`\`${file}\` names no config: give \`--config FILE\`, or write \`config:\` into the file.`);
  const own = [...given].filter(([name]) => name !== 'model' && name !== 'config');
  const withConfig = new Map(config === undefined ? own : [...own, ['config', [config]] as const]);
  const options = readServerOptions({ command: 'eval', words: [], given: withConfig, server: [] });
  // Only a config of the command line gets the keys of models.
  const around = given.has('config') ? undefined : withoutModelKeys(home);
  const servers = await (listServers?.(options, config) ?? configServers(options, home, printNote, around));
  return { options, servers };
}

function serversOf(
  entries: readonly NamedServer[],
  options: ServerOptions,
  recordIn: ((server: string) => string) | undefined,
  { version, client, secrets, printNote }: PlanContext,
): EvalServers {
  const group = new ChatServers({
    options,
    version,
    printNote,
    secrets,
    client: () => client,
    ...(recordIn && { record: recordIn }),
  });
  return {
    open: (names) => group.open(entries.filter(({ name }) => names.includes(name))),
    get isBroken() {
      return group.isBroken;
    },
    close: () => group.close(),
  };
}

/** Returns the servers that cases use. Throws an ExitError for a name that the config does not have. */
function usedServers(file: string, cases: readonly EvalCase[], all: readonly NamedServer[]): readonly NamedServer[] {
  const names = all.map(({ name }) => name);
  const used = new Set<string>();
  for (const { servers = names, line } of cases) {
    for (const name of servers) {
      if (!names.includes(name)) {
        const near = closest(name, names);
        const there =
          names.length === 0
            ? 'no servers are configured or connected.'
            : `there is ${names.map((one) => `\`${one}\``).join(', ')}.`;
        const advice = near ? `did you mean \`${near}\`?` : there;
        throw usageError(`\`${file}\`, line ${line}: there is no server \`${name}\`: ${advice}`);
      }
      used.add(name);
    }
  }
  return all.filter(({ name }) => used.has(name));
}
