import { basename, dirname, resolve } from 'node:path';
import type { Model } from '@/lib/chat/model';
import { ModelError } from '@/lib/chat/model';
import type { CasesFile, EvalCase } from '@/lib/evals/eval-case';
import { CasesError, MOST_REPEATS, readCases } from '@/lib/evals/read-cases';
import { closest } from '@/proxy/cli/closest';
import { usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, type GivenOptions, lastValue, readCount } from '@/proxy/cli/grammar';
import { readServerOptions, type ServerOptions } from '@/proxy/cli/server-options';
import { readNamedFile } from '@/proxy/files/named-files';
import type { ChatModels } from '../chat/chat-models';
import { type ConfigServer, configServers } from '../config-servers';

/** Bytes of a file of cases. */
const CASES_BYTES = 4 * 1024 * 1024;

/** A file of cases with everything that its runs need. */
export interface EvalPlan {
  /** As it was named. */
  readonly file: string;
  readonly settings: CasesFile;
  readonly models: readonly Model[];
  readonly repeats: number;
  readonly options: ServerOptions;
  /** The servers that its cases use. */
  readonly entries: readonly ConfigServer[];
}

/** Reads a file of cases, and finds its models and servers. Rejects with an ExitError that names the place. */
export async function planFile(
  file: string,
  given: GivenOptions,
  models: ChatModels,
  { home, printNote }: Pick<CommandContext, 'home' | 'printNote'>,
): Promise<EvalPlan> {
  const settings = await readCasesFile(file);
  const folder = dirname(resolve(file));
  const repeat = lastValue(given, 'repeat');
  const named = (given.get('model') ?? []).map((name) => ({ name, from: '.' }));
  const wanted = named.length > 0 ? named : settings.models.map((name) => ({ name, from: folder }));
  if (wanted.length === 0)
    throw usageError(`\`${file}\` names no model: give \`--model PROVIDER:MODEL\`, or write \`model:\` into the file.`);
  const loaded: Model[] = [];
  for (const { name, from } of wanted) loaded.push(await loadModel(models, name, from));
  const config =
    lastValue(given, 'config') ?? (settings.config === undefined ? undefined : resolve(folder, settings.config));
  if (config === undefined)
    throw usageError(`\`${file}\` names no config: give \`--config FILE\`, or write \`config:\` into the file.`);
  const withConfig = new Map([...given].filter(([name]) => name !== 'model').concat([['config', [config]]]));
  const options = readServerOptions({ command: 'eval', words: [], given: withConfig, server: [] });
  const all = await configServers(options, home, printNote);
  return {
    ...{ file, settings, models: loaded, options },
    repeats: repeat === undefined ? (settings.repeat ?? 1) : readCount('repeat', repeat, MOST_REPEATS),
    entries: usedServers(file, settings.cases, all),
  };
}

async function readCasesFile(file: string): Promise<CasesFile> {
  const { text, wrong } = await readNamedFile(resolve(file), { most: CASES_BYTES });
  if (text === undefined)
    throw usageError(`The cases in \`${file}\` can’t be read: ${wrong ?? 'there is no such file.'}`);
  try {
    return readCases(text);
  } catch (error) {
    if (error instanceof CasesError) throw usageError(`\`${file}\`: ${error.message}`);
    throw error;
  }
}

async function loadModel(models: ChatModels, name: string, folder: string): Promise<Model> {
  try {
    return await models.load(name, folder);
  } catch (error) {
    if (error instanceof ModelError) throw usageError(`${error.message} ${error.advice}`);
    throw error;
  }
}

/** Returns the servers that cases use. Throws an ExitError for a name that the config does not have. */
function usedServers(file: string, cases: readonly EvalCase[], all: readonly ConfigServer[]): readonly ConfigServer[] {
  const names = all.map(({ name }) => name);
  const used = new Set<string>();
  for (const { servers = names, line } of cases) {
    for (const name of servers) {
      if (!names.includes(name)) {
        const near = closest(name, names);
        const advice = near ? `did you mean \`${near}\`?` : `it has ${names.map((one) => `\`${one}\``).join(', ')}.`;
        throw usageError(`\`${basename(file)}\`, line ${line}: the config has no server \`${name}\`: ${advice}`);
      }
      used.add(name);
    }
  }
  return all.filter(({ name }) => used.has(name));
}
